/* SPDX-License-Identifier: MIT */
/* cumsum bench: measures the library, a device, or the oracle. */
#include <string.h>

#include "bench.h"
#include "commands.h"

/* The first given option that selects or measures entries, or NULL. 'judge' takes none of them. */
static const char *option_of_speed(const tool_options *o) {
    return o->backend.kernel != CUMSUM_KERNEL_AUTO ? "--kernel"
           : o->has_threads                        ? "--threads"
           : o->backend.order.given                ? "--order"
           : o->bench.against                      ? "--against"
           : o->list                               ? "--list"
           : o->has_backend                        ? "--backend"
                                                   : NULL;
}

static int measure_speed(const tool_options *options, const bench_settings *settings) {
    tool_error error;
    const int usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    const tool_status status = options->backend.backend == BACKEND_CPU
                                   ? bench_speed(settings, &error)
                                   : bench_device(settings, &error);
    return status == TOOL_MALFORMED ? command_usage_error(options, "%s", error.message)
                                    : (int)status;
}

static int measure_oracle(const tool_options *options, const bench_settings *settings) {
    const char *misplaced = option_of_speed(options);
    return misplaced ? command_usage_error(options, "option %s cannot be combined with 'judge'",
                                           misplaced)
                     : (int)bench_judge(settings);
}

int command_bench(const tool_options *options) {
    bench_settings settings = options->bench;
    settings.backend = &options->backend;
    settings.pattern = options->file_count ? options->files[0] : NULL;
    settings.type = options->type;
    settings.has_threads = options->has_threads;
    settings.list = options->list;
    settings.json = options->report.json;
    if (options->file_count > 1) {
        return command_usage_error(options, "at most one PATTERN is allowed, but %zu are given",
                                   options->file_count);
    }
    return settings.pattern && !strcmp(settings.pattern, "judge")
               ? measure_oracle(options, &settings)
               : measure_speed(options, &settings);
}
