/* SPDX-License-Identifier: MIT */
/*
 * The loop over a FLOAT16 or BFLOAT16 line. Six or three models are possible (docs/oracle.md,
 * "FLOAT16" and "BFLOAT16"). For each output a fast test sorts them into those that surely fit,
 * those that surely do not, and those that it cannot tell; the exact rule is asked only if one of
 * the last kind could change the verdict or the set of models that fit every output of the tensor.
 *
 * Invariant: a model counted as fitting fits by the rule, and one that is neither fitting nor
 * unsure does not fit. The fast sum is exact (where it is not, the exact rule decides), so the only
 * errors here are those of computing a bound, which ROUND_UP and ROUND_DOWN cover. Where the exact
 * rule tries every order, the fast test tries the sequential one.
 */
#include "compiler.h"
#include "doubt_watch.h"
#include "fast_paths.h"
#include "judge_output.h"
#include "judge_steps.h"

/* Sets of models: what the fast test says about an output. */
typedef struct fit {
    uint32_t yes;
    uint32_t unsure;
} fit;

CUMSUM_ALWAYS_INLINE uint32_t stored_16_bit(const binary_format *f, double sum, int store) {
    return half_store(f, binary32_bits((float)sum), store);
}

/* A binary32 sum that is within `error` of the exact one, then stored. Stores are monotonic: y can
 * fit only if it lies between the images of the ends. `reached` is a sum that the device may have
 * had. */
CUMSUM_ALWAYS_INLINE void fit_store(fit *fits, const binary_format *f, int store, double sum,
                                    double reached, double error, uint32_t y) {
    const uint32_t model = MODEL(models_of_stores[store]);
    int64_t rank = format_rank(f, y);
    if (format_rank(f, stored_16_bit(f, reached, store)) == rank)
        fits->yes |= model;
    else if (error == 0)
        return;
    else if (format_rank(f, stored_16_bit(f, sum - error * ROUND_UP, store)) <= rank &&
             rank <= format_rank(f, stored_16_bit(f, sum + error * ROUND_UP, store)))
        fits->unsure |= model;
}

/* The model of sums in the type itself, rounded to nearest. */
CUMSUM_ALWAYS_INLINE uint32_t narrow_16_bit_model(const binary_format *f) {
    return f->precision == 8 ? MODEL(CUMSUM_VERDICT_BFLOAT16) : MODEL(CUMSUM_VERDICT_BINARY16);
}

/* A model with an accumulator of 16 bits, tried with the likely order. */
static void fit_in_sequence(fit *fits, const line_sum *l, uint32_t model, const arithmetic *how,
                            double y) {
    bool same = cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, how) == y;
    *(same ? &fits->yes : &fits->unsure) |= model;
}

/* Where no addition rounds, rounding to nearest gives S, which may overflow; truncation gives S, or
 * it overflows on the way. */
CUMSUM_ALWAYS_INLINE void fit_exact(fit *fits, const binary_format *f, double sum, double distance,
                                    uint32_t y) {
    if (format_rank(f, stored_16_bit(f, sum, CUMSUM_HALF_STORE_IEEE)) == format_rank(f, y))
        fits->yes |= narrow_16_bit_model(f);
    if (distance == 0)
        fits->yes |= MODELS_TRUNCATING;
    else
        fits->unsure |= MODEL(CUMSUM_VERDICT_BINARY16_SATURATING);
}

/* The models with an accumulator of 16 bits: |y - S| <= (r - 1) u A for r additions that may round,
 * and 2 r u A where every addition truncates, or less. The bounds are rounded down, so that y may
 * still fit if it is beyond them. */
CUMSUM_ALWAYS_INLINE void fit_narrow(fit *fits, const line_sum *l, const binary_format *f,
                                     double sum, double distance, uint32_t y,
                                     uint64_t short_prefix) {
    if (!format_is_finite(f, y)) {
        fits->unsure |= narrow_16_bit_model(f) | MODELS_BINARY16; /* an overflow may explain it */
    } else if (!line_sum_may_round(l, f)) {
        fit_exact(fits, f, sum, distance, y);
    } else if (l->nonzero <= short_prefix) {
        double value = format_value(f, y);
        if (f->precision == 8) {
            fit_in_sequence(fits, l, narrow_16_bit_model(f), &arithmetic_bfloat16, value);
            return;
        }
        fit_in_sequence(fits, l, narrow_16_bit_model(f), &arithmetic_binary16, value);
        fit_in_sequence(fits, l, MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING),
                        &arithmetic_binary16_truncating, value);
        fit_in_sequence(fits, l, MODEL(CUMSUM_VERDICT_BINARY16_SATURATING),
                        &arithmetic_binary16_saturating, value);
    } else {
        const double unit = f->unit_roundoff, most = l->magnitude * ROUND_DOWN;
        const double earlier = line_sum_earlier_roundings(l, line_sum_heavy(l, f));
        const bool within = distance <= line_sum_sure_part(earlier, unit) * most;
        const bool within_truncating = distance <= line_sum_sure_part(earlier + 1, 2 * unit) * most;
        *(within ? &fits->yes : &fits->unsure) |= narrow_16_bit_model(f);
        *(within_truncating ? &fits->yes : &fits->unsure) |= MODELS_TRUNCATING;
    }
}

/* A model needs to be tried if it has fitted every output so far, or if no allowed model before it
 * fits this one. */
static bool is_needed(const judge_state *s, const fit *fits, uint32_t models) {
    return (s->judgement->models & models) || !(fits->yes & s->how.allowed);
}

