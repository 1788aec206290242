/* SPDX-License-Identifier: MIT */
#include "error_class.h"

#include <math.h>

rounded cumsum_is_rounded(const binary_format *f, uint32_t y, double distance, double doubt,
                          bool exact) {
    uint32_t exponent = (y & f->infinity) >> (f->precision - 1);
    uint32_t fraction = y & ((UINT32_C(1) << (f->precision - 1)) - 1);
    double half_gap = ldexp(0.5, (int)exponent - (exponent != 0) + f->quantum);
    double below = fraction ? half_gap : half_gap / 2; /* at a power of two, half as far */
    if (exact && fraction && distance == half_gap)     /* the difference of near numbers is exact */
        return y & 1 ? ROUNDED_NO : ROUNDED_YES;
    doubt += distance * 0x1p-50;
    if (distance + doubt < below)
        return ROUNDED_YES;
    return distance - doubt > half_gap ? ROUNDED_NO : ROUNDED_UNSURE;
}

static bool exactly_rounded(judge_state *s, uint64_t position, uint32_t y) {
    cumsum_judge_catch_up(s, position);
    uint32_t expected = cumsum_exact_prefix_round(&s->exact);
    return cumsum_rule_within(s->exact.format, y, expected, expected, false);
}

/* The largest error, in units of u A, that a class allows for a prefix of m terms. */
static double class_limit(cumsum_error_class c, unsigned log2_terms) {
    switch (c) {
    case CUMSUM_CLASS_ONE:
        return 1;
    case CUMSUM_CLASS_LOG:
        return log2_terms;
    case CUMSUM_CLASS_TWO_LOG:
        return 2.0 * log2_terms;
    default:
        return INFINITY;
    }
}

void cumsum_rate_output(judge_state *s, uint64_t position, uint32_t y, rounded is_rounded,
                        double distance, double unit, unsigned log2_terms) {
    cumsum_judgement *j = s->judgement;
    if (j->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED) {
        if (is_rounded == ROUNDED_UNSURE && exactly_rounded(s, position, y))
            is_rounded = ROUNDED_YES;
        if (is_rounded != ROUNDED_YES)
            j->error_class = CUMSUM_CLASS_ONE;
    }
    if (!format_is_finite(s->exact.format, y))
        return;
    while (j->error_class < CUMSUM_CLASS_ANY_ORDER &&
           distance > class_limit(j->error_class, log2_terms) * unit * (1 + 0x1p-40))
        j->error_class++;
    if (distance > j->h * unit) {
        j->h = distance / unit;
        s->worst_line = s->line;
        s->worst_position = position;
    }
}
