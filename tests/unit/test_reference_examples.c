/* SPDX-License-Identifier: MIT */
/*
 * Lines that can be checked by hand: the examples of DirectML's documentation, the two FLOAT16
 * probes, wrapping, signs of zero, NaN and infinity, flushing. With the fastest kernels that this
 * processor has, and with the reference.
 */
#include "check.h"
#include "scan_case.h"

#include <math.h>
#include <string.h>

#define MAX_LENGTH 16

static cumsum_kernel kernel = CUMSUM_KERNEL_AUTO;

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Any NaN equals any other; everything else must have the same bits. */
static void expect_same_float(float actual, float expected) {
    if (isnan(expected))
        assert_true(isnan(actual));
    else
        assert_int_equal(bits_of(actual), bits_of(expected));
}

static const uint32_t documentation_sizes[4] = {1, 1, 3, 4};
static const float documentation_input[12] = {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4};

static void expect_documentation(uint32_t axis, bool decreasing, bool exclusive,
                                 const float *expected) {
    scan_case c;
    float output[12];
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 4, documentation_sizes, axis);
    c.desc.axis_direction =
        decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    c.desc.has_exclusive_sum = exclusive;
    c.options.kernel = kernel;
    scan_case_execute(&c, documentation_input, output);
    for (int i = 0; i < 12; i++)
        expect_same_float(output[i], expected[i]);
}

static void test_documentation(void) {
    static const float along_3[12] = {2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21};
    static const float along_2[12] = {2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12};
    static const float decreasing[12] = {11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4};
    static const float exclusive[12] = {0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17};
    static const float both[12] = {9, 8, 5, 0, 18, 10, 3, 0, 12, 6, 4, 0};
    expect_documentation(3, false, false, along_3);
    expect_documentation(2, false, false, along_2);
    expect_documentation(3, true, false, decreasing);
    expect_documentation(3, false, true, exclusive);
    expect_documentation(3, true, true, both);
}

static void expect_floats(const cumsum_numerics *numerics, bool exclusive, uint32_t length,
                          const float *input, const float *expected) {
    scan_case c;
    float output[MAX_LENGTH];
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, length);
    c.options.numerics = *numerics;
    c.desc.has_exclusive_sum = exclusive;
    c.options.kernel = kernel;
    scan_case_execute(&c, input, output);
    for (uint32_t i = 0; i < length; i++)
        expect_same_float(output[i], expected[i]);
}

static const cumsum_numerics orders[3] = {{.order = CUMSUM_ORDER_SEQUENTIAL},
                                          {.order = CUMSUM_ORDER_BLOCKED},
                                          {.order = CUMSUM_ORDER_EXACT}};

static void test_zeros_are_positive(void) {
    const float input[4] = {-0.0f, -0.0f, 1.0f, -1.0f};
    const float inclusive[4] = {0.0f, 0.0f, 1.0f, 0.0f};
    const float exclusive[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (int o = 0; o < 3; o++) {
        expect_floats(&orders[o], false, 4, input, inclusive);
        expect_floats(&orders[o], true, 4, input, exclusive);
    }
}

static void test_nan_and_infinity(void) {
    const float nan_input[4] = {1, NAN, INFINITY, 2};
    const float nan_expected[4] = {1, NAN, NAN, NAN};
    const float nan_exclusive[4] = {0, 1, NAN, NAN};
    const float opposite[4] = {1, INFINITY, 5, -INFINITY};
    const float opposite_expected[4] = {1, INFINITY, INFINITY, NAN};
    const float negative[3] = {-INFINITY, 3.0e38f, -INFINITY};
    const float negative_expected[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int o = 0; o < 3; o++) {
        expect_floats(&orders[o], false, 4, nan_input, nan_expected);
        expect_floats(&orders[o], true, 4, nan_input, nan_exclusive);
        expect_floats(&orders[o], false, 4, opposite, opposite_expected);
        expect_floats(&orders[o], false, 3, negative, negative_expected);
    }
}

/* A rounded sum that overflows stays infinite; the exact sum becomes finite again. */
static void test_overflow_on_the_way(void) {
    const float input[3] = {3.0e38f, 3.0e38f, -3.0e38f};
    const float rounded[3] = {3.0e38f, INFINITY, INFINITY};
    const float exact[3] = {3.0e38f, INFINITY, 3.0e38f};
    expect_floats(&orders[0], false, 3, input, rounded);
    expect_floats(&orders[2], false, 3, input, exact);
}

static void test_flushing(void) {
    const float tiny = ldexpf(1, -149);
    const float normal = ldexpf(1, -126);
    const float input[5] = {-tiny, tiny, -normal * 1.5f, normal, normal};
    const float kept[5] = {-tiny, 0.0f, -1.5f * normal, -0.5f * normal, 0.5f * normal};
    /* The inputs become zeros; -1.5 + 1 = -0.5 of the smallest normal becomes -0. */
    const float flushed[5] = {0.0f, 0.0f, -1.5f * normal, -0.0f, normal};
    /* Of the exact sum, only the stored value is flushed. */
    const float exact[5] = {0.0f, 0.0f, -1.5f * normal, -0.0f, 0.0f};
    for (int o = 0; o < 3; o++) {
        cumsum_numerics numerics = orders[o];
        expect_floats(&numerics, false, 5, input, kept);
        numerics.denormals = CUMSUM_DENORMALS_FLUSH;
        if (numerics.order != CUMSUM_ORDER_BLOCKED)
            expect_floats(&numerics, false, 5, input,
                          numerics.order == CUMSUM_ORDER_EXACT ? exact : flushed);
    }
}

static void test_integers_wrap(void) {
    const uint32_t input32[4] = {0x80000000, 0x7FFFFFFF, 1, 0xFFFFFFFF};
    const uint32_t expected32[4] = {0x80000000, 0xFFFFFFFF, 0, 0xFFFFFFFF};
    const uint64_t input64[4] = {UINT64_C(0x8000000000000000), UINT64_C(0x7FFFFFFFFFFFFFFF), 1,
                                 UINT64_C(0x100000000)};
    const uint64_t expected64[4] = {UINT64_C(0x8000000000000000), UINT64_MAX, 0,
                                    UINT64_C(0x100000000)};
    static const cumsum_data_type types[4] = {CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT32,
                                              CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64};
    for (int t = 0; t < 4; t++)
        for (int o = 0; o < 3; o++) {
            scan_case c;
            uint64_t output[4];
            const size_t bytes = t < 2 ? sizeof expected32 : sizeof expected64;
            scan_case_init_line(&c, types[t], 4);
            c.options.numerics = orders[o];
            c.options.kernel = kernel;
            scan_case_execute(&c, t < 2 ? (const void *)input32 : input64, output);
            assert_memory_equal(output, t < 2 ? (const void *)expected32 : expected64, bytes);
        }
}

static void expect_halves(cumsum_half_accumulator accumulator, cumsum_half_store store,
                          uint32_t length, const float *input, const float *expected) {
    scan_case c;
    uint16_t halves[MAX_LENGTH];
    uint16_t output[MAX_LENGTH];
    for (uint32_t i = 0; i < length; i++)
        halves[i] = cumsum_half_from_float(input[i], CUMSUM_HALF_STORE_IEEE);
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT16, length);
    c.options.numerics.half_accumulator = accumulator;
    c.options.numerics.half_store = store;
    c.options.kernel = kernel;
    scan_case_execute(&c, halves, output);
    for (uint32_t i = 0; i < length; i++)
        expect_same_float(cumsum_half_to_float(output[i]), expected[i]);
}

