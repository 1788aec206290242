/* SPDX-License-Identifier: MIT */
/* cumsum sweep: executes cases of the suite, then writes the requested reports. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "report.h"
#include "results_reports.h"
#include "sweep.h"

static uint32_t jobs_of(const sweep_settings *settings) {
    const long cores = settings->jobs ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return settings->jobs ? settings->jobs : cores > 1 ? (uint32_t)cores : 1;
}

static tool_status check_stress(const tool_options *options) {
    const uint32_t jobs = jobs_of(&options->sweep);
    const uint32_t runs = options->sweep.runs;
    if (jobs < 2) {
        return command_usage_error(options, "option --stress needs --jobs 2 or more, which run a "
                                            "case at once");
    }
    if (runs && runs < jobs) {
        return command_usage_error(
            options, "option --stress needs --runs %" PRIu32 " or more: each job runs a case once",
            jobs);
    }
    return TOOL_OK;
}

static tool_status check_usage(const tool_options *options) {
    if (!options->file_count)
        return command_usage_error(options, "no NAME, PATTERN or list is given");
    if (options->sweep.resume && !options->output)
        return command_usage_error(options, "option --resume needs --output");
#ifdef _WIN32
    if (options->sweep.jobs > 1)
        return command_usage_error(options, "option --jobs is not for Windows");
#endif
    const tool_status usage = options->sweep.stress ? check_stress(options) : TOOL_OK;
    return usage == TOOL_OK ? command_device_options(options) : usage;
}

static void run(const tool_options *options, report *r) {
    sweep_settings settings = options->sweep;
    text_buffer kept = {0};
    const bool reported = results_reports_wanted(options);
    settings.invocation = options->invocation;
    settings.cases = options->files;
    settings.case_count = options->file_count;
    settings.output = options->output;
    settings.jobs = jobs_of(&options->sweep);
    if (settings.stress && !settings.runs)
        settings.runs = settings.jobs;
    const bool began =
        sweep_run(&settings, &options->backend, r, reported && !options->output ? &kept : NULL);
    if (reported && began)
        results_reports_of_sweep(r, options, &kept);
    free(kept.text);
}

tool_status command_sweep(const tool_options *options) {
    report r;
    tool_error error;
    const tool_status usage = check_usage(options);
    if (usage != TOOL_OK)
        return usage;
    const tool_status status = report_open(&r, &options->report, &error);
    if (status == TOOL_OK)
        run(options, &r);
    else
        report_error(&r, status, NULL, error.message);
    return report_close(&r);
}
