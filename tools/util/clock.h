/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CLOCK_H
#define CUMSUM_TOOLS_CLOCK_H

/* A clock for measurements and deadlines. */

#include <limits.h>
#include <stdint.h>
#include <time.h>

/* Nanoseconds on a clock that only goes forward. */
static inline uint64_t clock_monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Milliseconds until `end` on this clock, for poll; -1 for UINT64_MAX, which is never. */
static inline int clock_left(uint64_t end) {
    const uint64_t now = clock_monotonic();
    const uint64_t left = now >= end ? 0 : (end - now) / 1000000 + 1;
    return left < INT_MAX ? (int)left : end == UINT64_MAX ? -1 : INT_MAX;
}

#endif
