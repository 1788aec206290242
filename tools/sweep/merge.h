/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MERGE_H
#define CUMSUM_TOOLS_MERGE_H

#include <stdio.h>

#include "junit.h"
#include "results.h"

typedef struct merged_case {
    const char *name;
    const results_case *result;
} merged_case;

/* The results as those of one sweep without shards. */
typedef struct results_merge {
    const sweep_results *results;
    merged_case *cases;  /* by name, numbers in names by their value */
    json_object *header; /* the first line; "runs" is what the parts have as "run" */
    json_object *footer; /* the last line */
} results_merge;

/* The same whatever the order of the parts. r must have no problems but that it is incomplete, and
 * at least one part; results_merge_end frees what was made. */
void results_merge_begin(results_merge *merge, const sweep_results *r);
void results_merge_end(results_merge *merge);

/* Writes all lines to a file, which appears whole or not at all. TOOL_ENVIRONMENT on failure. */
tool_status results_merge_write(const results_merge *merge, const char *path, tool_error *error);

void results_merge_print(const results_merge *merge, FILE *out);

/*
 * Adds a sweep's results to a log: a suite for each data type, a case for each case. What failed or
 * is unexpected is a failure, a crash or a timeout an error; what is not supported, known or waived
 * is skipped, with the reason. What the sweep ran on is in the properties.
 */
void results_junit(junit_log *log, const results_merge *merge);

#endif
