/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "commands.h"
#include "text.h"

int command_usage_error(const tool_options *options, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fputs("cumsum: ", stderr);
    text_show(stderr, message);
    fprintf(stderr, "; see 'cumsum %s --help'\n", options->command_name);
    return TOOL_MALFORMED;
}
