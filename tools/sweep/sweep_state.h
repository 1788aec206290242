/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_STATE_H
#define CUMSUM_TOOLS_SWEEP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "name_set.h"

/* What becomes of a case in a sweep. */

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

/* Names of cases, each with a state. All zero is an empty map. */

typedef struct state_map {
    name_set names;
    sweep_state *states; /* one for each of the names */
    size_t room;
} state_map;

/* False where the name is there already: its state is left as it is. */
bool state_map_add(state_map *map, const char *name, sweep_state state);

/* False where the name is not there. */
bool state_map_find(const state_map *map, const char *name, sweep_state *state);

void state_map_free(state_map *map);

/* Where the time of cases goes: what is the backend's, by the clock, and what is the suite's own,
 * by the processor's time that it took: that is one core's, whatever else the machine does. */

typedef struct sweep_times {
    uint64_t elements;   /* outputs */
    uint64_t generation; /* nanoseconds, as the following: the input and the bytes around it */
    uint64_t reference;  /* what must come out */
    uint64_t execution;  /* on the backend, with the copies to and from it */
    uint64_t comparison; /* of the whole buffer, with what is said of a failure */
} sweep_times;

void sweep_times_add(sweep_times *sum, const sweep_times *more);

/* Elements a second that the suite itself handles: without the execution. 0 where nothing was. */
double sweep_speed(const sweep_times *times);

/*
 * A part of a sweep. A case belongs to the shard that its name alone decides, so that leaving one
 * out moves no other.
 */

typedef struct sweep_shard {
    uint32_t index; /* from 0 on */
    uint32_t count; /* 1: all of it */
} sweep_shard;

/*
 * The shard of `option`, "I/N" with I from 1 to N. Where that is NULL, the one that a scheduler's
 * environment names, whichever is there first:
 *     GTEST_SHARD_INDEX, GTEST_TOTAL_SHARDS     Google Test's protocol
 *     TEST_SHARD_INDEX, TEST_TOTAL_SHARDS       Bazel; the file TEST_SHARD_STATUS_FILE is made
 *     SLURM_ARRAY_TASK_ID, ..._COUNT, ..._MIN   a Slurm job array, ..._STEP apart
 *     JOB_COMPLETION_INDEX, JOB_COMPLETIONS     a Kubernetes indexed Job, whose manifest sets the
 *                                               second to its completions
 * Where there is none, everything. TOOL_MALFORMED for values that are no shard; TOOL_ENVIRONMENT
 * where the status file cannot be made.
 */
tool_status sweep_shard_of(const char *option, sweep_shard *out, tool_error *error);

/* Does the case belong to the shard? */
bool sweep_shard_has(const sweep_shard *shard, const char *name);

#endif
