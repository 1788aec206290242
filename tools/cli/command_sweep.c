/* SPDX-License-Identifier: MIT */
/* cumsum sweep: executes cases of the suite, then writes the requested reports. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "file.h"
#include "report.h"
#include "results_reports.h"
#include "sweep.h"
#include "text.h"

static uint32_t jobs_of(const sweep_settings *settings) {
    const long cores = settings->jobs ? 0 : sysconf(_SC_NPROCESSORS_ONLN);
    return settings->jobs ? settings->jobs : cores > 1 ? (uint32_t)cores : 1;
}

static tool_status check_stress(const tool_options *options, tool_error *error) {
    const uint32_t jobs = jobs_of(&options->sweep);
    const uint32_t runs = options->sweep.runs;
    if (jobs < 2) {
        return tool_fail(error, TOOL_MALFORMED,
                         "option --stress needs --jobs 2 or more, which run a case at once");
    }
    if (runs && runs < jobs) {
        return tool_fail(
            error, TOOL_MALFORMED,
            "option --stress needs --runs %" PRIu32 " or more: each job runs a case once", jobs);
    }
    return TOOL_OK;
}

tool_status command_check_sweep(const tool_options *options, tool_error *error) {
    if (options->sweep.resume && !options->output)
        return tool_fail(error, TOOL_MALFORMED, "option --resume needs --output");
#ifdef _WIN32
    if (options->sweep.jobs > 1)
        return tool_fail(error, TOOL_MALFORMED, "option --jobs is not for Windows");
#endif
    return options->sweep.stress ? check_stress(options, error) : TOOL_OK;
}

/* The reports of the results in the file of --output, or in `kept`. The report of one shard, or of
 * a sweep that did not end, says that it is incomplete. */
static tool_status report_results(report *r, const tool_options *options, const text_buffer *kept,
                                  tool_error *error) {
    sweep_results results = {0};
    tool_status status = TOOL_OK;
    if (kept->text)
        sweep_results_read_text(&results, "the results", kept->text, kept->length);
    else
        sweep_results_read(&results, options->output);
    sweep_results_join(&results);
    if (!sweep_results_wrong(&results))
        status = results_reports(r, options, &results, error);
    else
        (void)results_usable(r, options, &results);
    sweep_results_free(&results);
    return status;
}

tool_status command_sweep(const tool_options *options, report *r, tool_error *error) {
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
    const bool has_results = kept.text || (options->output && file_exists(options->output));
    const tool_status status =
        reported && began && has_results ? report_results(r, options, &kept, error) : TOOL_OK;
    free(kept.text);
    return status;
}
