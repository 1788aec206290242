/* SPDX-License-Identifier: MIT */
/* cumsum minimize: reduces a case that fails on a backend to a simple one that still fails. */
#include "commands.h"
#include "minimize.h"
#include "report.h"

tool_status command_minimize(const tool_options *options) {
    report r;
    tool_error error;
    if (options->file_count != 1) {
        return command_usage_error(options, "exactly one NAME or FILE is needed, but %s given",
                                   options->file_count ? "several are" : "none is");
    }
    const tool_status usage = command_device_options(options);
    if (usage != TOOL_OK)
        return usage;
    const minimize_settings settings = {.origin = options->files[0],
                                        .folder = options->output,
                                        .milliseconds = options->backend.timeout};
    (void)report_open(&r, &options->report, &error); /* it can fail only with --junit */
    minimize_run(&settings, &options->backend, &r);
    return report_close_quietly(&r);
}
