/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge_sums: every tree of a few terms, random trees of tensors, wrong outputs, and the
 * cases that have a rule of their own: empty sums, signs of zeros, compensated sums, doubt, axes
 * and shapes that make no reduction.
 */
#include <cumsum/sums.h>

#include <math.h>
#include <string.h>

#include "oracle_data.h"
#include "sum_trial.h"

static void test_trials(void **unused) {
    (void)unused;
    sum_trial t = {.state = 1};
    for (uint32_t i = 0; i < random_trials(4000); i++)
        sum_trial_all_orders(&t);
    for (uint32_t i = 0; i < random_trials(1500); i++)
        sum_trial_random_tree(&t);
    for (uint32_t i = 0; i < random_trials(1000); i++)
        sum_trial_wrong(&t);
    assert_int_equal(t.wrong, 0);
    assert_true(t.asked > random_trials(30000));
}

/* A reduction of FLOAT32 over one axis, row by row. */
typedef struct rows {
    uint32_t count;
    uint32_t terms;
    const float *x;
    const float *y;
    cumsum_judge_options options;
} rows;

static cumsum_status judge_rows(const rows *r, cumsum_sums_judgement *judgement) {
    const uint32_t sizes[2] = {r->count, r->terms}, out_sizes[2] = {r->count, 1}, axis = 1;
    const uint64_t bytes = 4 * (uint64_t)r->count * r->terms;
    const cumsum_buffer_tensor_desc in = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                          .dimension_count = 2,
                                          .sizes = sizes,
                                          .total_tensor_size_in_bytes = bytes};
    const cumsum_buffer_tensor_desc out = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                           .dimension_count = 2,
                                           .sizes = out_sizes,
                                           .total_tensor_size_in_bytes = 4 * (uint64_t)r->count};
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    const cumsum_tensor_desc to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, 1, &axis};
    return cumsum_judge_sums(&desc, r->x, bytes, r->y, 4 * (uint64_t)r->count, &r->options, NULL,
                             judgement, NULL);
}

static cumsum_verdict verdict_of_one(const rows *r) {
    cumsum_sums_judgement j;
    assert_int_equal(judge_rows(r, &j), CUMSUM_OK);
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (j.judgement.counts[v])
            return (cumsum_verdict)v;
    return CUMSUM_VERDICT_COUNT;
}

static cumsum_verdict verdict_on(uint32_t terms, const float *x, float y, bool strict_zero) {
    const rows r = {1, terms, x, &y, {.strict_zero = strict_zero}};
    return verdict_of_one(&r);
}

static void test_empty(void **unused) {
    (void)unused;
    const float x[1] = {0};
    const int exact = CUMSUM_VERDICT_CONFORMANT;
    assert_int_equal(verdict_on(0, x, 0.0f, true), exact);
    assert_int_equal(verdict_on(0, x, -0.0f, false), exact);
    assert_int_equal(verdict_on(0, x, -0.0f, true), CUMSUM_VERDICT_FAIL);
    assert_int_equal(verdict_on(0, x, 0x1p-149f, false), CUMSUM_VERDICT_FAIL);
    assert_int_equal(verdict_on(0, x, NAN, false), CUMSUM_VERDICT_FAIL);
    cumsum_sums_judgement j;
    const rows none = {0, 5, x, x, {0}};
    assert_int_equal(judge_rows(&none, &j), CUMSUM_OK);
    assert_int_equal(j.judgement.outputs, 0);
    assert_true(j.judgement.pass);
}

static void test_zeros(void **unused) {
    (void)unused;
    const float minus[3] = {-0.0f, -0.0f, -0.0f}, mixed[3] = {-0.0f, 0.0f, -0.0f};
    const float cancelling[2] = {1, -1};
    const int fail = CUMSUM_VERDICT_FAIL;
    assert_int_not_equal(verdict_on(3, minus, -0.0f, true), fail);
    assert_int_not_equal(verdict_on(3, minus, 0.0f, true), fail);
    assert_int_equal(verdict_on(3, mixed, -0.0f, true), fail);
    assert_int_equal(verdict_on(2, cancelling, -0.0f, true), fail);
    assert_int_not_equal(verdict_on(2, cancelling, -0.0f, false), fail);
}

