/* SPDX-License-Identifier: MIT */
#include "commands.h"

int command_device_options(const tool_options *options) {
    /* minimize has a timeout of its own. */
    const bool device_timeout = options->timeout && options->command != COMMAND_MINIMIZE;
    const char *option = options->adapter       ? "adapter"
                         : options->debug_layer ? "debug-layer"
                         : device_timeout       ? "timeout"
                                                : NULL;
    if (option && options->backend == BACKEND_CPU) {
        return command_usage_error(options, "option --%s needs --backend d3d12 or directml",
                                   option);
    }
    return TOOL_OK;
}
