/* SPDX-License-Identifier: MIT */
/* Usage errors, and the checks of options that several commands share. */
#include "commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "text.h"

tool_status command_usage_error(const tool_options *options, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fputs("cumsum: ", stderr);
    text_show(stderr, message);
    fprintf(stderr, "; see 'cumsum %s --help'\n", options->report.command);
    return TOOL_MALFORMED;
}

tool_status command_device_options(const tool_options *options) {
    /* minimize has its own --timeout; an isolated sweep can end a worker on the CPU. */
    const bool device_timeout = options->backend.timeout && options->command != COMMAND_MINIMIZE &&
                                options->sweep.isolate != ISOLATE_ALWAYS;
    const char *option = options->backend.adapter       ? "adapter"
                         : options->backend.debug_layer ? "debug-layer"
                                                        : NULL;
    const char *limit = options->sweep.retry ? "retry" : device_timeout ? "timeout" : NULL;
    if (option && (options->backend.backend == BACKEND_CPU || options->backend.exec))
        return command_usage_error(options, "option --%s needs --backend d3d12 or directml",
                                   option);
    if (limit && options->backend.backend == BACKEND_CPU) {
        return command_usage_error(
            options, "option --%s needs --backend d3d12 or directml%s%s", limit,
            options->command == COMMAND_VALIDATE ? "" : ", or --exec",
            device_timeout && options->command == COMMAND_SWEEP ? ", or --isolate always" : "");
    }
    if (options->backend.adapt && !options->backend.exec)
        return command_usage_error(options, "option --adapt needs --exec");
    return TOOL_OK;
}