/* A NaN is right where a term is one, and nowhere else. */
static void test_nan(void **unused) {
    (void)unused;
    const float x[3] = {1, 2, 3}, nan[3] = {1, NAN, 3}, both[3] = {INFINITY, -INFINITY, 1};
    assert_int_equal(verdict_on(3, x, NAN, false), CUMSUM_VERDICT_FAIL);
    assert_int_equal(verdict_on(3, nan, NAN, false), CUMSUM_VERDICT_EXACT);
    assert_int_equal(verdict_on(3, both, NAN, false), CUMSUM_VERDICT_EXACT);
    assert_int_equal(verdict_on(3, nan, 4, false), CUMSUM_VERDICT_FAIL);
}

/* [1, 2^24, 1]: neighbours give 16777216 only, another order 16777218. A value that lies between
 * what all orders give is closer than the worst. */
static void test_orders_and_closer(void **unused) {
    (void)unused;
    const float x[3] = {1, 0x1p24f, 1};
    assert_int_equal(verdict_on(3, x, 16777216.0f, false), CUMSUM_VERDICT_CONFORMANT);
    assert_int_equal(verdict_on(3, x, 16777218.0f, false), CUMSUM_VERDICT_CONFORMANT);
    /* The orders give 0, 1.5, 2, 3.5 and 4. */
    const float far[4] = {0x1p25f, 1.5f, 2, -0x1p25f};
    float y = 3.0f;
    cumsum_sums_judgement j;
    const rows between = {1, 4, far, &y, {0}};
    assert_int_equal(judge_rows(&between, &j), CUMSUM_OK);
    assert_int_equal(j.judgement.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(j.closer, 1);
    y = 5.0f;
    assert_int_equal(judge_rows(&between, &j), CUMSUM_OK);
    assert_int_equal(j.closer, 0);
    assert_int_equal(verdict_on(4, far, 3.5f, false), CUMSUM_VERDICT_CONFORMANT);
}

/* The verdict on a sum of 1,024 halves, about 0.75 each; or on a sum with flushing, of
 * numbers of which none is flushed: multiples of the smallest normal number, with their sums. */
static cumsum_sums_judgement judge_halves(double factor, bool flushing) {
    enum {
        N = 1024
    };
    uint16_t x[N];
    uint64_t state = 1;
    double sum = 0;
    for (uint32_t k = 0; k < N; k++) {
        x[k] = cumsum_half_from_float(flushing ? (float)random_between(&state, 4, 8) * 0x1p-14f
                                               : 0.5f + (float)random_below(&state, 512) * 0x1p-10f,
                                      CUMSUM_HALF_STORE_IEEE);
        sum += (double)cumsum_half_to_float(x[k]);
    }
    const uint16_t y = cumsum_half_from_float((float)(sum * factor), CUMSUM_HALF_STORE_IEEE);
    const uint32_t n = N, one = 1, axis = 0;
    const cumsum_buffer_tensor_desc in = {.data_type = CUMSUM_DATA_TYPE_FLOAT16,
                                          .dimension_count = 1,
                                          .sizes = &n,
                                          .total_tensor_size_in_bytes = sizeof x};
    const cumsum_buffer_tensor_desc out = {.data_type = CUMSUM_DATA_TYPE_FLOAT16,
                                           .dimension_count = 1,
                                           .sizes = &one,
                                           .total_tensor_size_in_bytes = 4};
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    const cumsum_tensor_desc to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, 1, &axis};
    const cumsum_profile profile = {.flush_results = CUMSUM_FLUSH_MAY};
    const cumsum_judge_options options = {.profile = flushing ? &profile : NULL};
    cumsum_sums_judgement j;
    assert_int_equal(cumsum_judge_sums(&desc, x, sizeof x, &y, sizeof y, &options, NULL, &j, NULL),
                     CUMSUM_OK);
    return j;
}

/* A tenth is lost: some order of binary16 additions gives it, but no balanced tree. */
static void test_doubt(void **unused) {
    (void)unused;
    cumsum_sums_judgement j = judge_halves(1, false);
    assert_true(j.judgement.pass);
    j = judge_halves(0.9, false);
    assert_false(j.judgement.pass);
    assert_int_equal(j.judgement.counts[CUMSUM_VERDICT_DOUBTFUL], 1);
    assert_int_equal(j.judgement.doubt.reason, CUMSUM_DOUBT_NOTHING_KNOWN);
    assert_int_equal(j.judgement.doubt.model, CUMSUM_VERDICT_BINARY16);
    assert_int_equal(j.judgement.doubt.terms, 1024);
    assert_true(judge_halves(1, true).judgement.pass);
    assert_int_equal(judge_halves(0.9, true).judgement.counts[CUMSUM_VERDICT_DOUBTFUL], 1);
}

