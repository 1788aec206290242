/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMPETITORS_H
#define CUMSUM_TOOLS_COMPETITORS_H

#include "child_process.h"
#include "error.h"
#include "workload.h"

/* Other implementations on the same workloads, measured by competitors.py in a process of its own.
 */

#define COMPETITORS_MAX 3

typedef struct competitor {
    char name[32];
    char version[64]; /* "" where it is not there */
    char missing[256];
} competitor;

typedef struct competitors {
    uint32_t count; /* 0: none asked for */
    competitor list[COMPETITORS_MAX];
    child_process *process;
} competitors;

/* What a competitor did with an entry. */
typedef struct competitor_time {
    double seconds;   /* a call; 0: it cannot do this */
    char reason[128]; /* why not */
} competitor_time;

/*
 * Starts the script for a list of names separated by commas: numpy, torch, onnxruntime. What is not
 * installed is in the list with the reason.
 * Returns TOOL_MALFORMED for any other name; TOOL_ENVIRONMENT where there is no Python or no
 * script.
 */
tool_status competitors_begin(competitors *r, const char *names, tool_error *error);

/* The order of additions is a competitor's own. Fills times[r->count]. */
tool_status competitors_measure(competitors *r, const workload_entry *entry, uint32_t repetitions,
                                competitor_time *times, tool_error *error);

void competitors_end(competitors *r);

/* The process that runs competitors.py. */

/* Finds the script (beside the installed program, or in the source tree) and starts it with $PYTHON
 * or python3. TOOL_ENVIRONMENT where one of them is missing. */
tool_status competitors_start(competitors *r, const char *names, tool_error *error);

/* Closes what the process reads, and waits for its end. */
void competitors_stop(competitors *r);

#endif
