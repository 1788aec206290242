/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge_sums: a sum is judged by the rule on all of its terms, which other tests compare
 * with every tree; random trees of tensors, wrong outputs, and the cases that have a rule of their
 * own: empty sums, signs of zeros, compensated sums, doubt, axes and shapes that make no reduction.
 */
#include <cumsum/sums.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "judge_state.h"
#include "oracle_data.h"

#define F32 CUMSUM_DATA_TYPE_FLOAT32

/* What a reduction has. */
typedef struct sum_shape {
    cumsum_data_type type, out_type;
    uint32_t rank, out_rank;
    uint32_t sizes[9], out_sizes[9];
    uint32_t axis_count;
    uint32_t axes[9];
} sum_shape;

/* A descriptor, which points into itself and to the shape. */
typedef struct sum_desc {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    cumsum_sums_desc operation;
} sum_desc;

/* Of packed tensors of at most 4 KiB. */
static const cumsum_sums_desc *describe(sum_desc *d, const sum_shape *s) {
    for (int i = 0; i < 2; i++) {
        d->buffers[i] = (cumsum_buffer_tensor_desc){.data_type = i ? s->out_type : s->type,
                                                    .dimension_count = i ? s->out_rank : s->rank,
                                                    .sizes = i ? s->out_sizes : s->sizes,
                                                    .total_tensor_size_in_bytes = 4096};
        d->tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &d->buffers[i]};
    }
    d->operation = (cumsum_sums_desc){&d->tensors[0], &d->tensors[1], s->axis_count, s->axes};
    return &d->operation;
}

/* ---- trials ---- */

typedef struct sum_trial {
    uint64_t state; /* of the random numbers */
    uint64_t wrong;
    uint64_t asked; /* answers that were looked at */
} sum_trial;

/* Judges one output of n packed terms. */
static cumsum_sums_judgement judge_one(cumsum_data_type type, uint32_t n, const uint64_t *terms,
                                       uint64_t y, bool reachable) {
    unsigned char input[16 * 8], output[8];
    const sum_shape shape = {type, type, 1, 1, {n}, {1}, 1, {0}};
    const cumsum_judge_options options = {.reachable = reachable, .no_orders = true};
    cumsum_sums_judgement judgement = {.closer = 0};
    sum_desc d;
    pack_elements(type, terms, n, input);
    pack_elements(type, &y, 1, output);
    cumsum_judge_sums(describe(&d, &shape), input, sizeof input, output, sizeof output, &options,
                      NULL, &judgement, NULL);
    return judgement;
}

static void complain(sum_trial *t, const char *what, cumsum_data_type type, uint32_t n,
                     const uint64_t *terms, uint64_t y) {
    if (t->wrong++)
        return;
    printf("%s: %s, y=%" PRIx64 " of", what, cumsum_data_type_name(type), y);
    for (uint32_t i = 0; i < n; i++)
        printf(" %" PRIx64, terms[i]);
    printf("\n");
}

static cumsum_verdict verdict_of(const cumsum_sums_judgement *j) {
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (j->judgement.counts[v])
            return (cumsum_verdict)v;
    return CUMSUM_VERDICT_COUNT;
}

static uint32_t models_of(const binary_format *f) {
    return f->precision >= 24   ? MODELS_FLOAT
           : f->precision == 11 ? MODELS_FLOAT16
                                : MODELS_BFLOAT16;
}

/* A few terms, or as many as are tried in every order on request, and zeros; a sum of theirs that a
 * device gives, or a number next to it: what is said of it is what the rule says. */