/* A named order has to give all sums. */
static void test_named_orders(void **unused) {
    (void)unused;
    float x[20 * 50], y[20];
    uint64_t state = 3;
    for (uint32_t k = 0; k < 20 * 50; k++)
        x[k] = family_value(DATA_SIGNED, k, &state);
    for (uint32_t row = 0; row < 20; row++) {
        y[row] = 0;
        for (uint32_t k = 0; k < 50; k++)
            y[row] += x[row * 50 + k];
    }
    const rows r = {20, 50, x, y, {0}};
    cumsum_sums_judgement j;
    assert_int_equal(judge_rows(&r, &j), CUMSUM_OK);
    assert_int_equal(j.judgement.match_count, 1);
    assert_int_equal(j.judgement.matches[0].order, CUMSUM_NAMED_SEQUENTIAL);
    y[7] = nextafterf(y[7], INFINITY);
    assert_int_equal(judge_rows(&r, &j), CUMSUM_OK);
    assert_int_equal(j.judgement.match_count, 0);
    assert_true(j.judgement.pass);
}

/* ---- What is no reduction ---- */

typedef struct shape {
    cumsum_data_type type, out_type;
    uint32_t rank, out_rank;
    uint32_t sizes[9], out_sizes[9];
    uint32_t axis_count;
    uint32_t axes[9];
} shape;

static void expect_message(const shape *s, const char *message) {
    static const float memory[64];
    const cumsum_buffer_tensor_desc in = {.data_type = s->type,
                                          .dimension_count = s->rank,
                                          .sizes = s->sizes,
                                          .total_tensor_size_in_bytes = sizeof memory};
    const cumsum_buffer_tensor_desc out = {.data_type = s->out_type,
                                           .dimension_count = s->out_rank,
                                           .sizes = s->out_sizes,
                                           .total_tensor_size_in_bytes = sizeof memory};
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    const cumsum_tensor_desc to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, s->axis_count, s->axes};
    cumsum_sums_judgement judgement;
    cumsum_diagnostic diagnostic;
    assert_int_not_equal(cumsum_judge_sums(&desc, memory, sizeof memory, memory, sizeof memory,
                                           NULL, NULL, &judgement, &diagnostic),
                         CUMSUM_OK);
    assert_string_equal(diagnostic.message, message);
}

static void test_errors(void **unused) {
    (void)unused;
    const cumsum_data_type f32 = CUMSUM_DATA_TYPE_FLOAT32, i32 = CUMSUM_DATA_TYPE_INT32;
    const shape right = {f32, f32, 2, 2, {2, 3}, {2, 1}, 1, {1}};
    shape s = right;
    s.axes[0] = 2;
    expect_message(&s, "Axes[0] is 2, but it must be below DimensionCount, here 2.");
    s = right;
    s.axis_count = 2;
    s.axes[1] = 1;
    expect_message(&s, "Axes[1] is 1, but it must be given at most once.");
    s = right;
    s.axis_count = 9;
    expect_message(&s, "AxisCount is 9, but it must be from 0 to 8.");
    s = right;
    s.rank = s.out_rank = 9;
    expect_message(&s, "InputTensor.DimensionCount is 9, but it must be from 1 to 8.");
    s = right;
    s.out_sizes[1] = 3;
    expect_message(&s, "OutputTensor.Sizes[1] is 3, but it must be 1, since the axis is summed.");
    s = right;
    s.out_sizes[0] = 1;
    expect_message(&s,
                   "OutputTensor.Sizes[0] is 1, but it must equal InputTensor.Sizes of the same "
                   "dimension, here 2.");
    s = right;
    s.rank = 3;
    s.sizes[2] = 2;
    s.out_rank = 1;
    expect_message(&s, "OutputTensor.DimensionCount is 1, but it must equal "
                       "InputTensor.DimensionCount, here 3.");
    s = right;
    s.out_type = i32;
    expect_message(&s, "OutputTensor.DataType is INT32, but it must equal InputTensor.DataType.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trials),       cmocka_unit_test(test_empty),
        cmocka_unit_test(test_zeros),        cmocka_unit_test(test_nan),
        cmocka_unit_test(test_doubt),        cmocka_unit_test(test_orders_and_closer),
        cmocka_unit_test(test_named_orders), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
