/* SPDX-License-Identifier: MIT */
#include "commands.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

int command_device_options(const tool_options *options) {
    /* minimize has a timeout of its own; sweep can end a process. */
    const bool device_timeout = options->timeout && options->command != COMMAND_MINIMIZE &&
                                options->isolate != ISOLATE_ALWAYS;
    const char *option = options->adapter       ? "adapter"
                         : options->debug_layer ? "debug-layer"
                         : options->retry       ? "retry"
                         : device_timeout       ? "timeout"
                                                : NULL;
    if (option && options->backend == BACKEND_CPU) {
        return command_usage_error(
            options, "option --%s needs --backend d3d12 or directml%s", option,
            device_timeout && options->command == COMMAND_SWEEP ? ", or --isolate always" : "");
    }
    return TOOL_OK;
}

tool_status folder_make(const char *folder, tool_error *error) {
    struct stat status;
    if (!folder || (stat(folder, &status) == 0 && S_ISDIR(status.st_mode)) ||
        mkdir(folder, 0777) == 0)
        return TOOL_OK;
    return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: cannot be made a folder: %s", folder,
                     strerror(errno));
}
