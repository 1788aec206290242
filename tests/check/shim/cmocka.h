/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CMOCKA_H
#define CUMSUM_TESTS_CMOCKA_H

/* For the tests of tests/gpu that are programs of their own, not groups: what check.h has, by
 * the names of cmocka, which they were written for. A test fails if its set-up or its end does. */

#include "check.h"

#include <stdio.h>

struct CMUnitTest {
    void (*run)(void **state);
    int (*begin)(void **state);
    int (*end)(void **state);
};

#define cmocka_unit_test(f)                                                                        \
    { f, NULL, NULL }
#define cmocka_unit_test_setup(f, begin)                                                           \
    { f, begin, NULL }
#define cmocka_unit_test_setup_teardown(f, begin, end)                                             \
    { f, begin, end }
#define cmocka_run_group_tests(tests, begin, end)                                                  \
    shim_run(tests, sizeof tests / sizeof *(tests), begin, end)
#define cmocka_run_group_tests_name(n, tests, begin, end) cmocka_run_group_tests(tests, begin, end)
#define print_message                                     printf
#define print_error                                       printf
#define skip()                                            check_skip("the test says so")

static const struct CMUnitTest *shim_test;

static inline void shim_test_run(void) {
    void *state = NULL;
    if (shim_test->begin)
        assert_int_equal(shim_test->begin(&state), 0);
    shim_test->run(&state);
    if (shim_test->end)
        assert_int_equal(shim_test->end(&state), 0);
}

static inline int shim_run(const struct CMUnitTest *tests, size_t count, int (*begin)(void **),
                           int (*end)(void **)) {
    int failed = 0;
    void *state = NULL;
    if (begin && begin(&state) != 0)
        return 1;
    for (size_t i = 0; i < count; i++) {
        shim_test = &tests[i];
        const int status = check_call(shim_test_run);
        printf("test %zu: %d\n", i + 1, status);
        failed += status == 1;
    }
    return failed + (end && end(&state) != 0);
}

#endif
