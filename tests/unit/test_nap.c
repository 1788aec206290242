/* SPDX-License-Identifier: MIT */
/* Until when a nap is taken, with a clock and a condition that are made up: nothing sleeps here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

#include "nap.h"

static struct timespec now;
static struct timespec until;
static int sleeps;

int __wrap_timespec_get(struct timespec *time, int base);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *end);

int __wrap_timespec_get(struct timespec *time, int base) {
    *time = now;
    return base;
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  const struct timespec *end) {
    (void)condition;
    (void)mutex;
    until = *end;
    sleeps++;
    return 0;
}

static bool answer(void *context) {
    return *(const bool *)context;
}

static void take(unsigned naps, bool over) {
    cumsum_nap nap;
    cumsum_nap_init(&nap);
    cumsum_nap_take(&nap, naps, answer, &over);
    cumsum_nap_end(&nap);
    cumsum_nap_destroy(&nap);
}

/* 1, 2, 4 milliseconds and so on, to 64. */
static void test_naps_get_longer(void **state) {
    (void)state;
    now = (struct timespec){.tv_sec = 100, .tv_nsec = 500};
    for (unsigned naps = 0; naps < 40; naps++) {
        take(naps, false);
        assert_int_equal(until.tv_sec, 100);
        assert_int_equal(until.tv_nsec, 500 + (1000000L << (naps < 6 ? naps : 6)));
    }
    assert_int_equal(sleeps, 40);
}

static void test_the_next_second(void **state) {
    (void)state;
    now = (struct timespec){.tv_sec = 100, .tv_nsec = 999999999};
    take(0, false);
    assert_int_equal(until.tv_sec, 101);
    assert_int_equal(until.tv_nsec, 999999);
    now.tv_nsec = 999000000;
    take(0, false);
    assert_int_equal(until.tv_sec, 101);
    assert_int_equal(until.tv_nsec, 0);
}

static void test_nobody_sleeps_when_it_is_over(void **state) {
    (void)state;
    sleeps = 0;
    take(3, true);
    assert_int_equal(sleeps, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_naps_get_longer),
                                       cmocka_unit_test(test_the_next_second),
                                       cmocka_unit_test(test_nobody_sleeps_when_it_is_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
