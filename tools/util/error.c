/* SPDX-License-Identifier: MIT */
/* Messages of errors, and the exit status of each status. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

tool_status tool_fail(tool_error *error, tool_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

int tool_exit_status(tool_status status) {
    switch (status) {
    case TOOL_OK:
        return 0;
    case TOOL_MISMATCH:
    case TOOL_NOT_FOUND:
        return 1;
    case TOOL_MALFORMED:
        return 2;
    case TOOL_ENVIRONMENT:
        return 3;
    case TOOL_SKIPPED:
        break;
    }
    return 77;
}
