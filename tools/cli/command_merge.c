/* SPDX-License-Identifier: MIT */
/* cumsum merge: joins the results of a sweep's shards into those of one sweep. */
#include <stdio.h>

#include "commands.h"
#include "merge.h"
#include "report.h"
#include "results_reports.h"
#include "text.h"

/* Reports the problems. With --allow-incomplete, missing or killed shards are only remarks. */
static void report_all_problems(report *r, const tool_options *options,
                                const sweep_results *results) {
    for (size_t i = 0; i < results->problem_count; i++) {
        const results_problem *problem = &results->problems[i];
        if (problem->incomplete && options->allow_incomplete) {
            fputs("cumsum: incomplete: ", stderr);
            text_show(stderr, problem->message);
            putc('\n', stderr);
        } else {
            report_error(r, problem->status, NULL, problem->message);
        }
    }
}

/* If no file and no report is asked for, standard output gets the results and nothing else. */
static bool is_stream(const tool_options *options) {
    return !options->output && !results_reports_wanted(options);
}

static void write_results(report *r, const tool_options *options, const sweep_results *results) {
    tool_error error;
    tool_status status = TOOL_OK;
    if (options->output)
        status = sweep_results_write(results, options->output, &error);
    else if (is_stream(options))
        sweep_results_print(results, stdout);
    if (status != TOOL_OK)
        report_error(r, status, NULL, error.message);
    results_reports(r, options, results);
}

/* Results on standard output are JSON lines. A summary line after them would not be a result. */
static tool_status end_merge(report *r, const tool_options *options) {
    bool stream = is_stream(options) && !r->malformed && !r->environment;
    return stream ? report_status(r) : report_close(r);
}

tool_status command_merge(const tool_options *options) {
    report r;
    tool_error error;
    sweep_results results = {0};
    if (!options->file_count)
        return command_usage_error(options, "no FILE is given");
    tool_status status = report_open(&r, &options->report, &error);
    if (status != TOOL_OK) {
        report_error(&r, status, NULL, error.message);
        return report_close(&r);
    }
    for (size_t i = 0; i < options->file_count; i++)
        sweep_results_read(&results, options->files[i]);
    sweep_results_join(&results);
    report_all_problems(&r, options, &results);
    if (!r.malformed && !r.environment) {
        write_results(&r, options, &results);
        r.passed = sweep_counts_passed(&results.counts);
        r.failed = sweep_counts_failed(&results.counts);
        r.skipped = sweep_counts_skipped(&results.counts);
        r.ran = results.counts.states[SWEEP_KNOWN] + results.counts.states[SWEEP_WAIVED] > 0;
    }
    sweep_results_free(&results);
    return end_merge(&r, options);
}
