/* SPDX-License-Identifier: MIT */
/*
 * One floating-point output: verdict 1 by the exact rule, and verdict 2 (docs/oracle.md, "Verdict
 * 2"). The class of a tensor is the smallest that holds for all of its outputs. So a class once
 * lost stays lost, and each output needs one comparison, with the limit of the class that still
 * holds.
 *
 * h and the limits of the classes are computed in binary64: they describe, and do not decide
 * between pass and fail. Whether an output is correctly rounded is decided exactly.
 */
#include "judge_output.h"

#include <math.h>

/* |y - S| / (u A), from the exact sums. */
static double relative_error(const exact_prefix *p, uint64_t y) {
    if (!format_is_finite(p->format, y) || p->nan || p->positive_infinity || p->negative_infinity)
        return y == cumsum_rule_expected(p) ? 0 : INFINITY;
    wide distance = cumsum_rule_distance(p, y);
    if (wide_is_zero(&distance))
        return 0;
    const int unit = -(int)wide_bit_length(&p->magnitude);
    return cumsum_wide_value(&distance, unit) / cumsum_wide_value(&p->magnitude, unit) /
           p->format->unit_roundoff;
}

/* Is -0 the right sum? Only if all terms are -0. */
static bool may_be_minus_zero(const judge_state *s) {
    const uint64_t sign = judge_format(s)->sign;
    if (s->exact.terms == 0 || s->exact.nonzero)
        return false;
    for (uint64_t k = 0; k < s->problem.line_length; k++)
        if (judge_term(s, k) != sign)
            return false;
    return true;
}

/* The rule on a sum, all of whose terms are in the exact prefix. */
static rule_result rule_on_sum(const judge_state *s, uint64_t y) {
    rule_options how = s->how;
    how.strict_zero = how.strict_zero && !may_be_minus_zero(s);
    return cumsum_rule(&s->exact, y, &how);
}

rule_result cumsum_judge_by_rule(judge_state *s, uint64_t position, cumsum_finding *finding) {
    cumsum_judge_catch_up(s, position);
    uint64_t y = judge_actual(s, position);
    rule_result r = s->sums ? rule_on_sum(s, y) : cumsum_rule(&s->exact, y, &s->how);
    *finding = (cumsum_finding){.verdict = r.verdict,
                                .terms = s->exact.terms,
                                .expected_bits = r.expected,
                                .actual_bits = y,
                                .lower_bits = r.lower,
                                .upper_bits = r.upper,
                                .decided = r.decided,
                                .error = relative_error(&s->exact, y)};
    return r;
}

rule_result cumsum_judge_exactly(judge_state *s, uint64_t position) {
    cumsum_finding finding;
    const rule_result r = cumsum_judge_by_rule(s, position, &finding);
    s->judgement->models &= r.models;
    cumsum_judge_record(s, position, r.verdict, &finding);
    return r;
}

/*
 * Is y the exact sum, rounded to nearest? It is if S lies less than half a gap away. The gap below
 * a power of two is half as wide as the gap above it, and y may be a power of two if its fraction
 * is 0. Where that does not say on which side of the tie S lies, S itself is rounded: the pair, if
 * nothing of it was lost, or the superaccumulator.
 */
void cumsum_judge_rounding(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                           double distance, double doubt) {
    const binary_format *f = judge_format(s);
    const uint64_t fraction = y & ((UINT64_C(1) << (f->precision - 1)) - 1);
    const double half_gap = format_gap(f, y) / 2;
    doubt += distance * 0x1p-50;
    if (distance + doubt < (fraction ? half_gap : half_gap / 2))
        return;
    if (distance - doubt <= half_gap) {
        double high = l->high;
        const double low = two_sum(&high, l->low);
        if (l->slack != 0)
            cumsum_judge_catch_up(s, position);
        const uint64_t expected = l->slack == 0 ? cumsum_round_sum(f, high, low, TO_NEAREST)
                                                : cumsum_exact_prefix_round(&s->exact);
        if (cumsum_rule_within(f, y, expected, expected))
            return;
    }
    s->judgement->error_class = CUMSUM_CLASS_ONE;
}