static void try_one_sum(sum_trial *t) {
    static double values[REACH_ROOM];
    const real_device *d = &real_devices[random_below(&t->state, REAL_DEVICES)];
    const cumsum_data_type type = d->elements->type;
    const binary_format *f = judge_format_of(type);
    const data_family family = (data_family)random_below(&t->state, DATA_FAMILIES);
    const bool reachable = random_once_in(&t->state, 8);
    const uint32_t n = random_between(&t->state, 1, reachable ? REACH_MOST : 12);
    const rule_options how = {.allowed = models_of(f), .values = reachable ? values : NULL};
    exact_prefix p = exact_prefix_of(f, NULL);
    uint64_t terms[16];
    double tree[16];
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = random_once_in(&t->state, 3) ? 0 : family_bits(type, family, i, &t->state);
        tree[i] = real_value(d->elements, terms[i]);
        cumsum_exact_prefix_add(&p, terms[i]);
    }
    const uint64_t given = real_output(d, random_tree(d, tree, n, &t->state));
    const uint64_t y = given + random_below(&t->state, 3) - 1;
    const rule_result r = cumsum_rule(&p, y & (f->sign | (f->sign - 1)), &how);
    const cumsum_sums_judgement j = judge_one(type, n, terms, y, reachable);
    const cumsum_finding *shown = &j.judgement.first;
    t->asked++;
    if (verdict_of(&j) != r.verdict || j.judgement.models != r.models ||
        shown->expected_bits != r.expected || shown->lower_bits != r.lower ||
        shown->upper_bits != r.upper || shown->decided != r.decided)
        complain(t, cumsum_verdict_name(r.verdict), type, n, terms, y);
    if (y == given && r.verdict == CUMSUM_VERDICT_FAIL)
        complain(t, "not accepted", type, n, terms, y);
}

/* ---- Tensors ---- */

#define MOST_BYTES ((size_t)1 << 20)

/* A reduction with its memory. */
typedef struct reduction {
    cumsum_data_type type;
    uint32_t rank, axis_count;
    uint32_t sizes[8], out_sizes[8], strides[8], out_strides[8], axes[8];
    bool summed[8];
    uint32_t terms;
    uint32_t lines;
    unsigned char *input;
    unsigned char *output;
} reduction;

/* One reduction at a time. */
static void give_memory(reduction *r) {
    static unsigned char input[MOST_BYTES], output[MOST_BYTES];
    memset(input, 0, sizeof input);
    memset(output, 0, sizeof output);
    r->input = input;
    r->output = output;
}

static reduction random_reduction(uint64_t *state, cumsum_data_type type) {
    reduction r = {.type = type, .rank = random_between(state, 1, 4), .terms = 1, .lines = 1};
    const uint32_t longest = random_below(state, r.rank);
    for (uint32_t d = 0; d < r.rank; d++) {
        r.sizes[d] = random_between(state, 1, 3);
        if (d == longest)
            r.sizes[d] = random_between(state, 1, random_once_in(state, 4) ? 400 : 40);
        r.summed[d] = random_below(state, 3) < 2;
        r.out_sizes[d] = r.summed[d] ? 1 : r.sizes[d];
        *(r.summed[d] ? &r.terms : &r.lines) *= r.sizes[d];
    }
    for (uint32_t i = 0, d = random_below(state, r.rank); i < r.rank; i++, d = (d + 1) % r.rank)
        if (r.summed[d])
            r.axes[r.axis_count++] = d;
    random_strides(state, r.rank, r.sizes, r.strides);
    random_strides(state, r.rank, r.out_sizes, r.out_strides);
    give_memory(&r);
    return r;
}

/* The address of a term of an output, and the output's: the numbers are taken apart, the last
 * dimension first. */
static unsigned char *term_at(const reduction *r, uint32_t line, uint32_t term) {
    uint64_t offset = 0;
    for (uint32_t d = r->rank; d-- > 0;) {
        uint32_t *number = r->summed[d] ? &term : &line;
        offset += (uint64_t)(*number % r->sizes[d]) * r->strides[d];
        *number /= r->sizes[d];
    }
    return r->input + offset * cumsum_data_type_size(r->type);
}

static unsigned char *output_at(const reduction *r, uint32_t line) {
    uint64_t offset = 0;
    for (uint32_t d = r->rank; d-- > 0;) {
        offset += (uint64_t)(line % r->out_sizes[d]) * r->out_strides[d];
        line /= r->out_sizes[d];
    }
    return r->output + offset * cumsum_data_type_size(r->type);
}

static uint64_t load(cumsum_data_type type, const unsigned char *from) {
    return load_element(from, 0, 0, cumsum_data_type_size(type));
}

