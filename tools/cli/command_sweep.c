/* SPDX-License-Identifier: MIT */
/* cumsum sweep executes cases of the suite, merge joins the results of its shards, and minimize
 * reduces a failing case to a simple one that still fails: their options and reports. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "commands.h"
#include "minimize.h"
#include "report.h"
#include "sweep.h"

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

bool results_usable(report *r, const tool_options *options, const sweep_results *results) {
    bool usable = true;
    for (size_t i = 0; i < results->problem_count; i++) {
        const results_problem *problem = &results->problems[i];
        if (problem->incomplete && options->allow_incomplete) {
            report_message("incomplete: %s", problem->message);
        } else {
            report_error(r, problem->status, NULL, problem->message);
            usable = false;
        }
    }
    return usable;
}

tool_status results_reports(report *r, const tool_options *options, const sweep_results *results,
                            tool_error *error) {
    if (r->junit)
        sweep_results_junit(results, r->junit);
    return options->html ? page_of_sweep(results, options->html, error) : TOOL_OK;
}

/* The report of one shard, or of a sweep that did not end, says that it is incomplete. */
static tool_status report_results(report *r, const tool_options *options, sweep_results *results,
                                  tool_error *error) {
    sweep_results_join(results);
    if (!sweep_results_wrong(results))
        return results_reports(r, options, results, error);
    (void)results_usable(r, options, results);
    return TOOL_OK;
}

tool_status command_sweep(const tool_options *options, report *r, tool_error *error) {
    sweep_settings settings = options->sweep;
    sweep_results results;
    settings.invocation = options->invocation;
    settings.cases = options->files;
    settings.case_count = options->file_count;
    settings.output = options->output;
    settings.jobs = jobs_of(&options->sweep);
    settings.accept = options->accept;
    if (settings.stress && !settings.runs)
        settings.runs = settings.jobs;
    const bool began = sweep_run(&settings, &options->backend, r, &results);
    const tool_status status = began && (options->report.junit || options->html)
                                   ? report_results(r, options, &results, error)
                                   : TOOL_OK;
    sweep_results_free(&results);
    return status;
}

/* If no file and no report is asked for, standard output gets the results and nothing else. */
static tool_status write_results(report *r, const tool_options *options,
                                 const sweep_results *results, tool_error *error) {
    sweep_counts_report(&results->counts, r);
    r->silent = !options->output && !options->report.junit && !options->html;
    if (r->silent)
        sweep_results_print(results, stdout);
    const tool_status status =
        options->output ? sweep_results_write(results, options->output, error) : TOOL_OK;
    return status == TOOL_OK ? results_reports(r, options, results, error) : status;
}

tool_status command_merge(const tool_options *options, report *r, tool_error *error) {
    sweep_results results = {0};
    for (size_t i = 0; i < options->file_count; i++)
        sweep_results_read(&results, options->files[i]);
    sweep_results_join(&results);
    const tool_status status =
        results_usable(r, options, &results) ? write_results(r, options, &results, error) : TOOL_OK;
    sweep_results_free(&results);
    return status;
}

tool_status command_minimize(const tool_options *options, report *r, tool_error *error) {
    const minimize_settings settings = {.origin = options->files[0],
                                        .folder = options->output,
                                        .milliseconds = options->backend.timeout,
                                        .accept = options->accept};
    (void)error;
    minimize_run(&settings, &options->backend, r);
    return TOOL_OK;
}
