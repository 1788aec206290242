/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMPETITORS_H
#define CUMSUM_TOOLS_COMPETITORS_H

/* Other implementations on the same workloads, measured by competitors.py in a process of its own.
 */

#include "child_process.h"
#include "error.h"
#include "workload.h"

#define COMPETITORS_MAX 3

typedef struct competitor {
    const char *name;
    char version[64];  /* "" if it is missing */
    char missing[256]; /* why; "" if it is not */
} competitor;

typedef struct competitors {
    uint32_t count; /* 0: none asked for */
    competitor list[COMPETITORS_MAX];
    child_process *process;
} competitors;

/* What a competitor did with an entry. */
typedef struct competitor_time {
    double seconds;   /* per call; 0: it cannot do this */
    char reason[128]; /* why not */
} competitor_time;

/*
 * Starts the script, with $PYTHON or python3, for a list of names separated by commas: numpy,
 * torch, onnxruntime. A competitor that is not installed is listed with the reason. TOOL_MALFORMED
 * for any other name; TOOL_ENVIRONMENT if Python or the script is missing.
 */
tool_status competitors_begin(competitors *r, const char *names, tool_error *error);

/* Fills times[r->count]. A competitor has an order of additions of its own, so entry->order does
 * not matter. */
tool_status competitors_measure(competitors *r, const workload_entry *entry, uint32_t repetitions,
                                competitor_time *times, tool_error *error);

void competitors_end(competitors *r);

#endif
