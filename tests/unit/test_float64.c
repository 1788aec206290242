/* SPDX-License-Identifier: MIT */
/*
 * FLOAT64, which plans compute although DirectML has no such type: the sequential order is compared
 * with a loop, the exact one with the oracle's exact sums, and of the blocked one the oracle says
 * that it is this order and no other. And what FLOAT64 does not have.
 */
#include "check.h"
#include "scan_case.h"

#include <cumsum/carry.h>
#include <cumsum/oracle.h>
#include <string.h>

enum {
    LENGTH = 1100, /* more than a tile */
    LINES = 40,    /* more than the reference takes at once in the blocked order */
    ELEMENTS = LENGTH * LINES
};

/* Every number of finite bits; numbers of similar size; near the largest; subnormals. */
enum {
    ANY_BITS,
    SIMILAR,
    LARGE,
    SUBNORMAL,
    KINDS
};

static double x[ELEMENTS], y[ELEMENTS], expected[ELEMENTS];

static void draw(unsigned kind) {
    uint64_t seed = kind;
    for (size_t i = 0; i < ELEMENTS; i++) {
        uint64_t bits = random_next(&seed);
        const uint64_t exponent = kind == ANY_BITS  ? bits % 2046
                                  : kind == SIMILAR ? 1020 + bits % 8
                                  : kind == LARGE   ? 2040 + bits % 6
                                                    : 0;
        bits = (bits & UINT64_C(0x800FFFFFFFFFFFFF)) | exponent << 52;
        memcpy(&x[i], &bits, sizeof bits);
    }
}

/* Lines are contiguous, or interleaved in both tensors. */
static void describe(scan_case *c, bool interleaved) {
    const uint32_t sizes[] = {LINES, LENGTH}, strides[] = {1, LINES};
    scan_case_init(c, CUMSUM_DATA_TYPE_FLOAT64, 2, sizes, 1);
    if (interleaved)
        scan_case_set_strides(c, strides, strides);
}

static double flushed(double value, bool flushes) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (flushes && !(bits >> 52 & 2047))
        bits &= UINT64_C(1) << 63;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

static void add_in_sequence(const scan_case *c, bool interleaved, bool flushes) {
    const size_t step = interleaved ? LINES : 1, line_step = interleaved ? 1 : LENGTH;
    const bool down = c->desc.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    for (size_t line = 0; line < LINES; line++) {
        double sum = 0;
        for (size_t k = 0; k < LENGTH; k++) {
            const size_t at = line * line_step + (down ? LENGTH - 1 - k : k) * step;
            const double before = sum;
            sum = flushed(sum + flushed(x[at], flushes), flushes);
            expected[at] = c->desc.has_exclusive_sum ? before : sum;
        }
    }
}

/* NaN of any bits are equal: opposite infinities give them in the kind LARGE. */
static void expect_equal(void) {
    for (size_t i = 0; i < ELEMENTS; i++)
        if (memcmp(&y[i], &expected[i], sizeof *y) != 0 &&
            (y[i] == y[i] || expected[i] == expected[i]))
            fail_msg("output %zu is %a instead of %a", i, y[i], expected[i]);
}

static void test_the_orders_with_known_outputs(void) {
    for (unsigned i = 0; i < KINDS * 16; i++) {
        scan_case c;
        const bool interleaved = i & 1, exact = i & 8;
        draw(i / 16);
        describe(&c, interleaved);
        c.desc.axis_direction = (cumsum_axis_direction)(i >> 1 & 1);
        c.desc.has_exclusive_sum = i >> 2 & 1;
        c.options.numerics.order = exact ? CUMSUM_ORDER_EXACT : CUMSUM_ORDER_SEQUENTIAL;
        if (exact)
            assert_int_equal(
                cumsum_exact_sums(&c.desc, x, sizeof x, expected, sizeof expected, NULL),
                CUMSUM_OK);
        else
            add_in_sequence(&c, interleaved, false);
        scan_case_execute(&c, x, y);
        expect_equal();
        memcpy(y, x, sizeof x); /* in place */
        scan_case_execute(&c, y, y);
        expect_equal();
    }
}

