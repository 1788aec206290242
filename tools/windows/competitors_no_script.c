/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "competitors.h"

tool_status competitors_start(competitors *r, const char *names, tool_error *error) {
    (void)r;
    (void)names;
    return tool_fail(error, TOOL_ENVIRONMENT, "--against: not in a build for Windows");
}

void competitors_stop(competitors *r) {
    r->requests = r->answers = NULL;
}
