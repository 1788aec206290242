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

static void begin(void) {
    startable = 100;
    tried = 0;
    processors = 3;
    failing_memory_at(0);
}

static void end(void) {
    startable = INT_MAX;
    processors = 0;
    failing_memory_at(0);
}

/* A thread that started and did not end would keep the process from exiting. */
static void check_refused(uint32_t threads, int failure, const char *words) {
    char message[POOL_MESSAGE_SIZE] = "";
    pthreadpool_t pool = (pthreadpool_t)(void *)&pool;
    assert_int_equal(pool_start(threads, &pool, message), failure);
    assert_null(pool);
    assert_string_equal(message, words);
}

static void check_started(uint32_t threads, size_t count) {
    char message[POOL_MESSAGE_SIZE] = "";
    pthreadpool_t pool = NULL;
    assert_int_equal(pool_start(threads, &pool, message), 0);
    assert_int_equal(pthreadpool_get_threads_count(pool), count);
    assert_int_equal(tried, count - 1); /* the caller is one of them */
    assert_string_equal(message, "");
    pthreadpool_destroy(pool);
}

static void number_of_threads(void) {
    check_started(4, 4);
}

static void one_thread(void) {
    startable = 0;
    check_started(1, 1);
}

static void thread_for_each_processor(void) {
    check_started(0, 3);
}

static void unknown_processors(void) {
    processors = -1;
    check_started(0, 1);
}

static void first_refused(void) {
    startable = 0;
    check_refused(5, EAGAIN, "cannot start 5 threads: Resource temporarily unavailable");
    assert_int_equal(tried, 1);
}

static void last_refused(void) {
    startable = 3;
    check_refused(5, EAGAIN, "cannot start 5 threads: Resource temporarily unavailable");
    assert_int_equal(tried, 4);
}

static void processors_refused(void) {
    startable = 1;
    check_refused(0, EAGAIN,
                  "cannot start a thread for each of the 3 processors: Resource temporarily "
                  "unavailable");
}

static void out_of_memory(void) {
    failing_memory_at(1);
    check_refused(5, ENOMEM, "cannot start 5 threads: Cannot allocate memory");
    assert_int_equal(tried, 0);
}

CHECK_GROUP_WITH(test_pool_start, begin, end, T(number_of_threads), T(one_thread),
                 T(thread_for_each_processor), T(unknown_processors), T(first_refused),
                 T(last_refused), T(processors_refused), T(out_of_memory));