CUMSUM_ALWAYS_INLINE fit fit_models(const judge_state *s, const line_sum *l, const binary_format *f,
                                    double distance, uint32_t y) {
    fit fits = {0, 0};
    const uint64_t short_prefix = judge_short_prefix(s);
    double sum = l->high + l->low;
    double reached = sum; /* the interval's rule accepts what S is stored as */
    double error = 0;
    if (l->rounds && l->nonzero > 2) {
        error = binary32_format.unit_roundoff * l->magnitude * (double)(l->nonzero - 2);
        if (l->nonzero <= short_prefix)
            reached = cumsum_reach_in_sequence(l->few, (unsigned)l->nonzero, &arithmetic_binary32);
    }
    for (int store = 0; store < (f->precision == 8 ? 2 : 3); store++)
        if (is_needed(s, &fits, MODEL(models_of_stores[store])))
            fit_store(&fits, f, store, sum, reached, error, y);
    if (is_needed(s, &fits, narrow_16_bit_model(f) | (f->precision == 8 ? 0 : MODELS_TRUNCATING)))
        fit_narrow(&fits, l, f, sum, distance, y, short_prefix);
    return fits;
}

/* Decides by the fast test, and records the verdict; false if the exact rule has to. */
CUMSUM_ALWAYS_INLINE bool decide_16_bit_output(judge_state *s, const line_sum *l,
                                               const binary_format *f, uint64_t position,
                                               uint32_t y, double distance,
                                               cumsum_verdict *verdict) {
    if (l->special || format_is_nan(f, y) || !line_sum_in_range(l, f) ||
        (s->options.strict_zero && y == f->sign))
        return false;
    if (f->precision == 8 && !format_is_finite(f, y))
        return false; /* a binary32 sum may have overflowed */
    fit fits = fit_models(s, l, f, distance, y);
    uint32_t fitting = fits.yes & s->how.allowed;
    uint32_t before_first = (fitting & -fitting) - 1;
    if (!fitting || (fits.unsure & s->how.allowed & before_first))
        return false; /* the verdict is FAIL, or a model that is tried earlier may fit */
    if (fits.unsure & s->judgement->models)
        return false; /* a model that has fitted every output so far may be lost here */
    s->judgement->models &= fits.yes;
    *verdict = cumsum_rule_first_model(fitting);
    cumsum_judge_record(s, position, *verdict, NULL);
    return true;
}

CUMSUM_ALWAYS_INLINE void judge_16_bit_output(judge_state *s, const line_sum *l,
                                              const binary_format *f, uint64_t position) {
    if (judge_overwritten(s, position))
        return;
    uint32_t y = load_16(s->line_actual, s->actual_step, position);
    bool finite = format_is_finite(f, y);
    double distance = finite ? line_sum_distance(l, format_value(f, y)) : INFINITY;
    cumsum_verdict verdict;
    watch_16_bit(&s->watch, l, f, y, distance);
    if (!decide_16_bit_output(s, l, f, position, y, distance, &verdict))
        verdict = cumsum_judge_exactly(s, position);
    bool fits_a_model = verdict != CUMSUM_VERDICT_EXACT && verdict < CUMSUM_VERDICT_INDETERMINATE;
    if (fits_a_model && (distance != 0 || l->slack > 0))
        judge_rate(s, l, f, position, y, distance, 0);
}

/* Outputs that are judged one by one where a block of them is not judged at once. */
#define PIECE 64

/* The outputs [begin, end), one by one. */
CUMSUM_ALWAYS_INLINE void judge_16_bit_elements(judge_state *s, line_sum *l, const binary_format *f,
                                                uint64_t begin, uint64_t end) {
    const bool exclusive = s->problem.exclusive;
    for (uint64_t k = begin; k < end; k++) {
        if (exclusive)
            judge_16_bit_output(s, l, f, k);
        uint32_t bits = load_16(s->line_input, s->input_step, k);
        double value = format_value(f, bits);
        line_sum_keep(l, value);
        line_sum_add(l, f, bits, value);
        if (!exclusive)
            judge_16_bit_output(s, l, f, k);
    }
}

/* Short prefixes are judged one by one, and so is what the fast path leaves. */
static void judge_line_binary16(judge_state *s, line_progress *progress) {
    line_sum l = progress->sum;
    const uint64_t length = s->problem.line_length, first = REACH_ALWAYS + 1;
    for (uint64_t k = 0; k < length;) {
        const uint64_t piece = k == 0 ? first : PIECE;
        const uint64_t end = length - k < piece ? length : k + piece;
        judge_16_bit_elements(s, &l, &binary16_format, k, end);
        k = cumsum_judge_binary16_blocks(s, &l, end);
    }
    progress->sum = l;
}

uint64_t cumsum_judge_short_prefixes(judge_state *s, uint64_t few) {
    line_progress progress;
    uint64_t k = 0;
    begin_progress(&progress);
    for (; k < s->problem.line_length && progress.sum.nonzero <= few; k++)
        judge_16_bit_elements(s, &progress.sum, &binary16_format, k, k + 1);
    return k;
}

static void judge_line_bfloat16(judge_state *s, line_progress *progress) {
    line_sum l = progress->sum;
    judge_16_bit_elements(s, &l, &bfloat16_format, 0, s->problem.line_length);
    progress->sum = l;
}

void cumsum_judge_line_16_bit(judge_state *s, line_progress *progress) {
    if (s->problem.type == CUMSUM_DATA_TYPE_BFLOAT16)
        judge_line_bfloat16(s, progress);
    else
        judge_line_binary16(s, progress);
}