double cumsum_judge_class_limit(cumsum_error_class c, unsigned log2_terms) {
    switch (c) {
    case CUMSUM_CLASS_ONE:
        return 1;
    case CUMSUM_CLASS_LOG:
        return log2_terms;
    case CUMSUM_CLASS_TWO_LOG:
        return 2.0 * log2_terms;
    default: /* correctly-rounded is decided elsewhere, and worst-case has no limit */
        return INFINITY;
    }
}

static void keep_largest_error(judge_state *s, uint64_t position, double error) {
    s->judgement->h = error;
    s->worst_line = s->line;
    s->worst_position = position;
    s->shown_later = true;
}

/* Errors have a relative error below 2^-20 here. */
#define SURELY_BELOW (1 - 0x1p-20)

/* Is an error above this limit of a class? Where that is not certain, the exact sums decide. */
static bool is_above(judge_state *s, uint64_t position, double error, double limit) {
    if (error <= limit * SURELY_BELOW || error > limit * (1 + 0x1p-20))
        return error > limit;
    cumsum_judge_catch_up(s, position);
    return relative_error(&s->exact, judge_actual(s, position)) > limit * (1 + 0x1p-40);
}

void cumsum_judge_error(judge_state *s, uint64_t position, double distance, double unit,
                        unsigned log2_terms) {
    cumsum_judgement *j = s->judgement;
    while (j->error_class < CUMSUM_CLASS_WORST_CASE &&
           distance > cumsum_judge_class_limit(j->error_class, log2_terms) * unit * SURELY_BELOW &&
           is_above(s, position, distance / unit,
                    cumsum_judge_class_limit(j->error_class, log2_terms)))
        j->error_class++;
    /* Compares quotients, so that the first of several equal largest ones is kept. The product only
     * avoids most of the divisions. */
    if (distance >= j->h * unit && distance / unit > j->h)
        keep_largest_error(s, position, distance / unit);
}

void cumsum_judge_rate_exactly(judge_state *s, uint64_t position, uint64_t y, unsigned log2_terms) {
    cumsum_judge_catch_up(s, position);
    const uint64_t expected = cumsum_exact_prefix_round(&s->exact);
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED &&
        !cumsum_rule_within(judge_format(s), y, expected, expected))
        s->judgement->error_class = CUMSUM_CLASS_ONE;
    cumsum_judge_error(s, position, relative_error(&s->exact, y), 1, log2_terms);
}

/* Two of FLOAT16's stores round S to infinity from 65504 on, where IEEE 754 has 65504; one of
 * BFLOAT16's may, where S is rounded twice. */
static bool is_stored_infinity(const judge_state *s, uint64_t y) {
    const binary_format *f = judge_format(s);
    if (!judge_is_16_bit(s) || rule_is_special(&s->exact))
        return false;
    uint64_t sum = cumsum_format_round(&binary32_format, &s->exact.sum, f->quantum, TO_NEAREST);
    return half_store(f, (uint32_t)sum, CUMSUM_HALF_STORE_NEAREST_EVEN) == y;
}

void cumsum_judge_overflow(judge_state *s, uint64_t position, uint64_t y) {
    cumsum_judgement *j = s->judgement;
    cumsum_judge_catch_up(s, position);
    if (cumsum_same_bits(s->problem.type, y, cumsum_rule_expected(&s->exact)))
        return;
    if (is_stored_infinity(s, y)) {
        if (j->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
            j->error_class = CUMSUM_CLASS_ONE;
        return;
    }
    j->error_class = CUMSUM_CLASS_WORST_CASE;
    if (j->h < INFINITY)
        keep_largest_error(s, position, INFINITY);
}
