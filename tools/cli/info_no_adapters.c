/* SPDX-License-Identifier: MIT */
/* A build without Direct3D 12. */
#include "info.h"
#include "json_print.h"

void info_show_adapters(void) {
}

json_object *info_adapters_array(void) {
    return json_make_array();
}
