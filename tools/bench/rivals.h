/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RIVALS_H
#define CUMSUM_TOOLS_RIVALS_H

/* Other implementations on the same workloads, measured by rivals.py in a process of its own. */

#include <stdio.h>
#include <sys/types.h>

#include "error.h"
#include "workload.h"

#define RIVALS_MAX 3

typedef struct rival {
    char name[32];
    char version[64]; /* "" where it is not there */
    char missing[256];
} rival;

typedef struct rivals {
    uint32_t count; /* 0: none asked for */
    rival list[RIVALS_MAX];
    pid_t process;
    FILE *requests;
    FILE *answers;
} rivals;

/* What a rival did with an entry. */
typedef struct rival_time {
    double seconds;   /* a call; 0: it cannot do this */
    char reason[128]; /* why not */
} rival_time;

/*
 * Starts the script for a list of names separated by commas: numpy, torch, onnxruntime. What is not
 * installed is in the list with the reason.
 * Returns TOOL_MALFORMED for any other name; TOOL_ENVIRONMENT where there is no Python or no
 * script.
 */
tool_status rivals_begin(rivals *r, const char *names, tool_error *error);

/* The order of additions is a rival's own. Fills times[r->count]. */
tool_status rivals_measure(rivals *r, const workload_entry *entry, uint32_t repetitions,
                           rival_time *times, tool_error *error);

void rivals_end(rivals *r);

#endif
