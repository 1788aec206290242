/* SPDX-License-Identifier: MIT */
/*
 * The loop over a FLOAT16 line. Six models are possible (docs/oracle.md, "FLOAT16"). For each
 * output a fast test sorts them into those that surely fit, those that surely do not, and those
 * that it cannot tell; the exact rule is asked only if one of the last kind could change the
 * verdict or the set of models that fit every output of the tensor.
 *
 * Invariant: a model counted as fitting fits by the rule, and one that is neither fitting nor
 * unsure does not fit. The fast sum of halves is exact (slack is 0), so the only errors here are
 * those of computing a bound, which ROUND_UP and ROUND_DOWN cover. Where the exact rule tries every
 * order, the fast test tries the sequential one.
 */
#include "judge_output.h"
#include "judge_steps.h"

/* Sets of models: what the fast test says about an output. */
typedef struct fit {
    uint32_t yes;
    uint32_t unsure;
} fit;

static uint32_t stored(double sum, int store) {
    return binary16_store(binary32_bits((float)sum), store);
}

/* A binary32 sum that is within `error` of the exact one, then stored. Stores are monotonic: y can
 * fit only if it lies between the images of the ends. `reached` is a sum that the device may have
 * had. */
static void fit_store(fit *f, int store, double sum, double reached, double error, uint32_t y) {
    const binary_format *half = &binary16_format;
    const uint32_t model = MODEL(models_of_stores[store]);
    int64_t rank = format_rank(half, y);
    if (format_rank(half, stored(reached, store)) == rank)
        f->yes |= model;
    else if (error == 0)
        return;
    else if (format_rank(half, stored(sum - error * ROUND_UP, store)) <= rank &&
             rank <= format_rank(half, stored(sum + error * ROUND_UP, store)))
        f->unsure |= model;
}

/* A model with a binary16 accumulator, tried with the likely order. */
static void fit_in_sequence(fit *f, const line_sum *l, cumsum_verdict model, reach_arithmetic how,
                            double y) {
    bool same = cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, how) == y;
    *(same ? &f->yes : &f->unsure) |= MODEL(model);
}

/* Where no addition rounds, rounding to nearest gives S, which may overflow; truncation gives S, or
 * it overflows on the way. */
static void fit_exact(fit *f, double sum, double distance, uint32_t y) {
    if (format_rank(&binary16_format, stored(sum, CUMSUM_HALF_STORE_IEEE)) ==
        format_rank(&binary16_format, y))
        f->yes |= MODEL(CUMSUM_VERDICT_BINARY16);
    if (distance == 0)
        f->yes |= MODELS_TRUNCATING;
    else
        f->unsure |= MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
}

/* The models with a binary16 accumulator: |y - S| <= (r - 1) u A for r additions that may round,
 * and 2 r u A where every addition truncates. The bounds are rounded down, so that y may still fit
 * if it is beyond them. */
static void fit_binary16(fit *f, const line_sum *l, double sum, double distance, uint32_t y,
                         uint64_t short_prefix) {
    if (!format_is_finite(&binary16_format, y)) {
        f->unsure |= MODELS_BINARY16; /* an overflow on the way may explain it */
    } else if (!line_sum_may_round(l, &binary16_format)) {
        fit_exact(f, sum, distance, y);
    } else if (l->nonzero <= short_prefix) {
        double value = (double)binary16_value(y);
        fit_in_sequence(f, l, CUMSUM_VERDICT_BINARY16, REACH_BINARY16, value);
        fit_in_sequence(f, l, CUMSUM_VERDICT_BINARY16_TRUNCATING, REACH_BINARY16_TRUNCATING, value);
        fit_in_sequence(f, l, CUMSUM_VERDICT_BINARY16_SATURATING, REACH_BINARY16_SATURATING, value);
    } else {
        double unit = binary16_format.unit_roundoff * ROUND_DOWN * l->magnitude;
        double earlier = line_sum_earlier_roundings(l, line_sum_heavy(l, &binary16_format));
        bool within = distance <= unit * earlier;
        bool within_truncating = distance <= 2 * unit * (earlier + 1);
        *(within ? &f->yes : &f->unsure) |= MODEL(CUMSUM_VERDICT_BINARY16);
        *(within_truncating ? &f->yes : &f->unsure) |= MODELS_TRUNCATING;
    }
}

