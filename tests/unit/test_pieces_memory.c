/* SPDX-License-Identifier: MIT */
/*
 * Memory of carries and of judgements, whole and in pieces: each allocation fails once, which the
 * call must report; and executing a plan or a piece allocates nothing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cumsum/carry.h>
#include <cumsum/judging.h>

#include <pthreadpool.h>

#include "check.h"
#include "failing_memory.h"
#include "oracle_data.h"

enum {
    TILES = 2,
    LENGTH = 1024 * TILES
};

static float line[LENGTH], sums[LENGTH];
static const uint32_t sizes[] = {LENGTH};
static const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                                 .dimension_count = 1,
                                                 .sizes = sizes,
                                                 .total_tensor_size_in_bytes = sizeof line};
static const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
static const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};

/* All that allocates: a carry, two totals of which one grows, and a carry from bytes. */
static cumsum_status make_carries(void *context, cumsum_diagnostic *why) {
    const cumsum_plan *plan = context;
    static unsigned char bytes[1024];
    cumsum_carry *carry = NULL, *total = NULL, *next = NULL, *loaded = NULL;
    cumsum_status status = cumsum_carry_create(plan, &carry, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_save(carry, bytes, sizeof bytes, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_load(plan, bytes, cumsum_carry_size(carry), &loaded, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_create_total(plan, 0, &total, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_advance(plan, total, NULL, line, sizeof line, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_create_total(plan, LENGTH, &next, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_advance(plan, next, NULL, line, sizeof line, why);
    if (status == CUMSUM_OK)
        status = cumsum_carry_append(total, next, why);
    if (status != CUMSUM_OK && total) /* what failed has changed nothing */
        assert_true(cumsum_carry_end(total) <= LENGTH);
    cumsum_carry_destroy(carry);
    cumsum_carry_destroy(total);
    cumsum_carry_destroy(next);
    cumsum_carry_destroy(loaded);
    return status;
}

static cumsum_status begin_judging_once(void *unused, cumsum_diagnostic *why) {
    const cumsum_judge_options options = {.no_doubt = true, .reachable = true};
    cumsum_judging *judging = NULL;
    (void)unused;
    const cumsum_status status = cumsum_judging_create(&desc, LENGTH, &options, &judging, why);
    assert_int_equal(judging != NULL, status == CUMSUM_OK);
    cumsum_judging_destroy(judging);
    return status;
}

static cumsum_status judge(const scan_case *c, const void *x, const void *y,
                           const cumsum_judge_options *options, cumsum_diagnostic *why) {
    cumsum_judgement j;
    const cumsum_status status =
        cumsum_judge(&c->desc, x, c->buffer[0].total_tensor_size_in_bytes, y,
                     c->buffer[1].total_tensor_size_in_bytes, options, NULL, &j, why);
    assert_true(status != CUMSUM_OK || j.pass);
    if (status != CUMSUM_OK)
        assert_string_equal(why->message,
                            "scratch of the judgement is too large, but it must fit in memory.");
    return status;
}

/* Lines of FLOAT32 that share addresses (DirectML accepts the layout), so that all allocations are
 * made: room for every order, the last writers, the watch for doubt, and for the named orders their
 * search and a line. */
static cumsum_status judge_shared(void *pool, cumsum_diagnostic *why) {
    static const uint32_t five[2] = {5, 5}, strides[2] = {3, 4};
    static const float x[25] = {0}, y[29] = {0};
    const cumsum_judge_options options = {.reachable = true, .thread_pool = pool};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 2, five, 1);
    scan_case_set_strides(&c, NULL, strides);
    return judge(&c, x, y, &options, why);
}

/* Columns, which are staged. */
static cumsum_status judge_columns(void *pool, cumsum_diagnostic *why) {
    static const uint32_t five[2] = {5, 5};
    static const int32_t x[25] = {0};
    const cumsum_judge_options options = {.thread_pool = pool};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, 2, five, 0);
    return judge(&c, x, x, &options, why);
}

static void each_fails(void *context, size_t expected,
                       cumsum_status (*once)(void *context, cumsum_diagnostic *why)) {
    for (size_t number = 1; number <= expected + 1; number++) {
        cumsum_diagnostic why = {.status = CUMSUM_OK};
        failing_memory_at(number);
        const cumsum_status status = once(context, &why);
        const bool failed = failing_memory_failed();
        failing_memory_at(0);
        assert_int_equal(failed, number <= expected);
        assert_int_equal(status, failed ? CUMSUM_OUT_OF_MEMORY : CUMSUM_OK);
        assert_int_equal(why.status, status);
    }
}

static cumsum_plan *make_plan(cumsum_order order) {
    const cumsum_plan_options options = {.numerics.order = order};
    cumsum_plan *plan = NULL;
    assert_int_equal(cumsum_plan_create(&desc, &options, &plan, NULL), CUMSUM_OK);
    return plan;
}

static void test_each_allocation_fails(void) {
    cumsum_plan *plan = make_plan(CUMSUM_ORDER_BLOCKED);
    each_fails(plan, 11, make_carries);
    each_fails(NULL, 3, begin_judging_once);
    cumsum_plan_destroy(plan);
}

/* Each of two threads has its lines, and a line in memory for the named orders. */
static void test_each_allocation_of_a_judgement_fails(void) {
    pthreadpool_t pool = pthreadpool_create(2);
    assert_non_null(pool);
    each_fails(NULL, 5, judge_shared);
    each_fails(NULL, 2, judge_columns);
    each_fails(pool, pthreadpool_get_threads_count(pool) == 2 ? 8 : 5, judge_shared);
    pthreadpool_destroy(pool);
}

/* The first allocation would fail. */
static void test_executing_allocates_nothing(void) {
    for (cumsum_order order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++) {
        const cumsum_piece half = {CUMSUM_PIECE_NEXT, 0, LENGTH / 2 + 5};
        cumsum_plan *plan = make_plan(order);
        cumsum_carry *carry = NULL;
        assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_OK);
        failing_memory_at(1);
        assert_int_equal(cumsum_plan_execute(plan, line, sizeof line, sums, sizeof sums, NULL),
                         CUMSUM_OK);
        assert_int_equal(
            cumsum_carry_execute(plan, carry, &half, line, sizeof line, sums, sizeof sums, NULL),
            CUMSUM_OK);
        assert_int_equal(cumsum_carry_advance(plan, carry, &half, line, sizeof line, NULL),
                         CUMSUM_OK);
        assert_false(failing_memory_failed());
        failing_memory_at(0);
        cumsum_carry_destroy(carry);
        cumsum_plan_destroy(plan);
    }
}

CHECK_GROUP(test_pieces_memory, T(test_each_allocation_fails),
            T(test_each_allocation_of_a_judgement_fails), T(test_executing_allocates_nothing));