static cumsum_sums_judgement judge_reduction(const reduction *r, uint8_t *verdicts) {
    /* In every other tensor the output lacks the summed axes. */
    uint32_t sizes[8] = {1}, strides[8] = {0}, kept = 0;
    for (uint32_t d = 0; d < r->rank; d++)
        if (!r->summed[d]) {
            sizes[kept] = r->sizes[d];
            strides[kept++] = r->out_strides[d];
        }
    const bool lacks = r->lines % 2;
    sum_shape shape = {r->type, r->type, r->rank,
                       !lacks ? r->rank
                       : kept ? kept
                              : 1,
                       .axis_count = r->axis_count};
    sum_desc d;
    memcpy(shape.sizes, r->sizes, sizeof r->sizes);
    memcpy(shape.out_sizes, lacks ? sizes : r->out_sizes, sizeof sizes);
    memcpy(shape.axes, r->axes, sizeof r->axes);
    const cumsum_sums_desc *desc = describe(&d, &shape);
    d.buffers[0].strides = r->strides;
    d.buffers[1].strides = lacks ? strides : r->out_strides;
    d.buffers[0].total_tensor_size_in_bytes = d.buffers[1].total_tensor_size_in_bytes = MOST_BYTES;
    const cumsum_judge_options options = {.no_orders = true, .no_doubt = true};
    cumsum_sums_judgement judgement;
    memset(&judgement, 0xFF, sizeof judgement);
    cumsum_diagnostic diagnostic;
    if (cumsum_judge_sums(desc, r->input, MOST_BYTES, r->output, MOST_BYTES, &options, verdicts,
                          &judgement, &diagnostic) != CUMSUM_OK)
        printf("%s\n", diagnostic.message);
    return judgement;
}

/* A tensor of any layout whose sums are added in random trees: none fails. */
static void try_random_tree(sum_trial *t) {
    const real_device *d = &real_devices[random_below(&t->state, REAL_DEVICES)];
    const cumsum_data_type type = d->elements->type;
    const data_family family = (data_family)random_below(&t->state, DATA_FAMILIES);
    reduction r = random_reduction(&t->state, type);
    double *v = malloc((r.terms + 1) * sizeof *v);
    if (!v)
        return;
    for (uint32_t line = 0; line < r.lines; line++) {
        for (uint32_t k = 0; k < r.terms; k++) {
            const uint64_t bits = family_bits(type, family, k, &t->state);
            pack_elements(type, &bits, 1, term_at(&r, line, k));
        }
        for (uint32_t k = 0; k < r.terms; k++)
            v[k] = real_value(d->elements, load(type, term_at(&r, line, k)));
        const uint64_t y = real_output(d, random_tree(d, v, r.terms, &t->state));
        pack_elements(type, &y, 1, output_at(&r, line));
    }
    const cumsum_sums_judgement j = judge_reduction(&r, NULL);
    t->asked += r.lines;
    const uint32_t model = UINT32_C(1) << d->model;
    if (j.judgement.counts[CUMSUM_VERDICT_FAIL] || j.judgement.outputs != r.lines ||
        !(j.judgement.models & model)) {
        const uint64_t first = load(type, term_at(&r, 0, 0));
        complain(t, cumsum_verdict_name(d->model), type, 1, &first, j.judgement.first.actual_bits);
    }
    free(v);
}

/* A tensor of integers from -8 to 8, which every type adds without rounding in up to 16 terms: any
 * wrong output fails. */
static void try_wrong_sum(sum_trial *t) {
    const real_format *f = real_devices[random_below(&t->state, REAL_DEVICES)].elements;
    reduction r = random_reduction(&t->state, f->type);
    uint8_t *verdicts = malloc(r.lines);
    const uint32_t wrong = random_below(&t->state, r.lines);
    if (!verdicts)
        abort();
    for (uint32_t line = 0; line < r.lines; line++) {
        double sum = 0;
        for (uint32_t k = 0; k < r.terms; k++) {
            const double x =
                k < 16 ? (double)random_below(&t->state, 17) - 8 : 0; /* no zero from 16 on */
            const uint64_t bits = real_bits(f, x);
            pack_elements(f->type, &bits, 1, term_at(&r, line, k));
            sum += x;
        }
        sum += line == wrong ? 1 : 0;
        const uint64_t bits = real_bits(f, sum);
        pack_elements(f->type, &bits, 1, output_at(&r, line));
    }
    const cumsum_sums_judgement j = judge_reduction(&r, verdicts);
    t->asked += r.lines;
    if (j.judgement.counts[CUMSUM_VERDICT_FAIL] != 1 || verdicts[wrong] != CUMSUM_VERDICT_FAIL ||
        j.judgement.outputs != r.lines)
        complain(t, "a wrong sum", f->type, 0, NULL, wrong);
    free(verdicts);
}

