/* SPDX-License-Identifier: MIT */
/*
 * cumsum_judge_sums: one wrong output in tensors of any layout, and the cases that have a rule of
 * their own: empty sums, signs of zeros, compensated sums, doubt, axes and shapes that make no
 * reduction. tests/anyorder/judge_library.py compares the verdicts on sums with rationals.
 */
#include <cumsum/sums.h>

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
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

/* A tensor of integers from -8 to 8, which every type adds without rounding in up to 16 terms: any
 * wrong output fails. */
static void try_wrong_sum(const real_format *f, uint64_t *state) {
    reduction r = random_reduction(state, f->type);
    uint8_t *verdicts = malloc(r.lines);
    const uint32_t wrong = random_below(state, r.lines);
    assert_non_null(verdicts);
    for (uint32_t line = 0; line < r.lines; line++) {
        double sum = line == wrong;
        for (uint32_t k = 0; k < r.terms; k++) {
            const double x =
                k < 16 ? (double)random_below(state, 17) - 8 : 0; /* no zero from 16 on */
            pack_values(f, &x, 1, term_at(&r, line, k));
            sum += x;
        }
        pack_values(f, &sum, 1, output_at(&r, line));
    }
    const cumsum_sums_judgement j = judge_reduction(&r, verdicts);
    assert_int_equal(j.judgement.outputs, r.lines);
    assert_int_equal(j.judgement.counts[CUMSUM_VERDICT_FAIL], 1);
    assert_int_equal(verdicts[wrong], CUMSUM_VERDICT_FAIL);
    free(verdicts);
}

static void test_wrong_sums(void) {
    uint64_t state = 1;
    for (uint32_t i = 0; i < random_trials(1000); i++)
        try_wrong_sum(real_format_of(float_type(i)), &state);
}

static cumsum_verdict verdict_of(const cumsum_sums_judgement *j) {
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        if (j->judgement.counts[v])
            return (cumsum_verdict)v;
    return CUMSUM_VERDICT_COUNT;
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

static cumsum_verdict verdict_on(uint32_t terms, const float *x, float y, bool strict_zero) {
    const rows r = {1, terms, x, &y, {.strict_zero = strict_zero}};
    cumsum_sums_judgement j;
    assert_int_equal(judge_rows(&r, &j), CUMSUM_OK);
    return verdict_of(&j);
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
    static const int32_t terms[3] = {INT32_MAX, 1, 1}, outputs[2] = {INT32_MIN + 1, INT32_MAX};
    const cumsum_data_type i32 = CUMSUM_DATA_TYPE_INT32;
    const sum_shape shape = {i32, i32, 1, 1, {3}, {1}, 1, {0}};
    for (int wrong = 0; wrong < 2; wrong++) {
        cumsum_sums_judgement j;
        sum_desc d;
        assert_int_equal(cumsum_judge_sums(describe(&d, &shape), terms, sizeof terms,
                                           &outputs[wrong], sizeof *outputs, NULL, NULL, &j, NULL),
                         CUMSUM_OK);
        assert_int_equal(verdict_of(&j), wrong ? CUMSUM_VERDICT_FAIL : CUMSUM_VERDICT_EXACT);
        assert_true(!wrong || (j.judgement.first.expected_bits == 0x80000001 &&
                               j.judgement.first.terms == 3));
    }
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

CHECK_GROUP(test_oracle_sums, T(test_wrong_sums), T(test_single_sums), T(test_integers),
            T(test_doubt), T(test_closer), T(test_named_orders), T(test_errors));
