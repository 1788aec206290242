/* SPDX-License-Identifier: MIT */
/*
 * Starts a thread pool, or says why it cannot. pthreadpool ignores the failure of pthread_create
 * and then waits forever for a thread that never started. So the same number of threads is started
 * and ended once before, and a pool is made only if that worked. Another process may take the last
 * threads in between; that is rare, and cannot be prevented here.
 *
 * THREADS_ARE_TRIED is defined if pthreadpool has threads and the system has pthreads.
 */
#include "pool_start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef THREADS_ARE_TRIED
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* The body of a trial thread: waits until all have started. */
static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Starts `count` threads that exist at the same time, then ends them. Returns 0 or an errno. */
static int try_threads(pthread_t *threads, uint32_t count) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    uint32_t started = 0;
    int failure = 0;
    pthread_mutex_lock(&gate);
    while (started < count && !failure) {
        failure = pthread_create(&threads[started], NULL, wait_at, &gate);
        started += failure ? 0 : 1;
    }
    pthread_mutex_unlock(&gate);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return failure;
}

static uint32_t count_of(uint32_t threads) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return threads ? threads : processors > 0 ? (uint32_t)processors : 1;
}

/* Why `count` threads cannot be started, as an errno, or 0. The caller is one of them. */
static int find_failure(uint32_t count) {
    if (count == 1)
        return 0;
    pthread_t *threads = calloc(count - 1, sizeof *threads);
    const int failure = threads ? try_threads(threads, count - 1) : ENOMEM;
    free(threads);
    return failure;
}
#else
static uint32_t count_of(uint32_t threads) {
    return threads;
}

static int find_failure(uint32_t count) {
    (void)count;
    return 0;
}
#endif

static void explain(uint32_t threads, uint32_t count, int failure, char *message) {
    char what[64];
    if (threads)
        snprintf(what, sizeof what, "%u threads", threads);
    else if (count)
        snprintf(what, sizeof what, "a thread for each of the %u processors", count);
    else
        snprintf(what, sizeof what, "a thread for each processor");
    snprintf(message, POOL_MESSAGE_SIZE, "cannot start %s: %s", what, strerror(failure));
}

int pool_start(uint32_t threads, pthreadpool_t *pool, char message[POOL_MESSAGE_SIZE]) {
    const uint32_t count = count_of(threads);
    int failure = find_failure(count);
    *pool = failure ? NULL : pthreadpool_create(count);
    if (!failure && !*pool)
        failure = ENOMEM;
    if (failure)
        explain(threads, count, failure, message);
    return failure;
}
