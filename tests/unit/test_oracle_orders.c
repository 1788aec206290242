/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: the oracle finds each order by its name in outputs that a textbook scan computed, on
 * data for which no other order gives the same bits.
 */
#include "check.h"
#include "oracle_data.h"
#include "textbook_scans.h"

#include <float.h>

#define N 2500 /* three tiles of the blocked order, and no power of two */

/* The sequential order with terms and sums flushed. */
static void sequential_flush(const float *x, float *y, uint32_t n) {
    float sum = 0;
    for (uint32_t k = 0; k < n; k++) {
        float term = fabsf(x[k]) < FLT_MIN ? 0 : x[k];
        sum += term;
        if (fabsf(sum) < FLT_MIN)
            sum = 0;
        y[k] = sum;
    }
}

/* The orders that the library itself computes. */
static void scan_by_plan(cumsum_order order, float *v, uint32_t n) {
    cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                        .dimension_count = 1,
                                        .sizes = &n,
                                        .total_tensor_size_in_bytes = 4 * (uint64_t)n};
    cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_plan_options options = {.numerics = {.order = order}};
    cumsum_plan *plan;
    assert_int_equal(cumsum_plan_create(&desc, &options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, v, 4 * (uint64_t)n, v, 4 * (uint64_t)n, NULL), 0);
    cumsum_plan_destroy(plan);
}

static void blocked_by_plan(float *v, uint32_t n) {
    scan_by_plan(CUMSUM_ORDER_BLOCKED, v, n);
}

static void exact_by_plan(float *v, uint32_t n) {
    scan_by_plan(CUMSUM_ORDER_EXACT, v, n);
}

static const struct {
    cumsum_named_order order;
    textbook_scan *scan;
} orders[] = {
    {CUMSUM_NAMED_SEQUENTIAL, scan_sequential},
    {CUMSUM_NAMED_BLOCKED, blocked_by_plan},
    {CUMSUM_NAMED_BLOCKED, scan_blocked},
    {CUMSUM_NAMED_EXACT, exact_by_plan},
    {CUMSUM_NAMED_HILLIS_STEELE, scan_hillis_steele},
    {CUMSUM_NAMED_SKLANSKY, scan_sklansky},
    {CUMSUM_NAMED_BLELLOCH, scan_blelloch},
    {CUMSUM_NAMED_SEQUENTIAL_BINARY64, scan_binary64},
};

static void fill(float *x, uint32_t n) {
    uint64_t state = 11;
    for (uint32_t k = 0; k < n; k++)
        x[k] = family_value(DATA_SIGNED, k, &state) *
               (float)(1u << (random_next(&state) % 12)); /* no short sum is exact */
}

static void each_order_is_named(void) {
    static float x[N], y[N];
    cumsum_judge_options options = {.all_orders = true};
    fill(x, N);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            memcpy(y + exclusive, x, (N - 1) * sizeof *y);
            orders[i].scan(y + exclusive, N - 1);
            y[exclusive ? 0 : N - 1] = 0;
            cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, exclusive ? N : N - 1, x, y,
                                          exclusive, &options, NULL);
            assert_true(j.pass);
            bool found = false;
            for (uint32_t m = 0; m < j.match_count; m++)
                found |= j.matches[m].order == orders[i].order;
            assert_true(found);
            /* The exact sums and the binary64 running sums may round to the same bits; no other two
             * orders do here. */
            assert_int_equal(j.match_count,
                             1 + (j.match_count > 1 && j.matches[0].order == CUMSUM_NAMED_EXACT));
            if (orders[i].order == CUMSUM_NAMED_EXACT)
                assert_int_equal(j.error_class, CUMSUM_CLASS_CORRECTLY_ROUNDED);
            else if (orders[i].order == CUMSUM_NAMED_SEQUENTIAL)
                assert_true(j.error_class > CUMSUM_CLASS_CORRECTLY_ROUNDED);
        }
}

/* With one bit changed in the last output the order is not named, but the tensor still passes. */
static void one_bit_off_loses_the_name(void) {
    static float x[N], y[N];
    fill(x, N);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        memcpy(y, x, sizeof y);
        orders[i].scan(y, N);
        y[N - 1] = float_of(bits_of(y[N - 1]) ^ 1);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, NULL, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 0);
    }
}

/* An order with m outputs changed, each by `by` ulp, is the nearest one. Exact sums and binary64
 * running sums are near each other. */
