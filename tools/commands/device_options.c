/* SPDX-License-Identifier: MIT */
#include "commands.h"

int command_device_options(const tool_options *options) {
    const char *option = options->adapter       ? "adapter"
                         : options->debug_layer ? "debug-layer"
                         : options->timeout     ? "timeout"
                                                : NULL;
    if (option && options->backend == BACKEND_CPU) {
        return command_usage_error(options, "option --%s needs --backend d3d12 or directml",
                                   option);
    }
    return TOOL_OK;
}
