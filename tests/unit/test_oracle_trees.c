/* SPDX-License-Identifier: MIT */
/*
 * The theorem of verdict 1, tried out: outputs added in thousands of random orders never fail,
 * whatever the data. Each output of a line has a tree of its own. The same outputs show that the
 * fast path of the loops over lines never disagrees with the exact rules.
 */
#include "oracle_data.h"

#include <float.h>

#include "exact_prefix.h"
#include "rule.h"

#define MAX_TERMS 300

typedef enum arithmetic {
    BINARY32,
    BINARY32_FLUSH,
    BINARY16,
    BINARY16_TRUNCATING,
    BINARY16_SATURATING
} arithmetic;

static float flush(float x) {
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

/* The sum of two binary16 numbers is exact in binary64. */
static float add(float a, float b, arithmetic how) {
    float sum = a + b;
    if (how == BINARY32_FLUSH)
        return flush(sum);
    if (how == BINARY16)
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    if (how == BINARY16_TRUNCATING || how == BINARY16_SATURATING) {
        double exact = (double)a + (double)b;
        if (!(fabs(exact) < 65536))
            return isfinite(sum) && how == BINARY16_SATURATING ? copysignf(65504, sum)
                                                               : copysignf(INFINITY, sum);
        int exponent;
        frexp(exact, &exponent);
        double unit = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
        return (float)(trunc(exact / unit) * unit);
    }
    return sum;
}

/* Adds v[0..n) in a random order: it pairs elements at random (a tree of any shape), or splits the
 * range at random places (trees over neighbours). v is overwritten. */
static float random_tree(float *v, uint64_t n, arithmetic how, uint64_t *state) {
    bool neighbours = random_next(state) & 1;
    while (n > 1) {
        uint64_t i = random_next(state) % (n - 1), j = i + 1;
        if (!neighbours) {
            j = random_next(state) % n;
            if (i == j)
                continue;
        }
        v[i] = add(v[i], v[j], how);
        if (neighbours)
            memmove(v + j, v + j + 1, (size_t)(n - j - 1) * sizeof *v);
        else
            v[j] = v[n - 1];
        n--;
    }
    return n ? v[0] : 0;
}

typedef struct trees {
    uint32_t n;
    float terms[MAX_TERMS];
    float sums[MAX_TERMS]; /* sums[k]: terms 0..k in an order of its own */
} trees;

static void grow(trees *t, arithmetic how, uint64_t *state) {
    float v[MAX_TERMS];
    for (uint32_t k = 0; k < t->n; k++) {
        for (uint32_t i = 0; i <= k; i++)
            v[i] = how == BINARY32_FLUSH ? flush(t->terms[i]) : t->terms[i];
        t->sums[k] = random_tree(v, k + 1u, how, state);
    }
}

/* Compares the verdicts with the exact rule, applied to each output by itself. */
static void same_as_the_rule(const binary_format *f, uint32_t n, const void *x, const void *y,
                             const uint8_t *verdicts, uint32_t allowed) {
    bool half = f == &binary16_format;
    exact_prefix p = exact_prefix_empty(f);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t bits = half ? ((const uint16_t *)x)[k] : ((const uint32_t *)x)[k];
        uint32_t out = half ? ((const uint16_t *)y)[k] : ((const uint32_t *)y)[k];
        cumsum_exact_prefix_add(&p, bits);
        const rule_options how = {.allowed = allowed};
        rule_result r =
            half ? cumsum_rule_half(&p, out, &how) : cumsum_rule_float(&p, out, &how);
        assert_int_equal(r.verdict, verdicts[k]);
    }
}

