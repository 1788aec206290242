/* SPDX-License-Identifier: MIT */
#include <cumsum/oracle.h>

#include "binary16.h"
#include "error_class.h"
#include "judge_state.h"
#include "tally.h"

#define UNIT16 0x1p-11 /* u of binary16 */
#define UNIT32 0x1p-24 /* u of binary32 */

/* The state of one line. Sums of fewer than 2^32 halves fit the tally exactly: slack stays 0. */
typedef struct line {
    tally sum;
    uint64_t terms;
    unsigned log2_terms;
    bool special;  /* an infinity or a NaN was among the terms */
    bool rounds16; /* some order of additions in binary16 may round */
    bool rounds32; /* some order in binary32 may round */
    double lowest; /* the lowest bit set in any term, until binary32 may round */
} line;

/* What the cheap tests say of the models: fits, does not fit, or neither is sure. */
typedef struct fit {
    uint32_t yes;
    uint32_t unsure;
} fit;

static double lowest_bit(uint32_t bits) {
    unsigned shift;
    uint32_t significand = format_significand(&binary16_format, bits, &shift);
    return (double)(significand & -significand) * (double)(UINT32_C(1) << shift) * 0x1p-24;
}

static inline void add_term(line *l, uint32_t bits) {
    l->terms++;
    if (l->terms > UINT64_C(1) << l->log2_terms)
        l->log2_terms++;
    if (!format_is_finite(&binary16_format, bits)) {
        l->special = true;
        return;
    }
    tally_add(&l->sum, (double)binary16_value(bits));
    if (l->rounds32)
        return;
    if (bits & 0x7FFFu && lowest_bit(bits) < l->lowest)
        l->lowest = lowest_bit(bits);
    l->rounds16 = l->sum.magnitude > 0x1p11 * l->lowest;
    l->rounds32 = l->sum.magnitude > 0x1p24 * l->lowest;
}

static uint32_t store(double sum, int how) {
    return format_store_half(binary32_bits((float)sum), how);
}

/* A binary32 sum within `error` of the exact one, stored: surely y, surely not, or unsure. */
static void fit_store(fit *f, cumsum_verdict model, int how, double sum, double error, uint32_t y) {
    const binary_format *half = &binary16_format;
    int64_t rank = format_rank(half, y);
    if (format_rank(half, store(sum, how)) == rank)
        f->yes |= MODEL(model);
    else if (error == 0)
        return;
    else if (format_rank(half, store(sum - error * ROUND_UP, how)) <= rank &&
             rank <= format_rank(half, store(sum + error * ROUND_UP, how)))
        f->unsure |= MODEL(model);
}

/* The two models with a binary16 accumulator, where nothing rounds or only one addition does: it
 * may go through binary32 (innocuous double rounding). */
static void fit_one_rounding(fit *f, const line *l, double sum, double distance, uint32_t y) {
    int64_t rank = format_rank(&binary16_format, y);
    if (format_rank(&binary16_format, store(sum, CUMSUM_HALF_STORE_IEEE)) == rank)
        f->yes |= MODEL(CUMSUM_VERDICT_BINARY16);
    if (distance == 0)
        f->yes |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    else if (l->rounds16 && l->terms == 2)
        f->unsure |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
}

static void fit_binary16(fit *f, const line *l, double sum, double distance, uint32_t y) {
    double unit = UNIT16 * ROUND_DOWN * l->sum.magnitude;
    if (!format_is_finite(&binary16_format, y)) {
        /* Overflow on the way may be an excuse. */
        f->unsure |= MODEL(CUMSUM_VERDICT_BINARY16) | MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    } else if (!l->rounds16 || l->terms < 3) {
        fit_one_rounding(f, l, sum, distance, y);
    } else {
        bool within = distance <= unit * (double)(l->terms - 2);
        bool within_truncating = distance <= 2 * unit * (double)(l->terms - 1);
        *(within ? &f->yes : &f->unsure) |= MODEL(CUMSUM_VERDICT_BINARY16);
        *(within_truncating ? &f->yes : &f->unsure) |= MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING);
    }
}

