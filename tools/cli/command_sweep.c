/* SPDX-License-Identifier: MIT */
/* cumsum sweep: executes cases of the suite, then writes the requested reports. With
 * isolation, a sweep starts this program as its worker, which executes the cases. */
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "report.h"
#include "results_reports.h"
#include "sweep.h"

static int check_usage(const tool_options *options) {
    if (!options->file_count)
        return command_usage_error(options, "no NAME, PATTERN or list is given");
    if (options->sweep.resume && !options->output)
        return command_usage_error(options, "option --resume needs --output");
#ifdef _WIN32
    if (options->sweep.jobs > 1)
        return command_usage_error(options, "option --jobs is not for Windows");
#endif
    return command_device_options(options);
}

static uint32_t cores(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (uint32_t)count : 1;
}

static void run(const tool_options *options, report *r) {
    sweep_settings settings = options->sweep;
    text_buffer kept = {0};
    const bool reported = results_reports_wanted(options);
    settings.invocation = options->invocation;
    settings.cases = options->files;
    settings.case_count = options->file_count;
    settings.output = options->output;
    if (!settings.jobs)
        settings.jobs = cores();
    const bool began =
        sweep_run(&settings, &options->backend, r, reported && !options->output ? &kept : NULL);
    if (reported && began)
        results_reports_of_sweep(r, options, &kept);
    free(kept.text);
}

int command_sweep(const tool_options *options) {
    report r;
    tool_error error;
    const int usage = check_usage(options);
    if (usage != TOOL_OK)
        return usage;
    const tool_status status = report_begin(&r, &options->report, &error);
    if (status == TOOL_OK)
        run(options, &r);
    else
        report_error(&r, status, NULL, error.message);
    return report_end(&r);
}

int command_sweep_worker(const tool_options *options) {
    return (int)sweep_worker_run(&options->backend, &options->sweep);
}
