/* SPDX-License-Identifier: MIT */
/*
 * The theorem of verdict 1, tried out: outputs added in thousands of random orders never fail,
 * whatever the data. Each output of a line has a tree of its own. The same outputs show that the
 * fast path of the loops over lines never disagrees with the exact rules. `test_oracle_trees all`
 * tries more.
 */
#include "check.h"
#include "oracle_data.h"

#include "judge_state.h"

#define MAX_TERMS 300

/* Lines of each family of data, and of those of 16 bits. */
static int float_lines = 150;
static int half_lines = 30;

typedef struct trees {
    uint32_t n;
    double terms[MAX_TERMS];
    double sums[MAX_TERMS]; /* sums[k]: terms 0..k in an order of its own */
} trees;

static void grow(trees *t, const real_device *how, uint64_t *state) {
    double v[MAX_TERMS];
    for (uint32_t k = 0; k < t->n; k++) {
        memcpy(v, t->terms, (k + 1) * sizeof *v);
        t->sums[k] = random_tree(how, v, k + 1, state);
    }
}

/* Judges a line, and compares the verdicts with the exact rule, applied to each output by itself.
 * Without the search for doubt: trees in any order would be suspect. */
static cumsum_judgement judge_as_the_rule(cumsum_data_type type, uint32_t n, const uint64_t *x,
                                          const uint64_t *y, const cumsum_judge_options *options,
                                          uint32_t allowed, uint8_t *verdicts) {
    uint64_t input[MAX_TERMS], output[MAX_TERMS];
    pack_elements(type, x, n, input);
    pack_elements(type, y, n, output);
    cumsum_judge_options without_doubt = options ? *options : (cumsum_judge_options){0};
    without_doubt.no_doubt = true;
    const cumsum_judgement j = judge_1d(type, n, input, output, false, &without_doubt, verdicts);
    assert_int_equal(j.outputs, n);
    exact_prefix p = exact_prefix_of(judge_format_of(type), NULL);
    for (uint32_t k = 0; k < n; k++) {
        const rule_options how = {.allowed = allowed};
        cumsum_exact_prefix_add(&p, x[k]);
        assert_int_equal(cumsum_rule(&p, y[k], &how).verdict, verdicts[k]);
    }
    return j;
}

/* Terms of a family. */
static void fill(trees *t, const real_format *f, data_family family, uint64_t *x, uint64_t *state) {
    for (uint32_t i = 0; i < t->n; i++) {
        x[i] = family_bits(f->type, family, i, state);
        t->terms[i] = real_value(f, x[i]);
    }
}

/* FLOAT32 and FLOAT64. */
static void float_trees(const real_device *how) {
    const bool flushes = how->all_or_none;
    uint64_t state = 1;
    for (int round = 0; round < float_lines * DATA_FAMILIES; round++) {
        trees t = {.n = 1 + (uint32_t)(random_next(&state) % 120)};
        uint64_t x[MAX_TERMS], y[MAX_TERMS];
        fill(&t, how->elements, (data_family)(round % DATA_FAMILIES), x, &state);
        grow(&t, how, &state);
        for (uint32_t k = 0; k < t.n; k++)
            y[k] = real_bits(how->elements, t.sums[k]);
        uint8_t verdicts[MAX_TERMS];
        judge_as_the_rule(how->elements->type, t.n, x, y, NULL, MODELS_FLOAT, verdicts);
        for (uint32_t k = 0; k < t.n; k++) {
            if (!isfinite(t.sums[k]))
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            verdicts[k] == CUMSUM_VERDICT_MAY_OVERFLOW);
            else
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            (flushes && verdicts[k] == CUMSUM_VERDICT_CONFORMANT_FLUSH));
        }
    }
}

static void any_order_conforms(void) {
    float_trees(&real_devices[0]);
    float_trees(&real_devices[2]);
}

static void any_order_with_flush_conforms(void) {
    float_trees(&real_devices[1]);
    float_trees(&real_devices[3]);
}

