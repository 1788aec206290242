/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_POLL_H
#define CUMSUM_CPU_POLL_H

/* Waiting for another thread that is at work on what is waited for. */

#if defined(_WIN32)
#include <windows.h>
#else
#include <sched.h>
#endif

/* After so many polls the other one must be without a processor: with pauses of 40 to 140 cycles
 * they take some hundred microseconds, where a part of a line takes ten. */
#define CUMSUM_POLLS 10000u

/* Lets others have the processor. */
static inline void cumsum_yield(void) {
#if defined(_WIN32)
    SwitchToThread();
#else
    sched_yield();
#endif
}

#endif