static void float32_trees(arithmetic how) {
    uint64_t state = 1;
    for (int round = 0; round < 300 * DATA_FAMILIES; round++) {
        trees t = {.n = 1 + (uint32_t)(random_next(&state) % 120)};
        for (uint32_t i = 0; i < t.n; i++)
            t.terms[i] = family_value((data_family)(round % DATA_FAMILIES), i, &state);
        grow(&t, how, &state);
        uint8_t verdicts[MAX_TERMS];
        cumsum_judgement j =
            judge_1d(CUMSUM_DATA_TYPE_FLOAT32, t.n, t.terms, t.sums, false, NULL, verdicts);
        assert_int_equal(j.outputs, t.n);
        for (uint32_t k = 0; k < t.n; k++) {
            if (!isfinite(t.sums[k]))
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            verdicts[k] == CUMSUM_VERDICT_INDETERMINATE);
            else if (how == BINARY32)
                assert_int_equal(verdicts[k], CUMSUM_VERDICT_CONFORMANT);
            else
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            verdicts[k] == CUMSUM_VERDICT_CONFORMANT_FLUSH);
        }
        same_as_the_rule(&binary32_format, t.n, t.terms, t.sums, verdicts, MODELS_FLOAT);
    }
}

static void float32_any_order_conforms(void **unused) {
    (void)unused;
    float32_trees(BINARY32);
}

static void float32_any_order_with_flush_conforms(void **unused) {
    (void)unused;
    float32_trees(BINARY32_FLUSH);
}

/* One line of FLOAT16 outputs by one model. The model is promised if an option can say so. */
static void float16_round(data_family family, arithmetic how, cumsum_half_store store,
                          cumsum_verdict model, uint64_t *state) {
    trees t = {.n = 1 + (uint32_t)(random_next(state) % 150)};
    uint16_t x[MAX_TERMS], y[MAX_TERMS];
    for (uint32_t i = 0; i < t.n; i++) {
        x[i] = family_half(family, i, state);
        t.terms[i] = cumsum_half_to_float(x[i]);
    }
    grow(&t, how, state);
    for (uint32_t k = 0; k < t.n; k++)
        y[k] = cumsum_half_from_float(t.sums[k], store);
    cumsum_judge_options options = {.promised = !(MODEL(model) & MODELS_TRUNCATING)};
    options.numerics.half_store = store;
    if (model == CUMSUM_VERDICT_BINARY16)
        options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    uint8_t verdicts[MAX_TERMS];
    cumsum_judgement j = judge_1d(CUMSUM_DATA_TYPE_FLOAT16, t.n, x, y, false, &options, verdicts);
    assert_int_equal(j.outputs, t.n);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 0);
    assert_true(j.models & MODEL(model));
    for (uint32_t k = 0; k < t.n; k++)
        if (isfinite(t.sums[k]) && options.promised)
            assert_int_equal(verdicts[k], model);
    same_as_the_rule(&binary16_format, t.n, x, y, verdicts,
                     options.promised ? MODEL(model) : MODELS_FLOAT16);
    options.promised = false;
    judge_1d(CUMSUM_DATA_TYPE_FLOAT16, t.n, x, y, false, &options, verdicts);
    same_as_the_rule(&binary16_format, t.n, x, y, verdicts, MODELS_FLOAT16);
}

static void float16_any_order_conforms(void **unused) {
    (void)unused;
    static const struct {
        arithmetic how;
        cumsum_half_store store;
        cumsum_verdict model;
    } models[] = {
        {BINARY32, CUMSUM_HALF_STORE_NEAREST_EVEN, CUMSUM_VERDICT_BINARY32_NEAREST},
        {BINARY32, CUMSUM_HALF_STORE_TOWARD_ZERO, CUMSUM_VERDICT_BINARY32_ZERO},
        {BINARY32, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY32_IEEE},
        {BINARY16, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16},
        {BINARY16_TRUNCATING, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16_TRUNCATING},
        {BINARY16_SATURATING, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16_SATURATING},
    };
    uint64_t state = 2;
    for (int round = 0; round < 150 * DATA_FAMILIES; round++)
        for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
            float16_round((data_family)(round % DATA_FAMILIES), models[m].how, models[m].store,
                          models[m].model, &state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float32_any_order_conforms),
        cmocka_unit_test(float32_any_order_with_flush_conforms),
        cmocka_unit_test(float16_any_order_conforms),
    };
    return cmocka_run_group_tests_name("random summation trees", tests, NULL, NULL);
}