static void check_near(size_t order, bool exclusive, uint32_t m, uint32_t by) {
    static float x[N], y[N];
    const cumsum_judge_options options = {.near_order = true};
    fill(x, N);
    memcpy(y + exclusive, x, (N - exclusive) * sizeof *y);
    orders[order].scan(y + exclusive, N - exclusive);
    y[0] = exclusive ? 0 : y[0];
    for (uint32_t i = 0; i < m; i++)
        y[N - 1 - i] = float_of(bits_of(y[N - 1 - i]) + by);
    const cumsum_judgement j =
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, exclusive, &options, NULL);
    const uint32_t first = N - m;
    assert_int_equal(j.match_count, 0);
    if (m > N / 10) { /* more than a tenth */
        assert_int_equal(j.near.differing, 0);
        return;
    }
    assert_true(j.near.match.order == orders[order].order ||
                (orders[order].order == CUMSUM_NAMED_SEQUENTIAL_BINARY64 &&
                 j.near.match.order == CUMSUM_NAMED_EXACT));
    assert_int_equal(j.near.differing, m);
    assert_int_equal(j.near.coordinates[0], first);
    assert_int_equal(j.near.actual_bits, bits_of(y[first]));
    assert_int_equal(j.near.expected_bits, bits_of(y[first]) - by);
    assert_int_equal(j.near.ulps, by);
}

static void nearest_order_is_found(void) {
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        check_near(i, false, 1, 1);
        check_near(i, true, 1, 1 << 20);
        check_near(i, i % 2, N / 10, 3);
        check_near(i, i % 2, N / 10 + 1, 3);
    }
}

/* Without the option, for an order that gives all, and for no order at all there is no nearest. */
static void no_nearest_order(void) {
    static float x[N], y[N];
    const cumsum_judge_options options = {.near_order = true};
    fill(x, N);
    memcpy(y, x, sizeof y);
    scan_sequential(y, N);
    assert_int_equal(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, &options, NULL).near.differing, 0);
    y[N - 1] = float_of(bits_of(y[N - 1]) ^ 1);
    assert_int_equal(judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, NULL, NULL).near.differing,
                     0);
    for (uint32_t k = 0; k < N; k++)
        y[k] = float_of(bits_of(y[k]) ^ 1);
    assert_int_equal(
        judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, &options, NULL).near.differing, 0);
}

/* Lines along the first of two dimensions: the place is the first in row-major order. */
static void nearest_order_of_lines(void) {
    enum {
        LINES = 40,
        LENGTH = 50
    };
    static float x[LENGTH * LINES], y[LENGTH * LINES];
    const uint32_t sizes[2] = {LENGTH, LINES};
    scan_desc d;
    const cumsum_judge_options options = {.near_order = true};
    describe_scan(&d, CUMSUM_DATA_TYPE_FLOAT32, 2, sizes, NULL, NULL);
    d.operation.axis = 0;
    fill(x, LENGTH * LINES);
    for (uint32_t line = 0; line < LINES; line++) {
        float v[LENGTH];
        for (uint32_t k = 0; k < LENGTH; k++)
            v[k] = x[k * LINES + line];
        scan_sklansky(v, LENGTH);
        for (uint32_t k = 0; k < LENGTH; k++)
            y[k * LINES + line] = v[k];
    }
    y[30 * LINES + 7] += 1; /* its line comes first, its row last */
    y[20 * LINES + 31] += 1;
    const cumsum_judgement j = judge_scan(&d, x, y, &options, NULL);
    assert_int_equal(j.match_count, 0);
    assert_int_equal(j.near.match.order, CUMSUM_NAMED_SKLANSKY);
    assert_int_equal(j.near.differing, 2);
    assert_int_equal(j.near.coordinates[0], 20);
    assert_int_equal(j.near.coordinates[1], 31);
}

/* FLOAT16 sums, one of them 65511, which only the IEEE conversion stores as 65504, and one wrong
 * output: the near order has this store. */