static void test_trials(void) {
    sum_trial t = {.state = 1};
    for (uint32_t i = 0; i < random_trials(4000); i++)
        try_one_sum(&t);
    for (uint32_t i = 0; i < random_trials(1500); i++)
        try_random_tree(&t);
    for (uint32_t i = 0; i < random_trials(1000); i++)
        try_wrong_sum(&t);
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
    const sum_shape shape = {F32, F32, 2, 2, {r->count, r->terms}, {r->count, 1}, 1, {1}};
    sum_desc d;
    return cumsum_judge_sums(describe(&d, &shape), r->x, sizeof(float) * r->count * r->terms, r->y,
                             sizeof(float) * r->count, &r->options, NULL, judgement, NULL);
}

static cumsum_verdict verdict_of_one(const rows *r) {
    cumsum_sums_judgement j;
    assert_int_equal(judge_rows(r, &j), CUMSUM_OK);
    return verdict_of(&j);
}

static cumsum_verdict verdict_on(uint32_t terms, const float *x, float y, bool strict_zero) {
    const rows r = {1, terms, x, &y, {.strict_zero = strict_zero}};
    return verdict_of_one(&r);
}

static void test_single_sums(void) {
    enum {
        EXACT = CUMSUM_VERDICT_EXACT,
        YES = CUMSUM_VERDICT_CONFORMANT,
        NO = CUMSUM_VERDICT_FAIL
    };
    static const struct {
        uint32_t terms;
        float x[4], y;
        bool strict_zero;
        int verdict;
    } sums[] = {
        /* No terms. */
        {0, {0}, 0.0f, true, YES},
        {0, {0}, -0.0f, false, YES},
        {0, {0}, -0.0f, true, NO},
        {0, {0}, 0x1p-149f, false, NO},
        {0, {0}, NAN, false, NO},
        /* Signs of zeros. */
        {3, {-0.0f, -0.0f, -0.0f}, -0.0f, true, YES},
        {3, {-0.0f, -0.0f, -0.0f}, 0.0f, true, YES},
        {3, {-0.0f, 0.0f, -0.0f}, -0.0f, true, NO},
        {2, {1, -1}, -0.0f, true, NO},
        {2, {1, -1}, -0.0f, false, YES},
        /* A NaN is right where a term is one, and nowhere else. */
        {3, {1, 2, 3}, NAN, false, NO},
        {3, {1, NAN, 3}, NAN, false, EXACT},
        {3, {INFINITY, -INFINITY, 1}, NAN, false, EXACT},
        {3, {1, NAN, 3}, 4, false, NO},
        /* Neighbours give 2^24 only, another order 2^24 + 2; of the last terms orders give 0, 1.5,
         * 2, 3.5 and 4. */
        {3, {1, 0x1p24f, 1}, 0x1p24f, false, YES},
        {3, {1, 0x1p24f, 1}, 0x1p24f + 2, false, YES},
        {4, {0x1p25f, 1.5f, 2, -0x1p25f}, 3.5f, false, YES},
    };
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        assert_int_equal(verdict_on(sums[i].terms, sums[i].x, sums[i].y, sums[i].strict_zero),
                         sums[i].verdict);
    const float x[1] = {0};
    cumsum_sums_judgement j;
    const rows none = {0, 5, x, x, {0}};
    assert_int_equal(judge_rows(&none, &j), CUMSUM_OK);
    assert_int_equal(j.judgement.outputs, 0);
    assert_true(j.judgement.pass);
}

/* Integers wrap, and have one right sum. */
static void test_integers(void) {
    const uint64_t terms[3] = {INT32_MAX, 1, 1};
    const uint32_t wrapped = (uint32_t)INT32_MAX + 2;
    cumsum_sums_judgement j = judge_one(CUMSUM_DATA_TYPE_INT32, 3, terms, wrapped, false);
    assert_int_equal(verdict_of(&j), CUMSUM_VERDICT_EXACT);
    j = judge_one(CUMSUM_DATA_TYPE_INT32, 3, terms, INT32_MAX, false);
    assert_int_equal(verdict_of(&j), CUMSUM_VERDICT_FAIL);
    assert_int_equal(j.judgement.first.expected_bits, wrapped);
    assert_int_equal(j.judgement.first.terms, 3);
}