static void test_flushed_subnormals(void) {
    scan_case c;
    describe(&c, false);
    c.options.numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    draw(SUBNORMAL);
    for (size_t i = 0; i < ELEMENTS; i += 3)
        x[i] = i % 2 ? 0x1p-1022 : -0x1p-1022;
    add_in_sequence(&c, false, true);
    scan_case_execute(&c, x, y);
    expect_equal();
    c.options.numerics.order = CUMSUM_ORDER_EXACT; /* sums of multiples of the smallest normal */
    scan_case_execute(&c, x, y);
    expect_equal();
}

static void test_the_blocked_order(void) {
    for (unsigned i = 0; i < 16; i++) {
        scan_case c;
        cumsum_judgement judgement;
        const cumsum_judge_options options = {.all_orders = true};
        describe(&c, i & 1);
        c.desc.axis_direction = (cumsum_axis_direction)(i >> 1 & 1);
        c.desc.has_exclusive_sum = i >> 2 & 1;
        c.options.numerics.order = CUMSUM_ORDER_BLOCKED;
        c.options.numerics.denormals = (cumsum_denormals)(i >> 3);
        draw(SIMILAR);
        for (size_t k = 0; i >> 3 && k < ELEMENTS; k++)
            x[k] *= 0x1p-1024; /* sums that are subnormal, and sums that are not */
        scan_case_execute(&c, x, y);
        assert_int_equal(
            cumsum_judge(&c.desc, x, sizeof x, y, sizeof y, &options, NULL, &judgement, NULL),
            CUMSUM_OK);
        assert_int_equal(judgement.match_count, 1);
        assert_int_equal(judgement.matches[0].order, CUMSUM_NAMED_BLOCKED);
        assert_int_equal(judgement.matches[0].denormals, i >> 3);
    }
}

static cumsum_status create(scan_case *c) {
    cumsum_plan *plan = NULL;
    const cumsum_status status = cumsum_plan_create(&c->desc, &c->options, &plan, NULL);
    cumsum_plan_destroy(plan);
    return status;
}

static void test_what_it_does_not_have(void) {
    scan_case c;
    cumsum_plan *plan = NULL;
    cumsum_carry *carry = NULL;
    describe(&c, false);
    assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL),
                     CUMSUM_INVALID_DESCRIPTOR);
    c.options.feature_level = CUMSUM_FEATURE_LEVEL_5_0;
    assert_int_equal(create(&c), CUMSUM_INVALID_DESCRIPTOR);
    c.options.feature_level = CUMSUM_FEATURE_LEVEL_DEFAULT;
    for (int kernel = CUMSUM_KERNEL_PORTABLE; kernel <= CUMSUM_KERNEL_NEON; kernel++) {
        c.options.kernel = (cumsum_kernel)kernel;
        assert_int_equal(create(&c), CUMSUM_UNSUPPORTED);
    }
    c.options.kernel = CUMSUM_KERNEL_REFERENCE;
    c.options.numerics.order = CUMSUM_ORDER_EXACT;
    assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_kernel(plan), CUMSUM_KERNEL_REFERENCE);
    assert_int_equal(cumsum_carry_create(plan, &carry, NULL), CUMSUM_UNSUPPORTED);
    assert_int_equal(cumsum_carry_create_total(plan, 0, &carry, NULL), CUMSUM_UNSUPPORTED);
    assert_int_equal(cumsum_carry_load(plan, x, sizeof x, &carry, NULL), CUMSUM_UNSUPPORTED);
    cumsum_plan_destroy(plan);
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_INT8, 4); /* and no other type is let in */
    assert_int_equal(create(&c), CUMSUM_INVALID_DESCRIPTOR);
}

CHECK_GROUP(test_float64, T(test_the_orders_with_known_outputs), T(test_flushed_subnormals),
            T(test_the_blocked_order), T(test_what_it_does_not_have));
