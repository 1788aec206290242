/* SPDX-License-Identifier: MIT */
/*
 * The theorem of verdict 1, tried out: outputs added in thousands of random orders never fail,
 * whatever the data. Each output of a line has a tree of its own. The same outputs show that the
 * fast path of the loops over lines never disagrees with the exact rules. `test_oracle_trees all`
 * tries more.
 */
#include "oracle_data.h"

#include <float.h>

#include "exact_prefix.h"
#include "rule.h"

#define MAX_TERMS 300

/* Lines of each family of data, and of those of 16 bits. */
static int float_lines = 150;
static int half_lines = 30;

typedef enum rounding_way {
    BINARY32,
    BINARY32_FLUSH,
    BINARY16,
    BINARY16_TRUNCATING,
    BINARY16_SATURATING,
    BFLOAT16,
    BINARY64,
    BINARY64_FLUSH
} rounding_way;

static double flush(double x, rounding_way how) {
    const double least = how == BINARY32_FLUSH   ? (double)FLT_MIN
                         : how == BINARY64_FLUSH ? DBL_MIN
                                                 : 0;
    return fabs(x) < least ? copysign(0, x) : x;
}

/* To bfloat16, by adding what makes binary32 round there. */
static double to_bfloat16(float x) {
    const uint32_t bits = bits_of(x);
    if (!isfinite(x))
        return (double)x;
    return (double)float_of((bits + 0x7FFFu + (bits >> 16 & 1)) & 0xFFFF0000u);
}

/* The sum of two binary16 numbers is exact in binary64. */
static double add(double a, double b, rounding_way how) {
    const double exact = a + b;
    const float sum = (float)a + (float)b;
    switch (how) {
    case BINARY64:
    case BINARY64_FLUSH:
        return flush(exact, how);
    case BINARY16:
        return (double)cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    case BFLOAT16:
        return to_bfloat16(sum);
    case BINARY16_TRUNCATING:
    case BINARY16_SATURATING: {
        if (!(fabs(exact) < 65536))
            return isfinite(sum) && how == BINARY16_SATURATING ? copysign(65504, exact)
                                                               : copysign(INFINITY, exact);
        int exponent;
        frexp(exact, &exponent);
        double unit = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
        return trunc(exact / unit) * unit;
    }
    default:
        return flush((double)sum, how);
    }
}

/* Adds v[0..n) in a random order: it pairs elements at random (a tree of any shape), or splits the
 * range at random places (trees over neighbours). v is overwritten. */
static double random_tree(double *v, uint64_t n, rounding_way how, uint64_t *state) {
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
    double terms[MAX_TERMS];
    double sums[MAX_TERMS]; /* sums[k]: terms 0..k in an order of its own */
} trees;

static void grow(trees *t, rounding_way how, uint64_t *state) {
    double v[MAX_TERMS];
    for (uint32_t k = 0; k < t->n; k++) {
        for (uint32_t i = 0; i <= k; i++)
            v[i] = flush(t->terms[i], how);
        t->sums[k] = random_tree(v, k + 1u, how, state);
    }
}

/* A type, and the format of its elements. */
typedef struct element {
    cumsum_data_type type;
    const binary_format *format;
} element;

static const element float32 = {CUMSUM_DATA_TYPE_FLOAT32, &binary32_format};
static const element float64 = {CUMSUM_DATA_TYPE_FLOAT64, &binary64_format};
static const element float16 = {CUMSUM_DATA_TYPE_FLOAT16, &binary16_format};
static const element bfloat16 = {CUMSUM_DATA_TYPE_BFLOAT16, &bfloat16_format};

/* Judges a line, and compares the verdicts with the exact rule, applied to each output by itself.
 * Without the search for doubt: trees in any order would be doubtful. */
