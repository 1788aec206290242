/* SPDX-License-Identifier: MIT */
/* cumsum bench: measures the library and its oracle, or a device. */
#include "bench.h"
#include "commands.h"

static tool_status measure(const tool_options *options, const bench_settings *settings) {
    tool_error error;
    const tool_status usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    const tool_status status = options->backend.backend == BACKEND_CPU
                                   ? bench_speed(settings, &error)
                                   : bench_device(settings, &error);
    return status == TOOL_MALFORMED ? command_usage_error(options, "%s", error.message) : status;
}

tool_status command_bench(const tool_options *options) {
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
    return measure(options, &settings);
}
