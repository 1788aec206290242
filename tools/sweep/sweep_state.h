/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_STATE_H
#define CUMSUM_TOOLS_SWEEP_STATE_H

/* What becomes of a case in a sweep. */

#include <stdbool.h>
#include <stdint.h>

typedef enum sweep_state {
    /* What happened. */
    SWEEP_PASS,
    SWEEP_FAIL,
    SWEEP_NOT_SUPPORTED, /* the backend does not compute such sums, or memory is short */
    SWEEP_CRASH,         /* the device was lost, its driver failed, or the process ended */
    SWEEP_TIMEOUT,
    /* What it means beside a baseline and waivers. */
    SWEEP_KNOWN,      /* the failure that the baseline has */
    SWEEP_UNEXPECTED, /* something else than the failure that the baseline has; a pass too */
    SWEEP_WAIVED,     /* a failure that somebody has taken note of */
    SWEEP_STATES
} sweep_state;

/* "pass", "fail", "not-supported", "crash", "timeout", "known", "unexpected", "waived" */
const char *sweep_state_name(sweep_state state);

/* The state of this name; false where there is none. */
bool sweep_state_find(const char *name, sweep_state *state);

/* Did the case do what it must not: fail, crash or timeout? */
bool sweep_state_is_failure(sweep_state state);

/* Does it fail the sweep? A failure does, and what is unexpected. */
bool sweep_state_fails_sweep(sweep_state state);

/* How many cases there are of each state. */
typedef struct sweep_tally {
    uint64_t states[SWEEP_STATES];
    uint64_t flaky; /* that passed at a second or later attempt */
} sweep_tally;

/* Cases of a tally: `passed`, those that fail the sweep, and the others. */
uint64_t sweep_tally_passed(const sweep_tally *tally);
uint64_t sweep_tally_failed(const sweep_tally *tally);
uint64_t sweep_tally_skipped(const sweep_tally *tally);

#endif
