/* SPDX-License-Identifier: MIT */
/* The message of an error; error.h has the statuses. */
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