/* Is the model still of interest for this output: as one that has fitted all outputs so far, or
 * because no allowed one before it fits? */
static bool of_interest(const judge_state *s, const fit *f, cumsum_verdict model) {
    return (s->judgement->models & MODEL(model)) || !(f->yes & s->allowed);
}

static fit fit_models(const judge_state *s, const line *l, double distance, uint32_t y) {
    static const struct {
        cumsum_verdict model;
        int store;
    } stores[] = {{CUMSUM_VERDICT_BINARY32_NEAREST, CUMSUM_HALF_STORE_NEAREST_EVEN},
                  {CUMSUM_VERDICT_BINARY32_ZERO, CUMSUM_HALF_STORE_TOWARD_ZERO},
                  {CUMSUM_VERDICT_BINARY32_IEEE, CUMSUM_HALF_STORE_IEEE}};
    fit f = {0, 0};
    double sum = l->sum.high + l->sum.low;
    double error = 0;
    if (l->rounds32 && l->terms > 2)
        error = UNIT32 * l->sum.magnitude * (double)(l->terms - 2);
    for (int i = 0; i < 3; i++)
        if (of_interest(s, &f, stores[i].model))
            fit_store(&f, stores[i].model, stores[i].store, sum, error, y);
    if (of_interest(s, &f, CUMSUM_VERDICT_BINARY16) ||
        of_interest(s, &f, CUMSUM_VERDICT_BINARY16_TRUNCATING))
        fit_binary16(&f, l, sum, distance, y);
    return f;
}

static void rate(judge_state *s, const line *l, uint64_t position, uint32_t y, double distance) {
    rounded is_rounded = ROUNDED_UNSURE;
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED &&
        format_is_finite(&binary16_format, y))
        is_rounded = cumsum_is_rounded(&binary16_format, y, distance, 0, l->sum.low == 0);
    cumsum_rate_output(s, position, y, is_rounded, distance, UNIT16 * l->sum.magnitude,
                       l->log2_terms);
}

/* The verdict where the cheap tests can tell it, and the models that may still be alive. */
static bool decide(judge_state *s, const line *l, uint64_t position, uint32_t y, double distance,
                   cumsum_verdict *verdict) {
    if (l->special || format_is_nan(&binary16_format, y) ||
        (s->options.strict_zero && y == 0x8000u))
        return false;
    fit f = fit_models(s, l, distance, y);
    uint32_t wanted = f.yes & s->allowed;
    if (!wanted || (f.unsure & s->allowed & ((wanted & -wanted) - 1)))
        return false; /* an earlier model may fit, or none does */
    if (f.unsure & s->judgement->models)
        return false; /* is a model that fitted so far lost here? */
    s->judgement->models &= f.yes;
    *verdict = cumsum_rule_first_model(wanted);
    cumsum_judge_record(s, position, *verdict, NULL);
    return true;
}

static inline void check(judge_state *s, const line *l, uint64_t position) {
    if (cumsum_judge_overwritten(s, position))
        return;
    uint32_t y = load_16(s->line_actual, s->actual_step, position);
    bool finite = format_is_finite(&binary16_format, y);
    double distance = finite ? tally_distance(&l->sum, (double)binary16_value(y)) : INFINITY;
    cumsum_verdict verdict;
    if (!decide(s, l, position, y, distance, &verdict))
        verdict = cumsum_judge_exactly(s, position).verdict;
    bool by_a_model = verdict != CUMSUM_VERDICT_EXACT && verdict < CUMSUM_VERDICT_INDETERMINATE;
    if (by_a_model && distance > 0)
        rate(s, l, position, y, distance);
}

void cumsum_judge_line_float16(judge_state *s) {
    line l = {.lowest = INFINITY};
    bool exclusive = s->problem.exclusive;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            check(s, &l, k);
        add_term(&l, load_16(s->line_input, s->input_step, k));
        if (!exclusive)
            check(s, &l, k);
    }
}
