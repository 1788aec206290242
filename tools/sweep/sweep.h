/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_H
#define CUMSUM_TOOLS_SWEEP_H

/* A sweep: many cases of the suite on one backend. This header has the settings and the
 * entry points; the other headers of the folder are its steps. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend.h"
#include "judged_output.h"
#include "name_set.h"
#include "report.h"
#include "results.h"
#include "shrink.h"

/* The patterns of an option that may be given several times. */
typedef struct pattern_list {
    const char **list;
    size_t count;
} pattern_list;

typedef struct sweep_settings {
    const char *invocation; /* the whole command line as a shell would read it */
    char **cases;           /* names, patterns, lists and files */
    size_t case_count;
    name_set given_names; /* of what these files have: dispatches of case files, and arrays */
    shrink_case *given;   /* the data of each name */
    const char *more;     /* further options that repeat a case: " --axis 1"; "" */
    const char *sum;      /* the axes of sums in the place of scans, or NULL */
    pattern_list exclude;
    const char *shard;    /* "I/N", or NULL */
    const char *output;   /* the file of results, or NULL */
    pattern_list against; /* files of earlier results */
    accept_choice accept;
    uint32_t runs; /* of each case; 0 is 1 */
    uint32_t jobs; /* runs of a case, or cases, that are executed at once, at least 1 */
} sweep_settings;

/*
 * Runs the cases, shows each and then the totals; errors and counts go to the report, which has
 * begun. before: earlier results to judge by, or NULL. Without a device every case is skipped.
 * Returns whether the results have their first line; they are joined then. The caller frees the
 * results in any case.
 */
bool sweep_run(const sweep_settings *settings, const backend_settings *backend, report *r,
               const sweep_results *before, sweep_results *results);

#endif
