/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MERGE_H
#define CUMSUM_TOOLS_MERGE_H

/* The results of all shards as those of one sweep: its lines, and a JUnit log of them. */

#include <stdio.h>

#include "junit.h"
#include "results.h"

typedef struct merged_case {
    const char *name;
    const results_case *result;
} merged_case;

/* The joined results, as if one shard had run all cases. */
typedef struct results_merge {
    const sweep_results *results;
    merged_case *cases;  /* by name, numbers in names by their value */
    json_object *header; /* its member "runs" lists the "run" of each file */
    json_object *footer; /* the last line */
} results_merge;

/* Does not depend on the order of the files. r has at least one file, and nothing in it is wrong;
 * it may be incomplete. results_merge_end frees the result. */
void results_merge_begin(results_merge *merge, const sweep_results *r);
void results_merge_end(results_merge *merge);

/* Writes all lines to a file, which appears whole or not at all. TOOL_ENVIRONMENT on failure. */
tool_status results_merge_write(const results_merge *merge, const char *path, tool_error *error);

void results_merge_print(const results_merge *merge, FILE *out);

/*
 * Adds the results to a JUnit log, with one suite for each data type. A failed or unexpected case
 * is a failure; a crash or a timeout is an error; a case that is not supported, known or waived is
 * skipped, with the reason. The properties say what the sweep ran on.
 */
void results_junit(junit_log *log, const results_merge *merge);

#endif
