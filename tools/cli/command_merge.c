/* SPDX-License-Identifier: MIT */
/* cumsum merge: joins the results of a sweep's shards into those of one sweep. What it does with
 * problems of results, and with their reports, sweep and compare do, too. */
#include <stdio.h>

#include "commands.h"
#include "report.h"

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
