/* SPDX-License-Identifier: MIT */
/*
 * Out of memory: each allocation of a judgement fails once. The call must report it with its
 * diagnostic, and free what it has.
 */
#include "check.h"
#include "failing_memory.h"
#include "oracle_data.h"

#include <pthreadpool.h>

/* Lines of FLOAT32 that share addresses (DirectML accepts the layout), so that all allocations are
 * made: room for every order, the last writers, the watch for doubt, and for the named orders their
 * search and a line. */
static cumsum_status judge(pthreadpool_t pool, cumsum_judgement *j, cumsum_diagnostic *d) {
    static const uint32_t sizes[2] = {5, 5}, strides[2] = {3, 4};
    static const float x[25] = {0}, y[29] = {0};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, 1);
    scan_case_set_strides(&c, NULL, strides);
    const cumsum_judge_options options = {.reachable = true, .thread_pool = pool};
    return cumsum_judge(&c.desc, x, sizeof x, y, sizeof y, &options, NULL, j, d);
}

/* Columns, which are staged. */
static cumsum_status judge_columns(pthreadpool_t pool, cumsum_judgement *j, cumsum_diagnostic *d) {
    static const uint32_t sizes[2] = {5, 5};
    static const int32_t x[25] = {0};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, 2, sizes, 0);
    const cumsum_judge_options options = {.thread_pool = pool};
    return cumsum_judge(&c.desc, x, sizeof x, x, sizeof x, &options, NULL, j, d);
}

typedef cumsum_status judge_function(pthreadpool_t, cumsum_judgement *, cumsum_diagnostic *);

static void each_allocation_fails(pthreadpool_t pool, judge_function *judge_once, size_t expected) {
    cumsum_judgement j;
    cumsum_diagnostic d;
    size_t failures = 0;
    for (size_t number = 1;; number++) {
        failing_memory_at(number);
        d = (cumsum_diagnostic){0};
        const cumsum_status status = judge_once(pool, &j, &d);
        const bool failed = failing_memory_failed();
        failing_memory_at(0);
        assert_int_equal(status, failed ? CUMSUM_OUT_OF_MEMORY : CUMSUM_OK);
        if (!failed)
            break;
        failures++;
        assert_int_equal(d.status, CUMSUM_OUT_OF_MEMORY);
        assert_string_equal(d.message,
                            "scratch of the judgement is too large, but it must fit in memory.");
    }
    assert_int_equal(failures, expected);
    assert_true(j.pass);
}

static void by_one_thread(void) {
    each_allocation_fails(NULL, judge, 5);
    each_allocation_fails(NULL, judge_columns, 2);
}

/* Each thread has its lines, and a line in memory for the named orders. */
static void by_two_threads(void) {
    pthreadpool_t pool = pthreadpool_create(2);
    assert_non_null(pool);
    each_allocation_fails(pool, judge, pthreadpool_get_threads_count(pool) == 2 ? 8 : 5);
    pthreadpool_destroy(pool);
}

CHECK_GROUP(test_oracle_memory, T(by_one_thread), T(by_two_threads));
