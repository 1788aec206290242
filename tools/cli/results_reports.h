/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_REPORTS_H
#define CUMSUM_TOOLS_RESULTS_REPORTS_H

/* The problems and the reports of results, for the commands sweep, merge and compare. */

#include "merge.h"
#include "options.h"
#include "report.h"

/* Reports what is wrong with joined results or missing from them. With --allow-incomplete, missing
 * or killed shards are only remarks. Returns whether the results can be used. */
bool results_usable(report *r, const tool_options *options, const sweep_results *results);

/* Is --junit or --html given? */
bool results_reports_wanted(const tool_options *options);

/* Adds the results to the JUnit file if --junit is given, and writes the page if --html is. */
tool_status results_reports(report *r, const tool_options *options, const sweep_results *results,
                            tool_error *error);

#endif
