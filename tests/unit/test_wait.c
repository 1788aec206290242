/* SPDX-License-Identifier: MIT */
/*
 * How long a thread backs off. With pthreads the clock and the condition are made up here (--wrap),
 * so nothing waits. Windows' cannot be replaced by the linker: there the time is measured.
 */
#include <time.h>

#include "check.h"
#include "wait.h"

static bool answer(void *context) {
    return *(const bool *)context;
}

static void wait_once(unsigned attempt, bool over) {
    cumsum_backoff backoff;
    cumsum_backoff_init(&backoff);
    cumsum_backoff_wait(&backoff, attempt, answer, &over);
    cumsum_backoff_end(&backoff);
    cumsum_backoff_destroy(&backoff);
}

/* Returns, also if no other thread is ready to run. */
static void test_yield(void) {
    cumsum_wait_yield();
}

#if defined(_WIN32)

/* 20 waits of 64 milliseconds would be 1280. */
static void test_no_wait_when_over(void) {
    const ULONGLONG begin = GetTickCount64();
    for (int i = 0; i < 20; i++)
        wait_once(6, true);
    assert_true(GetTickCount64() - begin < 1000);
    wait_once(6, false);
    assert_true(GetTickCount64() > begin);
}

CHECK_GROUP(test_wait, T(test_yield), T(test_no_wait_when_over));

#else

static struct timespec now;
static struct timespec until;
static int waits;

/* Only during these tests. */
static bool made_up;

static void make_up(void) {
    made_up = true;
}

static void do_not_make_up(void) {
    made_up = false;
}

/* Shared libraries look for the functions by the wrapped names too, as the linker sees it. */
#define VISIBLE __attribute__((visibility("default")))

int __real_timespec_get(struct timespec *time, int base);
VISIBLE int __wrap_timespec_get(struct timespec *time, int base);
int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *end);
VISIBLE int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                          const struct timespec *end);

int __wrap_timespec_get(struct timespec *time, int base) {
    if (!made_up)
        return __real_timespec_get(time, base);
    *time = now;
    return base;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *end) {
    if (!made_up)
        return __real_pthread_cond_timedwait(condition, mutex, end);
    until = *end;
    waits++;
    return 0;
}

/* 1, 2, 4 milliseconds and so on, to 64. */
static void test_waits_get_longer(void) {
    now = (struct timespec){.tv_sec = 100, .tv_nsec = 500};
    for (unsigned attempt = 0; attempt < 40; attempt++) {
        wait_once(attempt, false);
        assert_int_equal(until.tv_sec, 100);
        assert_int_equal(until.tv_nsec, 500 + (1000000L << (attempt < 6 ? attempt : 6)));
    }
    assert_int_equal(waits, 40);
}

static void test_the_next_second(void) {
    now = (struct timespec){.tv_sec = 100, .tv_nsec = 999999999};
    wait_once(0, false);
    assert_int_equal(until.tv_sec, 101);
    assert_int_equal(until.tv_nsec, 999999);
    now.tv_nsec = 999000000;
    wait_once(0, false);
    assert_int_equal(until.tv_sec, 101);
    assert_int_equal(until.tv_nsec, 0);
}

static void test_no_wait_when_over(void) {
    waits = 0;
    wait_once(3, true);
    assert_int_equal(waits, 0);
}

CHECK_GROUP_WITH(test_wait, make_up, do_not_make_up, T(test_yield), T(test_waits_get_longer),
                 T(test_the_next_second), T(test_no_wait_when_over));

#endif
