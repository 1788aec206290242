/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_REPORTS_H
#define CUMSUM_TOOLS_RESULTS_REPORTS_H

/* The JUnit and HTML reports of a sweep's results, for the commands sweep and merge. */

#include "merge.h"
#include "options.h"
#include "report.h"
#include "text.h"

/* Is --junit or --html given? */
bool results_reports_wanted(const tool_options *options);

/* Adds the results to the JUnit file if --junit is given, and writes the page if --html is. */
void results_reports(report *r, const tool_options *options, const sweep_results *results);

/* Does the same for the results that a sweep has written, to the file of --output or to `kept`. If
 * there are none, it does nothing. The report of one shard, or of a sweep that did not end, says
 * that it is incomplete. */
void results_reports_of_sweep(report *r, const tool_options *options, const text_buffer *kept);

#endif
