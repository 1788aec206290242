/* SPDX-License-Identifier: MIT */
#include "sweep_times.h"

#include <time.h>

/* Windows counts the time of threads in steps of 16 ms: too coarse for small cases. */
#ifdef _WIN32
#define THREAD_CLOCK CLOCK_MONOTONIC
#else
#define THREAD_CLOCK CLOCK_THREAD_CPUTIME_ID
#endif

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t sweep_clock(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t sweep_thread_clock(void) {
    return read_clock(THREAD_CLOCK);
}

uint64_t sweep_lap(uint64_t *since) {
    const uint64_t now = sweep_thread_clock();
    const uint64_t lap = now - *since;
    *since = now;
    return lap;
}

void sweep_times_add(sweep_times *sum, const sweep_times *more) {
    sum->elements += more->elements;
    sum->generation += more->generation;
    sum->reference += more->reference;
    sum->execution += more->execution;
    sum->comparison += more->comparison;
}

double sweep_speed(const sweep_times *times) {
    const uint64_t own = times->generation + times->reference + times->comparison;
    return own ? (double)times->elements * 1e9 / (double)own : 0;
}
