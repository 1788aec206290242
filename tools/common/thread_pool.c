/* SPDX-License-Identifier: MIT */
#include "thread_pool.h"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <pthread.h>
#include <unistd.h>

#include "memory.h"

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Why so many threads cannot be there at a time; 0: they can. */
static int try_threads(size_t count) {
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *threads = tool_calloc(count, sizeof *threads);
    size_t started = 0;
    int failure = 0;
    pthread_mutex_lock(&gate);
    while (started < count && !failure) {
        failure = pthread_create(&threads[started], NULL, wait_at, &gate);
        started += failure ? 0 : 1;
    }
    pthread_mutex_unlock(&gate);
    while (started > 0) {
        pthread_join(threads[--started], NULL);
    }
    free(threads);
    return failure;
}

/* pthreadpool does not look whether a thread has started, and would wait for it for ever: so it is
 * tried before. The caller is one of the threads. */
static int find_failure(uint32_t threads) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t count = threads ? threads : processors > 0 ? (size_t)processors : 1;
    return try_threads(count - 1);
}
#else
static int find_failure(uint32_t threads) {
    (void)threads;
    return 0;
}
#endif

pthreadpool_t thread_pool_start(uint32_t threads, tool_error *error) {
    const int failure = find_failure(threads);
    pthreadpool_t pool = failure ? NULL : pthreadpool_create(threads);
    if (!pool) {
        tool_fail(error, TOOL_ENVIRONMENT, "cannot start %u threads%s%s", threads,
                  failure ? ": " : "", failure ? strerror(failure) : "");
    }
    return pool;
}
