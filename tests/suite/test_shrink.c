/* SPDX-License-Identifier: MIT */
/* The steps that make cases and elements simpler, on predicates in place of backends: limits and
 * elements. mutants.txt has the smallest cases of many failures. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "distribution.h"
#include "minimize.h"
#include "need_draws.h"
#include "shrink.h"
#include "splitmix64.h"
#include "sweep_source.h"

#define LARGE                                                                                      \
    "float16.blocked-half.decreasing.exclusive.3x1x9x5.axis2.in-0x7x10x2+32.out-90x1x10x2+16."     \
    "uniform.seed3"

static shrinker shrinker_of(const char *name, shrink_fails fails) {
    shrinker s = {.fails = fails};
    assert_int_equal(source_named(name, &s.best, NULL), TOOL_OK);
    return s;
}

static bool always(void *state, suite_case *c) {
    (void)state;
    (void)c;
    return true;
}

/* A case that takes longer than the whole search may ends it. */
static bool slow(void *state, suite_case *c) {
    const struct timespec two = {.tv_nsec = 2000000};
    nanosleep(&two, NULL);
    return always(state, c);
}

static void time_is_up(void) {
    shrinker s = shrinker_of(LARGE, slow);
    s.milliseconds = 1;
    shrink_run(&s);
    assert_true(s.stopped);
    assert_true(s.tried <= 1);
    shrink_case_free(&s.best);
}

/* The elements that are said to be simpler are, and all but 0 have simpler ones. */
static void check_element(cumsum_data_type type, uint64_t bits) {
    uint64_t simpler[SIMPLER_ELEMENTS];
    const size_t count = element_simpler(type, bits, simpler);
    assert_true(count > 0 || element_complexity(type, bits) == 0);
    for (size_t i = 0; i < count; i++)
        assert_true(element_complexity(type, simpler[i]) < element_complexity(type, bits));
}

static void elements(void) {
    uint64_t seed = 1;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        check_element(CUMSUM_DATA_TYPE_FLOAT16, bits);
        const uint64_t random = random_next(&seed);
        check_element(CUMSUM_DATA_TYPE_FLOAT32, random >> 32);
        check_element(CUMSUM_DATA_TYPE_INT32, random >> 32);
        check_element(CUMSUM_DATA_TYPE_UINT32, random >> (32 + bits % 32));
        check_element(CUMSUM_DATA_TYPE_INT64, random);
        check_element(CUMSUM_DATA_TYPE_UINT64, random >> bits % 64);
    }
    check_element(CUMSUM_DATA_TYPE_INT32, 0x80000000);
    check_element(CUMSUM_DATA_TYPE_INT64, UINT64_C(1) << 63);
    check_element(CUMSUM_DATA_TYPE_UINT64, UINT64_MAX);
}

CHECK_GROUP_WITH(test_shrink, need_draws, NULL, T(time_is_up), T(elements));
