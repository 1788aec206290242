/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CLOCK_H
#define CUMSUM_TOOLS_CLOCK_H

/* Clocks, in nanoseconds. */

#include <stdint.h>

/* Nanoseconds on a clock that only goes forward. */
uint64_t clock_monotonic(void);

/* Nanoseconds that this thread has computed. */
uint64_t clock_thread(void);

/* The computing time since *since, which becomes now. */
uint64_t clock_lap(uint64_t *since);

#endif
