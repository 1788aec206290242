/* SPDX-License-Identifier: MIT */
/* The JUnit and HTML reports of a sweep's results, for the commands sweep and merge. */
#include "results_reports.h"

#include "file.h"
#include "merge.h"
#include "page_records.h"

bool results_reports_wanted(const tool_options *options) {
    return options->report.junit || options->html;
}

void results_reports(report *r, const tool_options *options, const sweep_results *results) {
    tool_error error;
    if (r->junit)
        sweep_results_junit(results, r->junit);
    if (options->html) {
        tool_status status = page_of_sweep(results, options->html, &error);
        if (status != TOOL_OK)
            report_error(r, status, NULL, error.message);
    }
}

/* Reports the problems of the results, but not that they are incomplete. */
static void report_problems(report *r, const sweep_results *results) {
    for (size_t i = 0; i < results->problem_count; i++)
        if (!results->problems[i].incomplete)
            report_error(r, results->problems[i].status, NULL, results->problems[i].message);
}

void results_reports_of_sweep(report *r, const tool_options *options, const text_buffer *kept) {
    sweep_results results = {0};
    const char *path = options->output;
    if (kept->text)
        sweep_results_read_text(&results, "the results", kept->text, kept->length);
    else if (path && file_exists(path))
        sweep_results_read(&results, path);
    else
        return;
    sweep_results_join(&results);
    report_problems(r, &results);
    if (!sweep_results_wrong(&results))
        results_reports(r, options, &results);
    sweep_results_free(&results);
}
