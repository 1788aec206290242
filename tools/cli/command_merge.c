/* SPDX-License-Identifier: MIT */
/* cumsum merge: joins the results of a sweep's shards into those of one sweep. */
#include <stdio.h>

#include "commands.h"
#include "merge.h"
#include "report.h"
#include "results_reports.h"

/* If no file and no report is asked for, standard output gets the results and nothing else. */
static tool_status write_results(report *r, const tool_options *options,
                                 const sweep_results *results, tool_error *error) {
    sweep_counts_report(&results->counts, r);
    r->silent = !options->output && !results_reports_wanted(options);
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
