/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_WAIT_TURN_H
#define CUMSUM_CPU_WAIT_TURN_H

/* Waiting for another thread that is at work on what is waited for. */

#if defined(_WIN32)
#include <windows.h>
#else
#include <sched.h>
#endif

/* Some microseconds of polling. After that the other one may well be waiting for a processor. */
#define CUMSUM_POLLS 1000u

static inline void cumsum_poll_pause(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static inline void cumsum_wait_turn(unsigned tries) {
    if (tries < CUMSUM_POLLS) {
        cumsum_poll_pause();
        return;
    }
#if defined(_WIN32)
    SwitchToThread();
#else
    sched_yield();
#endif
}

#endif
