/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_STATE_H
#define CUMSUM_TOOLS_SWEEP_STATE_H

/* The states of a sweep's cases, counts and times of them, and shards. */

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "report.h"
#include "word_table.h"

typedef enum sweep_state {
    /* Outcomes: what happened. */
    SWEEP_PASS,
    SWEEP_FAIL,
    SWEEP_NOT_SUPPORTED, /* the backend does not compute such sums, or memory is short */
    SWEEP_CRASH,         /* the device was lost, its driver failed, or the process ended */
    SWEEP_TIMEOUT,
    SWEEP_UNSTABLE, /* the same input gave different bits */
    SWEEP_SUSPECT,  /* other bits, which no known scan gives (docs/oracle.md, "SUSPECT") */
    /* States that earlier results give to an outcome. */
    SWEEP_KNOWN, /* a failure that is no worse than before */
    SWEEP_WORSE, /* no failure, but worse than before */
    SWEEP_STATES
} sweep_state;

/* "pass", "fail", "not-supported", "crash", "timeout", "unstable", "suspect", "known",
 * "worse" */
extern const word_row sweep_state_words[];
const char *sweep_state_name(sweep_state state);

/* Is it fail, crash, timeout, unstable or suspect? */
bool sweep_state_is_failure(sweep_state state);

/* Does the state fail the sweep? Failures do, and SWEEP_WORSE. */
bool sweep_state_fails_sweep(sweep_state state);

/* How many cases there are of each state. */
typedef struct sweep_counts {
    uint64_t states[SWEEP_STATES];
} sweep_counts;

/* Sets the report's counts of cases that passed, that fail the sweep, and of all others. */
void sweep_counts_report(const sweep_counts *counts, report *r);

/* A share of a sweep's cases. The name of a case alone decides its shard, so that leaving out a
 * case moves no other. */

typedef struct sweep_shard {
    uint32_t index; /* from 0 on */
    uint32_t count; /* 1: all cases */
} sweep_shard;

/* Reads `option`, "I/N" with I from 1 to N; NULL is 1/1. TOOL_MALFORMED for another text. */
tool_status sweep_shard_of(const char *option, sweep_shard *out, tool_error *error);

/* Does the case belong to the shard? */
bool sweep_shard_has(const sweep_shard *shard, const char *name);

#endif