static cumsum_judgement judge_as_the_rule(const element *e, uint32_t n, const uint64_t *x,
                                          const uint64_t *y, const cumsum_judge_options *options,
                                          uint32_t allowed, uint8_t *verdicts) {
    uint64_t input[MAX_TERMS], output[MAX_TERMS];
    pack_elements(e->type, x, n, input);
    pack_elements(e->type, y, n, output);
    cumsum_judge_options without_doubt = options ? *options : (cumsum_judge_options){0};
    without_doubt.no_doubt = true;
    const cumsum_judgement j = judge_1d(e->type, n, input, output, false, &without_doubt, verdicts);
    assert_int_equal(j.outputs, n);
    exact_prefix p = exact_prefix_empty(e->format);
    for (uint32_t k = 0; k < n; k++) {
        const rule_options how = {.allowed = allowed};
        cumsum_exact_prefix_add(&p, x[k]);
        assert_int_equal(cumsum_rule(&p, y[k], &how).verdict, verdicts[k]);
    }
    return j;
}

/* FLOAT32 and FLOAT64. */
static void float_trees(const element *e, rounding_way how) {
    const bool flushes = how == BINARY32_FLUSH || how == BINARY64_FLUSH;
    uint64_t state = 1;
    for (int round = 0; round < float_lines * DATA_FAMILIES; round++) {
        trees t = {.n = 1 + (uint32_t)(random_next(&state) % 120)};
        uint64_t x[MAX_TERMS], y[MAX_TERMS];
        for (uint32_t i = 0; i < t.n; i++) {
            x[i] = family_bits(e->type, (data_family)(round % DATA_FAMILIES), i, &state);
            t.terms[i] = format_value(e->format, x[i]);
        }
        grow(&t, how, &state);
        for (uint32_t k = 0; k < t.n; k++)
            y[k] = format_bits(e->format, t.sums[k]);
        uint8_t verdicts[MAX_TERMS];
        judge_as_the_rule(e, t.n, x, y, NULL, MODELS_FLOAT, verdicts);
        for (uint32_t k = 0; k < t.n; k++) {
            if (!isfinite(t.sums[k]))
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            verdicts[k] == CUMSUM_VERDICT_INDETERMINATE);
            else
                assert_true(verdicts[k] == CUMSUM_VERDICT_CONFORMANT ||
                            (flushes && verdicts[k] == CUMSUM_VERDICT_CONFORMANT_FLUSH));
        }
    }
}

static void any_order_conforms(void **unused) {
    (void)unused;
    float_trees(&float32, BINARY32);
    float_trees(&float64, BINARY64);
}

static void any_order_with_flush_conforms(void **unused) {
    (void)unused;
    float_trees(&float32, BINARY32_FLUSH);
    float_trees(&float64, BINARY64_FLUSH);
}

/* Sums of other formats, or with a wrong rounding, are not all taken for sums of the type. */
static void other_sums_are_seen(void **unused) {
    (void)unused;
    uint64_t state = 9, failed = 0, failed_halves = 0;
    for (int round = 0; round < 200; round++) {
        trees t = {.n = 20};
        uint64_t x[MAX_TERMS], y[MAX_TERMS];
        for (uint32_t i = 0; i < t.n; i++)
            t.terms[i] = format_value(&binary32_format,
                                      x[i] = bits_of(family_value(DATA_UNIFORM, i, &state)));
        grow(&t, BINARY32, &state); /* in binary32, of FLOAT64 numbers */
        for (uint32_t i = 0; i < t.n; i++) {
            x[i] = bits_of_double(t.terms[i]);
            y[i] = bits_of_double(t.sums[i]);
        }
        uint8_t verdicts[MAX_TERMS];
        failed += judge_as_the_rule(&float64, t.n, x, y, NULL, MODELS_FLOAT, verdicts)
                      .counts[CUMSUM_VERDICT_FAIL];
        for (uint32_t i = 0; i < t.n; i++)
            t.terms[i] =
                format_value(&bfloat16_format, x[i] = family_bfloat16(DATA_UNIFORM, i, &state));
        grow(&t, BFLOAT16, &state); /* a bfloat16 sum where a binary32 one was promised */
        for (uint32_t i = 0; i < t.n; i++)
            y[i] = bits_of((float)t.sums[i]) >> 16;
        const cumsum_judge_options promised = {.promised = true};
        failed_halves += judge_as_the_rule(&bfloat16, t.n, x, y, &promised,
                                           MODEL(CUMSUM_VERDICT_BINARY32_NEAREST), verdicts)
                             .counts[CUMSUM_VERDICT_FAIL];
    }
    assert_true(failed > 3000 && failed_halves > 1000);
}

