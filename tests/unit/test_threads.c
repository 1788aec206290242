/* SPDX-License-Identifier: MIT */
/* Several threads execute one plan at once, without a pool and with one that they share.
 * check_kernels has the bits of pools. */
#include "check.h"
#include "scan_case.h"

#include <pthread.h>
#include <pthreadpool.h>
#include <string.h>

enum {
    RUNNERS = 4,
    OUTER = 8,
    LENGTH = 1100, /* more than a tile of the blocked order */
    INNER = 6,
    ELEMENTS = OUTER * LENGTH * INNER
};

static uint16_t input[ELEMENTS], expected[ELEMENTS];

typedef struct runner {
    const cumsum_plan *plan;
    uint16_t output[ELEMENTS];
    bool ok;
} runner;

static void *run_often(void *argument) {
    runner *r = argument;
    r->ok = true;
    for (int round = 0; round < 20; round++) {
        memset(r->output, 0, sizeof r->output);
        if (cumsum_plan_execute(r->plan, input, sizeof input, r->output, sizeof r->output, NULL) !=
                CUMSUM_OK ||
            memcmp(r->output, expected, sizeof expected) != 0)
            r->ok = false;
    }
    return NULL;
}

static void expect_concurrent_use(const scan_case *c) {
    static runner runners[RUNNERS];
    pthread_t threads[RUNNERS];
    cumsum_plan *plan = NULL;
    assert_int_equal(cumsum_plan_create(&c->desc, &c->options, &plan, NULL), CUMSUM_OK);
    for (int i = 0; i < RUNNERS; i++) {
        runners[i].plan = plan;
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, &runners[i]), 0);
    }
    for (int i = 0; i < RUNNERS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(runners[i].ok);
    }
    cumsum_plan_destroy(plan);
}

static void test_concurrent_execution(void) {
    static const uint32_t sizes[3] = {OUTER, LENGTH, INNER},
                          strides[3] = {1, OUTER, OUTER * LENGTH};
    uint64_t seed = 51;
    scan_case c;
    for (size_t i = 0; i < ELEMENTS; i++)
        input[i] = (uint16_t)random_next(&seed) & 0xBBFF; /* below 2 */
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT16, 3, sizes, 1);
    scan_case_set_strides(&c, NULL, strides);
    c.options.numerics.order = CUMSUM_ORDER_BLOCKED;
    scan_case_execute(&c, input, expected);
    expect_concurrent_use(&c);
    c.options.thread_pool = pthreadpool_create(2);
    expect_concurrent_use(&c);
    pthreadpool_destroy(c.options.thread_pool);
}

CHECK_GROUP(test_threads, T(test_concurrent_execution));