/* 2048 and ones: from 2048 on, the step between halves is 2. */
static void test_half_probe_of_rounding(void) {
    const float input[8] = {2048, 1, 1, 1, 1, 1, 1, 1};
    const float narrow[8] = {2048, 2048, 2048, 2048, 2048, 2048, 2048, 2048};
    const float nearest[8] = {2048, 2048, 2050, 2052, 2052, 2052, 2054, 2056};
    const float truncated[8] = {2048, 2048, 2050, 2050, 2052, 2052, 2054, 2054};
    for (int s = CUMSUM_HALF_STORE_NEAREST_EVEN; s <= CUMSUM_HALF_STORE_IEEE; s++)
        expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT16, (cumsum_half_store)s, 8, input, narrow);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_NEAREST_EVEN, 8, input,
                  nearest);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_IEEE, 8, input, nearest);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_TOWARD_ZERO, 8, input,
                  truncated);
}

/* Beyond the largest half, a binary32 accumulator recovers and a binary16 accumulator does not. */
static void test_half_probe_of_overflow(void) {
    const float input[4] = {60000, 60000, -60000, -60000};
    const float recovers[4] = {60000, INFINITY, 60000, 0};
    const float stays[4] = {60000, INFINITY, INFINITY, INFINITY};
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_NEAREST_EVEN, 4, input,
                  recovers);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_TOWARD_ZERO, 4, input,
                  recovers);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT16, CUMSUM_HALF_STORE_NEAREST_EVEN, 4, input, stays);
}

/* 65504 + 8: between the largest half and the IEEE threshold of 65520. */
static void test_half_overflow_thresholds(void) {
    const float input[2] = {65504, 8};
    const float infinite[2] = {65504, INFINITY};
    const float kept[2] = {65504, 65504};
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_NEAREST_EVEN, 2, input,
                  infinite);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_TOWARD_ZERO, 2, input,
                  infinite);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_IEEE, 2, input, kept);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT16, CUMSUM_HALF_STORE_NEAREST_EVEN, 2, input, kept);
}

static void test_half_subnormals_are_kept(void) {
    const float step = ldexpf(1, -24);
    const float input[3] = {step, 3 * step, -2 * step};
    const float expected[3] = {step, 4 * step, 2 * step};
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT32, CUMSUM_HALF_STORE_NEAREST_EVEN, 3, input,
                  expected);
    expect_halves(CUMSUM_HALF_ACCUMULATOR_FLOAT16, CUMSUM_HALF_STORE_NEAREST_EVEN, 3, input,
                  expected);
}

/* All of it once more. */
static void test_with_the_reference(void) {
    kernel = CUMSUM_KERNEL_REFERENCE;
    test_documentation();
    test_zeros_are_positive();
    test_nan_and_infinity();
    test_overflow_on_the_way();
    test_flushing();
    test_integers_wrap();
    test_half_probe_of_rounding();
    test_half_probe_of_overflow();
    test_half_overflow_thresholds();
    test_half_subnormals_are_kept();
}

CHECK_GROUP(test_reference_examples, T(test_documentation), T(test_zeros_are_positive),
            T(test_nan_and_infinity), T(test_overflow_on_the_way), T(test_flushing),
            T(test_integers_wrap), T(test_half_probe_of_rounding), T(test_half_probe_of_overflow),
            T(test_half_overflow_thresholds), T(test_half_subnormals_are_kept),
            T(test_with_the_reference));