static void large_sums_have_their_store(void) {
    enum {
        LENGTH = 100
    };
    uint16_t x[LENGTH], y[LENGTH];
    const cumsum_judge_options options = {.near_order = true};
    float sum = 0;
    for (int k = 0; k < LENGTH; k++) {
        const float term = k < 50 ? 655.5F : k == 50 ? 32736 : k == 51 ? -32736 : 0;
        sum += term;
        x[k] = cumsum_half_from_float(term, CUMSUM_HALF_STORE_IEEE);
        y[k] = cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE);
    }
    y[20] ^= 1;
    const cumsum_judgement j =
        judge_1d(CUMSUM_DATA_TYPE_FLOAT16, LENGTH, x, y, false, &options, NULL);
    assert_int_equal(j.near.differing, 1);
    assert_int_equal(j.near.match.order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.near.match.half_store, CUMSUM_HALF_STORE_IEEE);
}

static void flushing_is_named(void) {
    float x[200], y[200];
    uint64_t state = 5;
    for (int k = 0; k < 200; k++)
        x[k] = family_value(DATA_SUBNORMAL, 0, &state);
    sequential_flush(x, y, 200);
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, 200, x, y, false, NULL, NULL);
    assert_true(j.pass);
    assert_true(j.counts[CUMSUM_VERDICT_CONFORMANT_FLUSH] > 0);
    assert_int_equal(j.match_count, 1);
    assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    assert_int_equal(j.matches[0].denormals, CUMSUM_DENORMALS_FLUSH);
}

static float add_halves(float a, float b) {
    return cumsum_half_to_float(cumsum_half_from_float(a + b, CUMSUM_HALF_STORE_IEEE));
}

static float bfloat16_of(float value) {
    const uint32_t bits = bits_of(value);
    return float_of((bits + 0x7FFFu + (bits >> 16 & 1)) & 0xFFFF0000u);
}

static float add_bfloat16s(float a, float b) {
    return bfloat16_of(a + b);
}

static uint16_t stored_as(cumsum_data_type type, float sum, cumsum_half_store store) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return cumsum_half_from_float(sum, store);
    return (uint16_t)(bits_of(store == CUMSUM_HALF_STORE_TOWARD_ZERO ? sum : bfloat16_of(sum)) >>
                      16);
}

/* 16 bits: the accumulator and the store are part of the name. Binary32 sums of bfloat16 numbers
 * are nearly exact: the store hides the order, so that others fit as well. */
static void half_models_are_named(void) {
    enum {
        LENGTH = 2500
    };
    static const struct {
        cumsum_data_type type;
        float_addition *narrow;
        int stores;
    } types[] = {{CUMSUM_DATA_TYPE_FLOAT16, add_halves, 3},
                 {CUMSUM_DATA_TYPE_BFLOAT16, add_bfloat16s, 2}};
    static uint16_t x[LENGTH], y[LENGTH];
    static float v[LENGTH];
    for (int i = 0; i < 4; i++)
        for (int store = 0; store <= types[i / 2].stores; store++) {
            const cumsum_data_type type = types[i / 2].type;
            const bool narrow = store == types[i / 2].stores, blocked = i & 1;
            const cumsum_named_order order =
                blocked ? CUMSUM_NAMED_BLOCKED : CUMSUM_NAMED_SEQUENTIAL;
            const cumsum_half_store stored = narrow ? 0 : (cumsum_half_store)store;
            uint64_t state = 9;
            for (int k = 0; k < LENGTH; k++) {
                x[k] = (uint16_t)family_bits(type, DATA_SIGNED, 0, &state);
                v[k] = (float)real_value(real_format_of(type), x[k]);
            }
            (blocked ? scan_blocked_with : scan_sequential_with)(
                narrow ? types[i / 2].narrow : add_binary32, v, LENGTH);
            for (int k = 0; k < LENGTH; k++)
                y[k] = stored_as(type, v[k], stored);
            const cumsum_judge_options options = {.numerics = {.half_store = stored},
                                                  .all_orders = true};
            const cumsum_judgement j = judge_1d(type, LENGTH, x, y, false, &options, NULL);
            uint32_t m = 0;
            while (m + 1 < j.match_count && j.matches[m].order != order)
                m++;
            assert_true(j.pass && (narrow ? j.match_count == 1 : j.match_count > 0));
            assert_int_equal(j.matches[m].order, order);
            assert_int_equal(j.matches[m].half_accumulator, narrow);
            assert_int_equal(j.matches[m].half_store, stored);
        }
}

CHECK_GROUP(test_oracle_orders, T(each_order_is_named), T(one_bit_off_loses_the_name),
            T(nearest_order_is_found), T(no_nearest_order), T(nearest_order_of_lines),
            T(large_sums_have_their_store), T(flushing_is_named), T(half_models_are_named));
