/* SPDX-License-Identifier: MIT */
#include "commands.h"

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
