/* SPDX-License-Identifier: MIT */
/* Reads the system's clocks. */
#include "clock.h"

#include <time.h>

/* Windows measures the time of threads in steps of 16 ms, which is too coarse for small cases.
 * Emscripten's time of the process counts on from any moment. */
#if defined(_WIN32) || defined(__EMSCRIPTEN__)
#define THREAD_CLOCK CLOCK_MONOTONIC
#else
#define THREAD_CLOCK CLOCK_THREAD_CPUTIME_ID
#endif

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t clock_monotonic(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t clock_thread(void) {
    return read_clock(THREAD_CLOCK);
}

uint64_t clock_lap(uint64_t *since) {
    const uint64_t now = clock_thread();
    const uint64_t lap = now - *since;
    *since = now;
    return lap;
}
