/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CLOCK_H
#define CUMSUM_TOOLS_CLOCK_H

/* A clock for measurements and deadlines. */

#include <stdint.h>

/* Nanoseconds on a clock that only goes forward. */
uint64_t clock_monotonic(void);

#endif
