/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: each order, computed here from its textbook definition, is found by its name. The data
 * gives every order different bits.
 */
#include "oracle_data.h"

#include <float.h>
#include <stdlib.h>

#define N 2500 /* three tiles of the blocked order, and no power of two */

typedef void scan(const float *x, float *y, uint32_t n);

static void sequential(const float *x, float *y, uint32_t n) {
    float sum = 0;
    for (uint32_t k = 0; k < n; k++)
        y[k] = sum += x[k];
}

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

static void sequential_binary64(const float *x, float *y, uint32_t n) {
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        y[k] = (float)(sum += (double)x[k]);
}

/* Hillis and Steele, 1986: log n rounds, each of which reads a copy of the one before. */
static void hillis_steele(const float *x, float *y, uint32_t n) {
    float *last = malloc(n * sizeof *last);
    memcpy(y, x, n * sizeof *y);
    for (uint32_t d = 1; d < n; d *= 2) {
        memcpy(last, y, n * sizeof *y);
        for (uint32_t i = d; i < n; i++)
            y[i] = last[i - d] + last[i];
    }
    free(last);
}

/* Sklansky, 1960, by recursion: scan both halves, then add the left total to all of the right. */
static void sklansky_range(float *y, uint32_t n, uint32_t width) {
    if (width == 1 || n == 0)
        return;
    uint32_t half = width / 2, left = n < half ? n : half;
    sklansky_range(y, left, half);
    sklansky_range(y + left, n - left, half);
    for (uint32_t i = half; i < n; i++)
        y[i] = y[half - 1] + y[i];
}

static uint32_t power_of_two(uint32_t n) {
    uint32_t width = 1;
    while (width < n)
        width *= 2;
    return width;
}

static void sklansky(const float *x, float *y, uint32_t n) {
    memcpy(y, x, n * sizeof *y);
    sklansky_range(y, n, power_of_two(n));
}

/* Blelloch, 1990: up-sweep and down-sweep over a power of two. The result is the exclusive scan,
 * which is read one place later. */
static void blelloch(const float *x, float *y, uint32_t n) {
    uint32_t width = power_of_two(n + 1);
    float *t = calloc(width, sizeof *t);
    memcpy(t, x, n * sizeof *t);
    for (uint32_t d = 1; d < width; d *= 2)
        for (uint32_t i = 2 * d - 1; i < width; i += 2 * d)
            t[i] = t[i - d] + t[i];
    t[width - 1] = 0;
    for (uint32_t d = width / 2; d > 0; d /= 2)
        for (uint32_t i = 2 * d - 1; i < width; i += 2 * d) {
            float left = t[i - d];
            t[i - d] = t[i];
            t[i] = t[i] + left;
        }
    memcpy(y, t + 1, n * sizeof *y);
    free(t);
}

static void by_plan(cumsum_order order, const float *x, float *y, uint32_t n) {
    cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                        .dimension_count = 1,
                                        .sizes = &n,
                                        .total_tensor_size_in_bytes = 4 * (uint64_t)n};
    cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_plan_options options = {.numerics = {.order = order}};
    cumsum_plan *plan;
    assert_int_equal(cumsum_plan_create(&desc, &options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, x, 4 * (uint64_t)n, y, 4 * (uint64_t)n, NULL), 0);
    cumsum_plan_destroy(plan);
}

static void blocked(const float *x, float *y, uint32_t n) {
    by_plan(CUMSUM_ORDER_BLOCKED, x, y, n);
}

static void exact(const float *x, float *y, uint32_t n) {
    by_plan(CUMSUM_ORDER_EXACT, x, y, n);
}

static const struct {
    cumsum_named_order order;
    scan *compute;
} orders[] = {
    {CUMSUM_NAMED_SEQUENTIAL, sequential},
    {CUMSUM_NAMED_BLOCKED, blocked},
    {CUMSUM_NAMED_EXACT, exact},
    {CUMSUM_NAMED_HILLIS_STEELE, hillis_steele},
    {CUMSUM_NAMED_SKLANSKY, sklansky},
    {CUMSUM_NAMED_BLELLOCH, blelloch},
    {CUMSUM_NAMED_SEQUENTIAL_BINARY64, sequential_binary64},
};

static void fill(float *x, uint32_t n) {
    uint64_t state = 11;
    for (uint32_t k = 0; k < n; k++)
        x[k] = family_value(DATA_SIGNED, k, &state) *
               (float)(1u << (random_next(&state) % 12)); /* no short sum is exact */
}

static void each_order_is_named(void **unused) {
    (void)unused;
    static float x[N], y[N];
    cumsum_judge_options options = {.all_orders = true};
    fill(x, N);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            orders[i].compute(x, y + exclusive, N - 1);
            y[exclusive ? 0 : N - 1] = 0;
            cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, exclusive ? N : N - 1, x, y,
                                          exclusive, &options, NULL);
            assert_true(j.pass);
            bool found = false;
            for (uint32_t m = 0; m < j.match_count; m++)
                found |= j.matches[m].order == orders[i].order;
            assert_true(found);
            /* The exact sums and the binary64 tallies may round to the same bits; no other two
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
static void one_bit_off_loses_the_name(void **unused) {
    (void)unused;
    static float x[N], y[N];
    fill(x, N);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        orders[i].compute(x, y, N);
        y[N - 1] = float_of(bits_of(y[N - 1]) ^ 1);
        cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT32, N, x, y, false, NULL, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 0);
    }
}

static void flushing_is_named(void **unused) {
    (void)unused;
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

/* FLOAT16: the accumulator and the store are part of the name. */
static void half_models_are_named(void **unused) {
    (void)unused;
    enum {
        LENGTH = 600
    };
    static uint16_t x[LENGTH], y[LENGTH];
    uint64_t state = 9;
    for (int k = 0; k < LENGTH; k++)
        x[k] = family_half(DATA_UNIFORM, 0, &state);
    for (int variant = 0; variant < 4; variant++) {
        bool narrow = variant == 3;
        cumsum_half_store store = narrow ? CUMSUM_HALF_STORE_IEEE : (cumsum_half_store)variant;
        float sum = 0;
        for (int k = 0; k < LENGTH; k++) {
            sum += cumsum_half_to_float(x[k]);
            y[k] = cumsum_half_from_float(sum, store);
            if (narrow)
                sum = cumsum_half_to_float(y[k]);
        }
        cumsum_judge_options options = {.numerics = {.half_store = store}};
        cumsum_judgement j =
            judge_1d(CUMSUM_DATA_TYPE_FLOAT16, LENGTH, x, y, false, &options, NULL);
        assert_true(j.pass);
        assert_int_equal(j.match_count, 1);
        assert_int_equal(j.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
        assert_int_equal(j.matches[0].half_accumulator, narrow);
        assert_int_equal(j.matches[0].half_store, narrow ? 0 : store);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_order_is_named),
        cmocka_unit_test(one_bit_off_loses_the_name),
        cmocka_unit_test(flushing_is_named),
        cmocka_unit_test(half_models_are_named),
    };
    return cmocka_run_group_tests_name("named orders", tests, NULL, NULL);
}
