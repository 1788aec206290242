/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_RESULT_H
#define CUMSUM_TOOLS_MINIMIZE_RESULT_H

/* The case that is left at the end: executed once more, judged, written and shown. */

#include "report.h"
#include "shrink.h"
#include "sweep_case.h"

typedef struct minimize_found {
    const executor *executor;
    const char *origin; /* the name or file that was given */
    const char *stem;   /* of the files that are written */
    uint64_t elements;  /* of the case that was given */
    const shrinker *shrinker;
} minimize_found;

/* Counts a failure, or reports the error. */
void minimize_report(report *r, const minimize_found *found);

#endif
