/* SPDX-License-Identifier: MIT */
/* What the commands sweep, merge and compare do with the problems of results, and the JUnit and
 * HTML reports of sweep and merge. */
#include "results_reports.h"

#include "page_records.h"

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

bool results_reports_wanted(const tool_options *options) {
    return options->report.junit || options->html;
}

tool_status results_reports(report *r, const tool_options *options, const sweep_results *results,
                            tool_error *error) {
    if (r->junit)
        sweep_results_junit(results, r->junit);
    return options->html ? page_of_sweep(results, options->html, error) : TOOL_OK;
}
