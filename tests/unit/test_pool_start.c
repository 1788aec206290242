/* SPDX-License-Identifier: MIT */
/*
 * pool_start when the system refuses to start threads: the message, and that the threads that did
 * start have ended. pthread_create and sysconf are replaced (--wrap) for pool_start.c; pthreadpool
 * itself calls the real pthread_create.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "failing_memory.h"
#include "pool_start.h"

/* The wrapped names are exported, because the linker lets shared libraries call them too. */
#define VISIBLE __attribute__((visibility("default")))

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);
VISIBLE int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                  void *(*start)(void *), void *argument);
long __real_sysconf(int name);
VISIBLE long __wrap_sysconf(int name);

static int startable = INT_MAX; /* threads that the system starts before it refuses one */
static atomic_int tried;        /* by several threads, in other tests */
static long processors;         /* 0: as many as there are */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument) {
    return ++tried > startable ? EAGAIN
                               : __real_pthread_create(thread, attributes, start, argument);
}

long __wrap_sysconf(int name) {
    return name == _SC_NPROCESSORS_ONLN && processors ? processors : __real_sysconf(name);
}

static void end(void) {
    startable = INT_MAX;
    processors = 0;
    failing_memory_at(0);
}

/* A thread that started and did not end would keep the process from exiting. */
static void threads_are_started_or_refused(void) {
    static const struct {
        uint32_t threads;
        int startable;
        long processors;
        int failure;
        int tried; /* the caller is one of the threads */
        const char *message;
    } cases[] = {
        {4, 100, 3, 0, 3, ""},
        {1, 0, 3, 0, 0, ""},
        {0, 100, 3, 0, 2, ""}, /* a thread for each processor */
        {0, 100, -1, 0, 0, ""},
        {5, 0, 3, EAGAIN, 1, "cannot start 5 threads: Resource temporarily unavailable"},
        {5, 3, 3, EAGAIN, 4, "cannot start 5 threads: Resource temporarily unavailable"},
        {0, 1, 3, EAGAIN, 2,
         "cannot start a thread for each of the 3 processors: Resource temporarily unavailable"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[POOL_MESSAGE_SIZE] = "";
        pthreadpool_t pool = (pthreadpool_t)(void *)&pool;
        tried = 0;
        startable = cases[i].startable;
        processors = cases[i].processors;
        assert_int_equal(pool_start(cases[i].threads, &pool, message), cases[i].failure);
        assert_string_equal(message, cases[i].message);
        assert_int_equal(tried, cases[i].tried);
        assert_int_equal(pool != NULL, !cases[i].failure);
        if (pool)
            assert_int_equal(pthreadpool_get_threads_count(pool), cases[i].tried + 1);
        if (pool)
            pthreadpool_destroy(pool);
    }
}

static void out_of_memory(void) {
    char message[POOL_MESSAGE_SIZE] = "";
    pthreadpool_t pool = NULL;
    tried = 0;
    failing_memory_at(1);
    const int failure = pool_start(5, &pool, message);
    failing_memory_at(0);
    assert_int_equal(failure, ENOMEM);
    assert_string_equal(message, "cannot start 5 threads: Cannot allocate memory");
    assert_int_equal(tried, 0);
}

CHECK_GROUP_WITH(test_pool_start, NULL, end, T(threads_are_started_or_refused), T(out_of_memory));