/* A model needs to be tried if it has fitted every output so far, or if no allowed model before it
 * fits this one. */
static bool is_needed(const judge_state *s, const fit *f, uint32_t models) {
    return (s->judgement->models & models) || !(f->yes & s->how.allowed);
}

static fit fit_models(const judge_state *s, const line_sum *l, double distance, uint32_t y) {
    fit f = {0, 0};
    const uint64_t short_prefix = s->how.values ? REACH_MOST : REACH_ALWAYS;
    double sum = l->high + l->low;
    double reached = sum; /* the interval's rule accepts what S is stored as */
    double error = 0;
    if (l->rounds && l->nonzero > 2) {
        error = binary32_format.unit_roundoff * l->magnitude * (double)(l->nonzero - 2);
        if (l->nonzero <= short_prefix)
            reached = cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, REACH_BINARY32);
    }
    for (int store = 0; store < 3; store++)
        if (is_needed(s, &f, MODEL(models_of_stores[store])))
            fit_store(&f, store, sum, reached, error, y);
    if (is_needed(s, &f, MODELS_BINARY16))
        fit_binary16(&f, l, sum, distance, y, short_prefix);
    return f;
}

/* Decides by the fast test, and records the verdict; false if the exact rule has to. */
static bool decide(judge_state *s, const line_sum *l, uint64_t position, uint32_t y,
                   double distance, cumsum_verdict *verdict) {
    if (l->special || format_is_nan(&binary16_format, y) ||
        (s->options.strict_zero && y == 0x8000u))
        return false;
    fit f = fit_models(s, l, distance, y);
    uint32_t fitting = f.yes & s->how.allowed;
    uint32_t before_first = (fitting & -fitting) - 1;
    if (!fitting || (f.unsure & s->how.allowed & before_first))
        return false; /* the verdict is FAIL, or a model that is tried earlier may fit */
    if (f.unsure & s->judgement->models)
        return false; /* a model that has fitted every output so far may be lost here */
    s->judgement->models &= f.yes;
    *verdict = cumsum_rule_first_model(fitting);
    cumsum_judge_record(s, position, *verdict, NULL);
    return true;
}

static inline void judge_output(judge_state *s, const line_sum *l, uint64_t position) {
    if (judge_overwritten(s, position))
        return;
    uint32_t y = load_16(s->line_actual, s->actual_step, position);
    bool finite = format_is_finite(&binary16_format, y);
    double distance = finite ? line_sum_distance(l, (double)binary16_value(y)) : INFINITY;
    cumsum_verdict verdict;
    if (!decide(s, l, position, y, distance, &verdict))
        verdict = cumsum_judge_exactly(s, position);
    bool fits_a_model = verdict != CUMSUM_VERDICT_EXACT && verdict < CUMSUM_VERDICT_INDETERMINATE;
    if (fits_a_model && distance != 0)
        judge_rate(s, l, &binary16_format, position, y, distance);
}

void cumsum_judge_line_float16(judge_state *s) {
    double few[REACH_MOST];
    line_sum l = line_sum_empty(few);
    bool exclusive = s->problem.exclusive;
    for (uint64_t k = 0; k < s->problem.line_length; k++) {
        if (exclusive)
            judge_output(s, &l, k);
        uint32_t bits = load_16(s->line_input, s->input_step, k);
        double value = (double)binary16_value(bits);
        line_sum_keep(&l, value);
        line_sum_add(&l, &binary16_format, bits, value);
        if (!exclusive)
            judge_output(s, &l, k);
    }
}
