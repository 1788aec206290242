/* SPDX-License-Identifier: MIT */
/* See sum_trial.h. Nothing is taken from the oracle. */
#include "sum_trial.h"

#include <cumsum/sums.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_data.h"
#include "real_arithmetic.h"

/* Outputs, each with the models that give it. */
typedef struct outputs {
    uint64_t bits[4096];
    uint32_t models[4096];
    uint32_t count;
} outputs;

static bool same_value(cumsum_data_type type, uint64_t a, uint64_t b) {
    return cumsum_same_bits(type, a, b) ||
           real_value(real_format_of(type), a) == real_value(real_format_of(type), b);
}

static void note(outputs *o, const real_device *d, uint64_t bits) {
    uint32_t i = 0;
    while (i < o->count && !same_value(d->elements->type, o->bits[i], bits))
        i++;
    if (i == sizeof o->bits / sizeof o->bits[0])
        return;
    if (i == o->count) {
        o->bits[o->count++] = bits;
        o->models[i] = 0;
    }
    o->models[i] |= UINT32_C(1) << d->model;
}

/* The outputs of one device from all trees of the terms. */
static void note_trees(outputs *o, const real_device *d, uint32_t count, const double *terms) {
    tree_sums sums = {0};
    every_tree(d, terms, count, &sums);
    for (uint32_t i = 0; i < sums.count; i++)
        note(o, d, real_output(d, sums.values[i]));
    free(sums.values);
}

/* Judges one output of n packed terms. */
static cumsum_sums_judgement judge_one(cumsum_data_type type, uint32_t n, const uint64_t *terms,
                                       uint64_t y, bool reachable) {
    unsigned char input[16 * 8], output[8];
    const uint32_t one = 1, axis = 0, size = cumsum_data_type_size(type);
    pack_elements(type, terms, n, input);
    pack_elements(type, &y, 1, output);
    const cumsum_buffer_tensor_desc in = {.data_type = type,
                                          .dimension_count = 1,
                                          .sizes = &n,
                                          .total_tensor_size_in_bytes = sizeof input};
    const cumsum_buffer_tensor_desc out = {.data_type = type,
                                           .dimension_count = 1,
                                           .sizes = &one,
                                           .total_tensor_size_in_bytes = sizeof output};
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    const cumsum_tensor_desc to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, 1, &axis};
    const cumsum_judge_options options = {.reachable = reachable, .no_orders = true};
    cumsum_sums_judgement judgement;
    const cumsum_status status = cumsum_judge_sums(&desc, input, (uint64_t)n * size, output, size,
                                                   &options, NULL, &judgement, NULL);
    if (status != CUMSUM_OK)
        memset(&judgement, 0, sizeof judgement);
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

/* What every tree gives is accepted, with its models. */
static void ask_right(sum_trial *t, const outputs *o, cumsum_data_type type, uint32_t n,
                      const uint64_t *terms, bool reachable) {
    for (uint32_t i = 0; i < o->count; i++) {
        const cumsum_sums_judgement j = judge_one(type, n, terms, o->bits[i], reachable);
        const cumsum_verdict verdict = verdict_of(&j);
        t->asked++;
        if (verdict == CUMSUM_VERDICT_EXACT)
            continue; /* a NaN or an infinity among the terms */
        if (verdict >= CUMSUM_VERDICT_WIDER || (o->models[i] & ~j.judgement.models))
            complain(t, "not accepted", type, n, terms, o->bits[i]);
    }
}

/* Their neighbours that no tree gives are not, unless a more precise sum is there. */
static void ask_wrong(sum_trial *t, const outputs *o, cumsum_data_type type, uint32_t n,
                      const uint64_t *terms, bool reachable) {
    for (uint32_t i = 0; i < o->count && i < 20; i++) {
        const uint64_t y = o->bits[i] + (random_next(&t->state) & 1 ? 1 : UINT64_MAX);
        bool known = !isfinite(real_value(real_format_of(type), y)) ||
                     real_value(real_format_of(type), o->bits[i]) == 0;
        for (uint32_t k = 0; k < o->count; k++)
            known |= same_value(type, o->bits[k], y);
        if (known)
            continue;
        const cumsum_sums_judgement j = judge_one(type, n, terms, y, reachable);
        const cumsum_verdict verdict = verdict_of(&j);
        t->asked++;
        const uint64_t ulps = cumsum_ulp_distance(type, j.judgement.first.expected_bits, y);
        if (verdict != CUMSUM_VERDICT_FAIL && !(verdict == CUMSUM_VERDICT_WIDER && ulps <= 1))
            complain(t, "accepted", type, n, terms, y);
    }
}

