/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_TIMES_H
#define CUMSUM_TOOLS_SWEEP_TIMES_H

/* Where the time of cases goes: what is the backend's, by the clock, and what is the suite's own,
 * by the processor's time that it took: that is one core's, whatever else the machine does. */

#include <stdint.h>

typedef struct sweep_times {
    uint64_t elements;   /* outputs */
    uint64_t generation; /* nanoseconds, as the following: the input and the bytes around it */
    uint64_t reference;  /* what must come out */
    uint64_t execution;  /* on the backend, with the copies to and from it */
    uint64_t comparison; /* of the whole buffer, with what is said of a failure */
} sweep_times;

/* Nanoseconds on a clock that only goes forward. */
uint64_t sweep_clock(void);

/* Nanoseconds that this thread has computed. */
uint64_t sweep_thread_clock(void);

/* The computing time since *since, which becomes now. */
uint64_t sweep_lap(uint64_t *since);

void sweep_times_add(sweep_times *sum, const sweep_times *more);

/* Elements a second that the suite itself handles: without the execution. 0 where nothing was. */
double sweep_speed(const sweep_times *times);

#endif
