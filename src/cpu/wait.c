/* SPDX-License-Identifier: MIT */
/*
 * Exponential back-off on a condition variable: with pthreads, and with a slim reader/writer lock
 * on Windows (Vista and later), which needs no destruction.
 *
 * The lock makes `over` and the start of a wait one step: cumsum_backoff_end, which takes the lock
 * too, either comes before the check and `over` is seen, or finds the thread waiting and wakes it.
 */
#include "wait.h"

#if defined(__wasi__) /* one thread waits for nobody */

void cumsum_wait_yield(void) {
}

void cumsum_backoff_init(cumsum_backoff *backoff) {
    (void)backoff;
}

void cumsum_backoff_destroy(cumsum_backoff *backoff) {
    (void)backoff;
}

void cumsum_backoff_wait(cumsum_backoff *backoff, unsigned attempt, bool (*over)(void *context),
                         void *context) {
    (void)backoff;
    (void)attempt;
    (void)over;
    (void)context;
}

void cumsum_backoff_end(cumsum_backoff *backoff) {
    (void)backoff;
}

#else

/* 1, 2, 4, ... milliseconds. 64 is several time slices of any system's scheduler. */
static unsigned milliseconds_of(unsigned attempt) {
    return 1u << (attempt < 6 ? attempt : 6);
}

#if defined(_WIN32)

void cumsum_wait_yield(void) {
    SwitchToThread();
}

void cumsum_backoff_init(cumsum_backoff *backoff) {
    InitializeSRWLock(&backoff->lock);
    InitializeConditionVariable(&backoff->ended);
}

void cumsum_backoff_destroy(cumsum_backoff *backoff) {
    (void)backoff;
}

void cumsum_backoff_wait(cumsum_backoff *backoff, unsigned attempt, bool (*over)(void *context),
                         void *context) {
    AcquireSRWLockExclusive(&backoff->lock);
    if (!over(context))
        SleepConditionVariableSRW(&backoff->ended, &backoff->lock, milliseconds_of(attempt), 0);
    ReleaseSRWLockExclusive(&backoff->lock);
}

void cumsum_backoff_end(cumsum_backoff *backoff) {
    AcquireSRWLockExclusive(&backoff->lock);
    WakeAllConditionVariable(&backoff->ended);
    ReleaseSRWLockExclusive(&backoff->lock);
}

#else

#include <sched.h>
#include <time.h>

void cumsum_wait_yield(void) {
    sched_yield();
}

void cumsum_backoff_init(cumsum_backoff *backoff) {
    pthread_mutex_init(&backoff->lock, NULL);
    pthread_cond_init(&backoff->ended, NULL);
}

void cumsum_backoff_destroy(cumsum_backoff *backoff) {
    pthread_cond_destroy(&backoff->ended);
    pthread_mutex_destroy(&backoff->lock);
}

static struct timespec milliseconds_from_now(unsigned milliseconds) {
    struct timespec end = {0};
    timespec_get(&end, TIME_UTC);
    end.tv_nsec += (long)milliseconds * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000;
    }
    return end;
}

/* The deadline is on the wall clock. If that clock is set during a wait, the wait is shorter or
 * longer, which costs time and nothing else. */
void cumsum_backoff_wait(cumsum_backoff *backoff, unsigned attempt, bool (*over)(void *context),
                         void *context) {
    const struct timespec end = milliseconds_from_now(milliseconds_of(attempt));
    pthread_mutex_lock(&backoff->lock);
    if (!over(context))
        pthread_cond_timedwait(&backoff->ended, &backoff->lock, &end);
    pthread_mutex_unlock(&backoff->lock);
}

void cumsum_backoff_end(cumsum_backoff *backoff) {
    pthread_mutex_lock(&backoff->lock);
    pthread_cond_broadcast(&backoff->ended);
    pthread_mutex_unlock(&backoff->lock);
}

#endif
#endif
