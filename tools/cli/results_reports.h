/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RESULTS_REPORTS_H
#define CUMSUM_TOOLS_RESULTS_REPORTS_H

#include "merge.h"
#include "report.h"

/* Are reports of results asked for? */
bool results_reports_wanted(const tool_options *options);

/* Adds results to the JUnit file and writes the page, as far as they are asked for. */
void results_reports(report *r, const results_merge *merge);

/* The same of the results that a sweep has written: into the file of --output, or into `text`.
 * There may be none. A report of one shard, or of a sweep that came to no end, says so. */
void results_reports_of_sweep(report *r, const char *text, size_t length);

/* Where nothing can be executed: one skipped case in the JUnit file says why. */
void results_reports_nothing(const report *r, const char *reason);

#endif
