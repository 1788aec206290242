/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_REPORTS_H
#define CUMSUM_TOOLS_RESULTS_REPORTS_H

/* The JUnit and HTML reports of a sweep's results, for the commands sweep and merge. */

#include "merge.h"
#include "options.h"
#include "report.h"
#include "text.h"

/* Are reports of results asked for? */
bool results_reports_wanted(const tool_options *options);

/* Adds results to the JUnit file and writes the page, as far as they are asked for. */
void results_reports(report *r, const tool_options *options, const results_merge *merge);

/* The same of the results that a sweep has written: into the file of --output, or into `kept`.
 * There may be none. A report of one shard, or of a sweep that did not end, says so. */
void results_reports_of_sweep(report *r, const tool_options *options, const text_buffer *kept);

#endif
