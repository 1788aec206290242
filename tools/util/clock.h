/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CLOCK_H
#define CUMSUM_TOOLS_CLOCK_H

/* Clocks for measurements, in nanoseconds. */

#include <stdint.h>

/* Nanoseconds on a clock that only goes forward. */
uint64_t clock_monotonic(void);

/* Nanoseconds of processor time that this thread has used; on Windows the same as above. */
uint64_t clock_thread(void);

/* The difference between clock_thread() and *since, which becomes clock_thread(). */
uint64_t clock_lap(uint64_t *since);

#endif
