/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "rivals_script.h"

tool_status rivals_start(rivals *r, const char *names, tool_error *error) {
    (void)r;
    (void)names;
    return tool_fail(error, TOOL_ENVIRONMENT, "--against: not in a build for Windows");
}

void rivals_stop(rivals *r) {
    r->requests = r->answers = NULL;
}
