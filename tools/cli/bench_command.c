/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "bench_commands.h"
#include "commands.h"

/* What says which entries are measured, and how, says nothing to the oracle. */
static const char *option_of_speed(const tool_options *o) {
    return o->kernel != CUMSUM_KERNEL_AUTO ? "--kernel"
           : o->has_threads                ? "--threads"
           : o->order.given                ? "--order"
           : o->against                    ? "--against"
           : o->list                       ? "--list"
           : o->has_backend                ? "--backend"
                                           : NULL;
}

int command_bench(const tool_options *options) {
    const char *pattern = options->file_count ? options->files[0] : NULL;
    if (options->file_count > 1) {
        return command_usage_error(options, "one PATTERN at most, and %zu are given",
                                   options->file_count);
    }
    if (!pattern || strcmp(pattern, "judge") != 0) {
        int usage = command_device_options(options);
        return usage != TOOL_OK                  ? usage
               : options->backend == BACKEND_CPU ? bench_speed(options, pattern)
                                                 : bench_device(options, pattern);
    }
    const char *misplaced = option_of_speed(options);
    return misplaced ? command_usage_error(options, "option %s does not go with 'judge'", misplaced)
                     : bench_judge(options);
}
