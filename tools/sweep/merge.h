/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MERGE_H
#define CUMSUM_TOOLS_MERGE_H

/* The results of all shards as those of one sweep, as lines, and as a JUnit log. */

#include <stdio.h>

#include "junit.h"
#include "results.h"

/* What the failed ones of the cases that ran have in common (conjunction.h). */
json_object *sweep_results_common(const sweep_results *r);

/* Checks the results, after the last file, and joins them if nothing is wrong. */
void sweep_results_join(sweep_results *r);

/* Of joined results. */

void sweep_results_print(const sweep_results *r, FILE *out);

/* Writes all lines to a file, which appears whole or not at all. TOOL_ENVIRONMENT on failure. */
tool_status sweep_results_write(const sweep_results *r, const char *path, tool_error *error);

/*
 * Adds the results to a JUnit log, with one suite for each data type. A failed or unexpected case
 * is a failure; a crash or a timeout is an error; a case that is not supported, known or waived is
 * skipped, with the reason. The properties say what the sweep ran on.
 */
void sweep_results_junit(const sweep_results *r, junit_log *log);

#endif