/* A value that lies between what all orders give is closer than the worst. */
static void test_closer(void) {
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
    const cumsum_data_type f16 = CUMSUM_DATA_TYPE_FLOAT16;
    const sum_shape shape = {f16, f16, 1, 1, {N}, {1}, 1, {0}};
    const cumsum_profile profile = {.flush_results = CUMSUM_FLUSH_MAY};
    const cumsum_judge_options options = {.profile = flushing ? &profile : NULL};
    cumsum_sums_judgement j;
    sum_desc d;
    assert_int_equal(cumsum_judge_sums(describe(&d, &shape), x, sizeof x, &y, sizeof y, &options,
                                       NULL, &j, NULL),
                     CUMSUM_OK);
    return j;
}

/* A tenth is lost: some order of binary16 additions gives it, but no balanced tree. */
static void test_doubt(void) {
    cumsum_sums_judgement j = judge_halves(1, false);
    assert_true(j.judgement.pass);
    j = judge_halves(0.9, false);
    assert_false(j.judgement.pass);
    assert_int_equal(j.judgement.counts[CUMSUM_VERDICT_SUSPECT], 1);
    assert_int_equal(j.judgement.doubt.reason, CUMSUM_DOUBT_NOTHING_KNOWN);
    assert_int_equal(j.judgement.doubt.model, CUMSUM_VERDICT_BINARY16);
    assert_int_equal(j.judgement.doubt.terms, 1024);
    assert_true(judge_halves(1, true).judgement.pass);
    assert_int_equal(judge_halves(0.9, true).judgement.counts[CUMSUM_VERDICT_SUSPECT], 1);
}

/* A named order has to give all sums. */
static void test_named_orders(void) {
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

static void expect_message(const sum_shape *s, const char *message) {
    static const float memory[1024];
    sum_desc d;
    cumsum_sums_judgement judgement;
    cumsum_diagnostic diagnostic;
    assert_int_not_equal(cumsum_judge_sums(describe(&d, s), memory, sizeof memory, memory,
                                           sizeof memory, NULL, NULL, &judgement, &diagnostic),
                         CUMSUM_OK);
    assert_string_equal(diagnostic.message, message);
}

static void test_errors(void) {
    static const struct {
        sum_shape shape;
        const char *message;
    } wrong[] = {
        {{F32, F32, 2, 2, {2, 3}, {2, 1}, 1, {2}},
         "Axes[0] is 2, but it must be below DimensionCount, here 2."},
        {{F32, F32, 2, 2, {2, 3}, {2, 1}, 2, {1, 1}},
         "Axes[1] is 1, but it must be given at most once."},
        {{F32, F32, 2, 2, {2, 3}, {2, 1}, 9, {1}}, "AxisCount is 9, but it must be from 0 to 8."},
        {{F32, F32, 9, 9, {2, 3}, {2, 1}, 1, {1}},
         "InputTensor.DimensionCount is 9, but it must be from 1 to 8."},
        {{F32, F32, 2, 2, {2, 3}, {2, 3}, 1, {1}},
         "OutputTensor.Sizes[1] is 3, but it must be 1, since the axis is summed."},
        {{F32, F32, 2, 2, {2, 3}, {1, 1}, 1, {1}},
         "OutputTensor.Sizes[0] is 1, but it must equal InputTensor.Sizes of the same dimension, "
         "here 2."},
        {{F32, F32, 3, 1, {2, 3, 2}, {2, 1}, 1, {1}},
         "OutputTensor.DimensionCount is 1, but it must equal InputTensor.DimensionCount, here 3."},
        {{F32, CUMSUM_DATA_TYPE_INT32, 2, 2, {2, 3}, {2, 1}, 1, {1}},
         "OutputTensor.DataType is INT32, but it must equal InputTensor.DataType."},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_message(&wrong[i].shape, wrong[i].message);
}

CHECK_GROUP(test_oracle_sums, T(test_trials), T(test_single_sums), T(test_integers), T(test_doubt),
            T(test_closer), T(test_named_orders), T(test_errors));
