/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_BOUND_H
#define CUMSUM_ORACLE_BOUND_H

/*
 * What every order of additions of a prefix keeps to, in exact integer arithmetic: docs/oracle.md,
 * "Verdict 1". Notation, as there: y is the output, m the number of terms of its prefix, n the
 * number of those that are not zero, S their exact sum, A the exact sum of their absolute values, u
 * the unit roundoff of the accumulator.
 */

#include "exact_prefix.h"

/* Two numbers of a format and all that lie between them. */
typedef struct rule_range {
    uint64_t lower;
    uint64_t upper;
} rule_range;

/* Does the prefix hold a NaN or an infinity? */
static inline bool rule_is_special(const exact_prefix *p) {
    return p->nan || p->positive_infinity || p->negative_infinity;
}

/* The value that S rounds to; NaN or an infinity if the terms of the prefix give it. */
uint64_t cumsum_rule_expected(const exact_prefix *p);

/* Twice the sum of the positive terms, or of the magnitudes of the negative ones: A + S and A - S
 * are even. */
static inline wide rule_twice_side(const exact_prefix *p, bool negative) {
    return negative ? wide_sub(&p->magnitude, &p->sum) : wide_add(&p->magnitude, &p->sum);
}

/* Are all terms >= 0, or all <= 0? */
bool cumsum_rule_one_sign(const exact_prefix *p);

/* The sums that every order of additions keeps to, as numbers of the accumulator: S - E and S + E,
 * rounded as the arithmetic rounds, for r additions that may round the bits of E of the r - 1
 * before the last one; of terms of one sign the end nearer to 0 is nearer to S. */
rule_range cumsum_rule_interval(const exact_prefix *p, const arithmetic *how);

/* What is stored of these sums, as numbers of the terms' format. */
rule_range cumsum_rule_stored(const exact_prefix *p, const arithmetic *how, rule_range sums);

/* The interval with the zeros that flushing makes of its ends. */
rule_range cumsum_rule_flushed(const exact_prefix *p, const arithmetic *how, rule_range range);

/* Is y in the interval, or a zero that flushing makes of a number in it? Not for NaN. */
bool cumsum_rule_in_range(const exact_prefix *p, const arithmetic *how, uint64_t y,
                          rule_range range);

/* May a term or a sum be subnormal, and flushed? Every partial sum, rounded or not, is a multiple
 * of the lowest bit set in any term. */
bool cumsum_rule_may_flush(const exact_prefix *p, const arithmetic *how);

/* Where sums stop at the largest number C of the accumulator: is a finite y between min(P, C) - N -
 * T and P - min(N, C) + T, with the T of all r additions? */
bool cumsum_rule_within_saturated(const exact_prefix *p, const arithmetic *how, uint64_t y);

/* Can some order of additions overflow and end as this infinity or NaN of the terms' format? */
bool cumsum_rule_may_overflow(const exact_prefix *p, const arithmetic *how, uint64_t y);

/* Can a partial sum be beyond what the accumulator holds, on the side of this sign, or of any? */
bool cumsum_rule_side_may_overflow(const exact_prefix *p, const arithmetic *how, bool negative);
static inline bool rule_sums_may_overflow(const exact_prefix *p, const arithmetic *how) {
    return cumsum_rule_side_may_overflow(p, how, false) ||
           cumsum_rule_side_may_overflow(p, how, true);
}

/* Is y in [lower, upper]? +0 and -0 are equal. Not for NaN. */
bool cumsum_rule_within(const binary_format *f, uint64_t y, uint64_t lower, uint64_t upper);

/* |y - S| for a finite y, in units of the quantum of the terms' format. */
wide cumsum_rule_distance(const exact_prefix *p, uint64_t y);

#endif