/* The 16 bits that a sum is stored as. */
static uint16_t stored(const element *e, double sum, cumsum_half_store store) {
    if (e == &float16)
        return cumsum_half_from_float((float)sum, store);
    const uint32_t bits = bits_of((float)sum);
    if (isnan(sum) || store == CUMSUM_HALF_STORE_TOWARD_ZERO)
        return isnan(sum) ? 0x7FC0u : (uint16_t)(bits >> 16);
    return (uint16_t)(bits_of((float)to_bfloat16((float)sum)) >> 16);
}

/* One line of FLOAT16 or BFLOAT16 outputs by one model. The model is promised if an option can say
 * so. */
static void half_round(const element *e, data_family family, rounding_way how,
                       cumsum_half_store store, cumsum_verdict model, uint64_t *state) {
    const uint32_t all = e == &float16 ? MODELS_FLOAT16 : MODELS_BFLOAT16;
    trees t = {.n = 1 + (uint32_t)(random_next(state) % 150)};
    uint64_t x[MAX_TERMS], y[MAX_TERMS];
    for (uint32_t i = 0; i < t.n; i++) {
        x[i] = family_bits(e->type, family, i, state);
        t.terms[i] = format_value(e->format, x[i]);
    }
    grow(&t, how, state);
    for (uint32_t k = 0; k < t.n; k++)
        y[k] = stored(e, t.sums[k], store);
    cumsum_judge_options options = {.promised = !(MODEL(model) & MODELS_TRUNCATING)};
    options.numerics.half_store = store;
    if (how == BINARY16 || how == BFLOAT16)
        options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    uint8_t verdicts[MAX_TERMS];
    const cumsum_judgement j =
        judge_as_the_rule(e, t.n, x, y, &options, options.promised ? MODEL(model) : all, verdicts);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 0);
    assert_true(j.models & MODEL(model));
    for (uint32_t k = 0; k < t.n; k++)
        if (isfinite(t.sums[k]) && options.promised)
            assert_int_equal(verdicts[k], model);
    options.promised = false;
    judge_as_the_rule(e, t.n, x, y, &options, all, verdicts);
}

static void any_order_of_16_bits_conforms(void **unused) {
    (void)unused;
    static const struct {
        const element *element;
        rounding_way how;
        cumsum_half_store store;
        cumsum_verdict model;
    } models[] = {
        {&float16, BINARY32, CUMSUM_HALF_STORE_NEAREST_EVEN, CUMSUM_VERDICT_BINARY32_NEAREST},
        {&float16, BINARY32, CUMSUM_HALF_STORE_TOWARD_ZERO, CUMSUM_VERDICT_BINARY32_ZERO},
        {&float16, BINARY32, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY32_IEEE},
        {&float16, BINARY16, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16},
        {&float16, BINARY16_TRUNCATING, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16_TRUNCATING},
        {&float16, BINARY16_SATURATING, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BINARY16_SATURATING},
        {&bfloat16, BINARY32, CUMSUM_HALF_STORE_NEAREST_EVEN, CUMSUM_VERDICT_BINARY32_NEAREST},
        {&bfloat16, BINARY32, CUMSUM_HALF_STORE_TOWARD_ZERO, CUMSUM_VERDICT_BINARY32_ZERO},
        {&bfloat16, BFLOAT16, CUMSUM_HALF_STORE_IEEE, CUMSUM_VERDICT_BFLOAT16},
    };
    uint64_t state = 2;
    for (int round = 0; round < half_lines * DATA_FAMILIES; round++)
        for (size_t m = 0; m < sizeof models / sizeof models[0]; m++)
            half_round(models[m].element, (data_family)(round % DATA_FAMILIES), models[m].how,
                       models[m].store, models[m].model, &state);
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        float_lines = 300;
        half_lines = 150;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_conforms),
        cmocka_unit_test(any_order_with_flush_conforms),
        cmocka_unit_test(any_order_of_16_bits_conforms),
        cmocka_unit_test(other_sums_are_seen),
    };
    return cmocka_run_group_tests_name("random summation trees", tests, NULL, NULL);
}
