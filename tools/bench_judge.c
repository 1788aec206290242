/* SPDX-License-Identifier: MIT */
#include "commands.h"
int command_bench(const tool_options *options) {
    return command_usage_error(options, "x");
}
