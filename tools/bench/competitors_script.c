/* SPDX-License-Identifier: MIT */
#include "competitors.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "competitors_place.h"

/* The script is in the same place below PREFIX of PREFIX/bin/cumsum and below BUILD of
 * BUILD/tools/cumsum. */
static bool script_of_program(char path[PATH_MAX]) {
    if (!child_process_self(path, PATH_MAX))
        return false;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        *slash = '\0';
    }
    size_t used = strlen(path);
    snprintf(path + used, PATH_MAX - used, "/%s", COMPETITORS_PLACE);
    return access(path, R_OK) == 0;
}

static tool_status find_script(char path[PATH_MAX], tool_error *error) {
    if (script_of_program(path))
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "--against: competitors.py is not beside the program (../%s)",
                     COMPETITORS_PLACE);
}

tool_status competitors_start(competitors *r, const char *names, tool_error *error) {
    char script[PATH_MAX];
    tool_error inner;
    const char *python = getenv("PYTHON");
    python = python && *python ? python : "python3";
    tool_status status = find_script(script, error);
    if (status != TOOL_OK)
        return status;
    const char *const arguments[] = {script, names, NULL};
    status = child_process_start(&r->process, python, arguments, CHILD_TALKS, &inner);
    return status == TOOL_OK ? status : tool_fail(error, status, "--against: %s", inner.message);
}

void competitors_stop(competitors *r) {
    if (r->process)
        child_process_end(r->process, CHILD_FOREVER, NULL, 0);
    r->process = NULL;
}