/* Sums of other formats, or with a wrong rounding, are not all taken for sums of the type. */
static void other_sums_are_seen(void) {
    uint64_t state = 9, failed = 0, failed_halves = 0;
    for (int round = 0; round < 200; round++) {
        trees t = {.n = 20};
        uint64_t x[MAX_TERMS], y[MAX_TERMS];
        fill(&t, &real_binary32, DATA_UNIFORM, x, &state);
        grow(&t, &real_devices[0], &state); /* in binary32, of FLOAT64 numbers */
        for (uint32_t i = 0; i < t.n; i++) {
            x[i] = bits_of_double(t.terms[i]);
            y[i] = bits_of_double(t.sums[i]);
        }
        uint8_t verdicts[MAX_TERMS];
        failed +=
            judge_as_the_rule(CUMSUM_DATA_TYPE_FLOAT64, t.n, x, y, NULL, MODELS_FLOAT, verdicts)
                .counts[CUMSUM_VERDICT_FAIL];
        fill(&t, &real_bfloat16, DATA_UNIFORM, x, &state);
        grow(&t, &real_devices[12], &state); /* a bfloat16 sum where a binary32 one was promised */
        for (uint32_t i = 0; i < t.n; i++)
            y[i] = bits_of((float)t.sums[i]) >> 16;
        const cumsum_judge_options promised = {.promised = true};
        failed_halves += judge_as_the_rule(CUMSUM_DATA_TYPE_BFLOAT16, t.n, x, y, &promised,
                                           MODEL(CUMSUM_VERDICT_BINARY32_NEAREST), verdicts)
                             .counts[CUMSUM_VERDICT_FAIL];
    }
    assert_true(failed > 3000 && failed_halves > 1000);
}

/* One line of FLOAT16 or BFLOAT16 outputs by one model. The model is promised if an option can say
 * so. */
static void half_round(const real_device *how, data_family family, uint64_t *state) {
    const cumsum_data_type type = how->elements->type;
    const uint32_t all = how->elements == &real_binary16 ? MODELS_FLOAT16 : MODELS_BFLOAT16;
    trees t = {.n = 1 + (uint32_t)(random_next(state) % 150)};
    uint64_t x[MAX_TERMS], y[MAX_TERMS];
    fill(&t, how->elements, family, x, state);
    grow(&t, how, state);
    for (uint32_t k = 0; k < t.n; k++)
        y[k] = real_output(how, t.sums[k]);
    cumsum_judge_options options = {.promised = !(MODEL(how->model) & MODELS_TRUNCATING)};
    options.numerics.half_store = how->store;
    if (how->sums == how->elements)
        options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    uint8_t verdicts[MAX_TERMS];
    const cumsum_judgement j = judge_as_the_rule(
        type, t.n, x, y, &options, options.promised ? MODEL(how->model) : all, verdicts);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 0);
    assert_true(j.models & MODEL(how->model));
    for (uint32_t k = 0; k < t.n; k++)
        if (isfinite(t.sums[k]) && options.promised)
            assert_int_equal(verdicts[k], how->model);
    options.promised = false;
    judge_as_the_rule(type, t.n, x, y, &options, all, verdicts);
}

static void any_order_of_16_bits_conforms(void) {
    uint64_t state = 2;
    for (int round = 0; round < half_lines * DATA_FAMILIES; round++)
        for (int m = 4; m < REAL_DEVICES; m++)
            half_round(&real_devices[m], (data_family)(round % DATA_FAMILIES), &state);
}

static void read_argument(void) {
    if (check_argument(0)) {
        float_lines = 300;
        half_lines = 150;
    }
}

CHECK_GROUP_WITH(test_oracle_trees, read_argument, NULL, T(any_order_conforms),
                 T(any_order_with_flush_conforms), T(any_order_of_16_bits_conforms),
                 T(other_sums_are_seen));