void sum_trial_all_orders(sum_trial *t) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT64,
                                             CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_BFLOAT16};
    const cumsum_data_type type = types[random_below(&t->state, 4)];
    const data_family family = (data_family)random_below(&t->state, DATA_FAMILIES);
    const bool reachable = random_once_in(&t->state, 8);
    const uint32_t count = random_between(&t->state, 0, reachable ? 5 : 4);
    const uint32_t zeros = random_below(&t->state, 4);
    const uint32_t n = count + zeros;
    uint64_t terms[16];
    double values[16];
    bool tiny = false;
    outputs *o = malloc(sizeof *o);
    if (!o || n == 0) {
        free(o);
        return;
    }
    o->count = 0;
    for (uint32_t i = 0; i < n; i++) {
        terms[i] = i < count ? family_bits(type, family, i, &t->state) : 0;
        values[i] = real_value(real_format_of(type), terms[i]);
        tiny |= values[i] != 0 && fabs(values[i]) < 0x1p-100;
    }
    tiny |= type == CUMSUM_DATA_TYPE_FLOAT64 && family == DATA_ANY_EXPONENT;
    for (int i = 0; i < REAL_DEVICES; i++) {
        const real_device *d = &real_devices[i];
        if (d->elements->type == type && (!d->all_or_none || count <= 4))
            note_trees(o, d, count, values);
    }
    ask_right(t, o, type, n, terms, reachable);
    if (count <= 4 || !tiny)
        ask_wrong(t, o, type, n, terms, reachable);
    free(o);
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

/* Strides of a packed layout of the dimensions in some order, with gaps. */
static void random_strides(uint64_t *state, uint32_t rank, const uint32_t *sizes,
                           uint32_t *strides) {
    bool placed[8] = {false};
    uint32_t stride = random_between(state, 1, 2);
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t d = random_below(state, rank);
        while (placed[d])
            d = (d + 1) % rank;
        placed[d] = true;
        strides[d] = stride;
        stride *= sizes[d] + random_once_in(state, 3);
    }
}

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
    uint64_t bits = 0;
    uint32_t bits32;
    uint16_t bits16;
    switch (cumsum_data_type_size(type)) {
    case 2:
        memcpy(&bits16, from, 2);
        return bits16;
    case 4:
        memcpy(&bits32, from, 4);
        return bits32;
    default:
        memcpy(&bits, from, 8);
        return bits;
    }
}

static cumsum_sums_judgement judge_reduction(const reduction *r, uint8_t *verdicts) {
    const cumsum_buffer_tensor_desc in = {.data_type = r->type,
                                          .dimension_count = r->rank,
                                          .sizes = r->sizes,
                                          .strides = r->strides,
                                          .total_tensor_size_in_bytes = MOST_BYTES};
    cumsum_buffer_tensor_desc out = in;
    out.sizes = r->out_sizes;
    out.strides = r->out_strides;
    /* In every other tensor the output lacks the summed axes. */
    uint32_t sizes[8] = {1}, strides[8] = {0}, kept = 0;
    for (uint32_t d = 0; d < r->rank; d++)
        if (!r->summed[d]) {
            sizes[kept] = r->sizes[d];
            strides[kept++] = r->out_strides[d];
        }
    if (r->lines % 2) {
        out.dimension_count = kept ? kept : 1;
        out.sizes = sizes;
        out.strides = strides;
    }
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in};
    const cumsum_tensor_desc to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, r->axis_count, r->axes};
    const cumsum_judge_options options = {.no_orders = true, .no_doubt = true};
    cumsum_sums_judgement judgement;
    memset(&judgement, 0xFF, sizeof judgement);
    cumsum_diagnostic diagnostic;
    if (cumsum_judge_sums(&desc, r->input, MOST_BYTES, r->output, MOST_BYTES, &options, verdicts,
                          &judgement, &diagnostic) != CUMSUM_OK)
        printf("%s\n", diagnostic.message);
    return judgement;
}

void sum_trial_random_tree(sum_trial *t) {
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

/* Integers from -8 to 8, which every type adds without rounding in up to 16 terms. */
void sum_trial_wrong(sum_trial *t) {
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
