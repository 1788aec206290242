/* SPDX-License-Identifier: MIT */
#include "info.h"
#include "json_print.h"

/* A build without Direct3D 12. */

void info_show_adapters(void) {
}

json_object *info_adapters_array(void) {
    return json_make_array();
}
