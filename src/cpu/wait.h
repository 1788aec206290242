/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_WAIT_H
#define CUMSUM_CPU_WAIT_H

/*
 * Waiting for another thread, in three stages: spin, yield the processor, back off with timed
 * waits. The first is for a thread that is running, the others are for one that is descheduled
 * because there are more threads than processors.
 *
 * No stage carries information between threads: callers check their own atomic variables before and
 * after, and stay correct if a wait ends early or late.
 */

#include <stdbool.h>

#if defined(_WIN32)
#include <windows.h>
typedef SRWLOCK cumsum_wait_lock;
typedef CONDITION_VARIABLE cumsum_wait_condition;
#elif defined(__wasi__) /* it has one thread, and no pthread.h */
typedef char cumsum_wait_lock;
typedef char cumsum_wait_condition;
#else
#include <pthread.h>
typedef pthread_mutex_t cumsum_wait_lock;
typedef pthread_cond_t cumsum_wait_condition;
#endif

/* Number of polls, each followed by cumsum_pause, before a waiting thread stops spinning. A pause
 * takes 40 to 140 cycles, so this is some hundred microseconds; work on a segment takes about ten.
 * A thread that takes so much longer is descheduled. */
#define CUMSUM_SPIN_LIMIT 10000u

/* Offers the processor to the other threads. */
void cumsum_wait_yield(void);

/* Threads that back off, and the means to wake all of them. */
typedef struct cumsum_backoff {
    cumsum_wait_lock lock;
    cumsum_wait_condition ended;
} cumsum_backoff;

void cumsum_backoff_init(cumsum_backoff *backoff);
void cumsum_backoff_destroy(cumsum_backoff *backoff);

/* Waits 2^attempt milliseconds, 64 at most, or until cumsum_backoff_end; returns at once if
 * over(context). */
void cumsum_backoff_wait(cumsum_backoff *backoff, unsigned attempt, bool (*over)(void *context),
                         void *context);

/* Wakes every waiting thread. To be called after `over` has become true, so that no thread starts a
 * wait that nothing ends. */
void cumsum_backoff_end(cumsum_backoff *backoff);

#endif
