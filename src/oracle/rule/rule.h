/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_RULE_H
#define CUMSUM_ORACLE_RULE_H

/*
 * Verdict 1 on one output, in exact integer arithmetic: docs/oracle.md, "Verdict 1". These rules
 * are the authority. The loops over lines (line_float.c, line_16_bit.c) accept most outputs by a
 * cheaper test that never accepts wrongly, and call the rules for the others.
 *
 * Notation, as in docs/oracle.md: y is the output, m the number of terms of its prefix, n the
 * number of those that are not zero, S their exact sum, A the exact sum of their absolute values, u
 * the unit roundoff of the accumulator.
 */

#include <cumsum/oracle.h>

#include "exact_prefix.h"

/* A model is a way in which a device may add and store; each has a verdict of its own. Sets of
 * models are bit masks. */
#define MODEL(verdict) (UINT32_C(1) << (verdict))
#define MODELS_FLOAT   (MODEL(CUMSUM_VERDICT_CONFORMANT) | MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH))
#define MODELS_TRUNCATING                                                                          \
    (MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING) | MODEL(CUMSUM_VERDICT_BINARY16_SATURATING))
#define MODELS_BINARY16 (MODEL(CUMSUM_VERDICT_BINARY16) | MODELS_TRUNCATING)
#define MODELS_BINARY32                                                                            \
    (MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_ZERO) |                \
     MODEL(CUMSUM_VERDICT_BINARY32_IEEE))
#define MODELS_FLOAT16 (MODELS_BINARY32 | MODELS_BINARY16)
#define MODELS_BFLOAT16                                                                            \
    (MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_ZERO) |                \
     MODEL(CUMSUM_VERDICT_BFLOAT16))

/* FLOAT16 and BFLOAT16 models with a binary32 accumulator, indexed by their cumsum_half_store. For
 * BFLOAT16 the last one is the first one by another name, and is not allowed. */
static const cumsum_verdict models_of_stores[3] = {
    CUMSUM_VERDICT_BINARY32_NEAREST, CUMSUM_VERDICT_BINARY32_ZERO, CUMSUM_VERDICT_BINARY32_IEEE};

/* How outputs are judged. */
typedef struct rule_options {
    uint32_t allowed; /* models, one of which has to fit; others are not tried */
    bool strict_zero; /* -0 is not accepted as a zero */
    double *values;   /* room of cumsum_reach: up to REACH_MOST terms are added in every order; if
                         NULL, REACH_ALWAYS */
    const arithmetic *profile; /* NULL: the models; else the only arithmetic that counts, which is
                                  the model CUMSUM_VERDICT_CONFORMANT */
} rule_options;

typedef struct rule_result {
    cumsum_verdict verdict;
    uint32_t models;   /* the allowed models that fit or cannot be ruled out */
    uint64_t expected; /* S, rounded once to the output type */
    uint64_t lower;    /* the accepted interval, in the output type */
    uint64_t upper;
    bool decided; /* every order of additions was tried */
} rule_result;

/* The verdict on y. */
rule_result cumsum_rule_float(const exact_prefix *p, uint64_t y, const rule_options *how);
rule_result cumsum_rule_16_bit(const exact_prefix *p, uint64_t y, const rule_options *how);
rule_result cumsum_rule_profile(const exact_prefix *p, uint64_t y, const rule_options *how);

/* They are given the format by the prefix: binary32 or binary64, binary16 or bfloat16, and any. */
static inline rule_result rule_apply(const exact_prefix *p, uint64_t y, const rule_options *how) {
    if (how->profile)
        return cumsum_rule_profile(p, y, how);
    return p->format->precision < 24 ? cumsum_rule_16_bit(p, y, how) : cumsum_rule_float(p, y, how);
}

/* FLOAT16 and BFLOAT16: the first model of a set, in the order of docs/oracle.md; FAIL if the set
 * is empty. */
cumsum_verdict cumsum_rule_first_model(uint32_t models);

/* What the two rules share, in rule.c. */

/* The value that S rounds to; NaN or an infinity if the terms of the prefix give it. */
uint64_t cumsum_rule_expected(const exact_prefix *p);

/* Starts a result: no model fits, and the interval is the expected value. Returns true if the
 * verdict is then known: the prefix contains a NaN or an infinity and y is the expected one, or y
 * is -0 and must not be. */
bool cumsum_rule_begin(const exact_prefix *p, uint64_t y, const rule_options *how,
                       rule_result *result);

/* Does the prefix hold a NaN or an infinity? */
static inline bool rule_is_special(const exact_prefix *p) {
    return p->nan || p->positive_infinity || p->negative_infinity;
}

/* Are the terms so few that every order is tried? */
static inline bool rule_is_short(const exact_prefix *p, const rule_options *how) {
    return p->nonzero <= (how->values ? REACH_MOST : REACH_ALWAYS);
}

/* Tries every order of a short prefix. */
reach_answer cumsum_rule_reach(const exact_prefix *p, uint64_t y, const rule_options *how,
                               const arithmetic *sums);

/* Are all terms >= 0, or all <= 0? */
bool cumsum_rule_one_sign(const exact_prefix *p);

/* The interval of the outputs that every order of additions keeps to: S - E and S + E, rounded as
 * the arithmetic rounds, for r additions that may round the bits of E of the r - 1 before the last
 * one; of terms of one sign the end nearer to 0 is nearer to S. Rounded to the accumulator, and to
 * the terms' format unless `in_accumulator`. */
typedef struct rule_range {
    uint64_t lower;
    uint64_t upper;
} rule_range;
rule_range cumsum_rule_interval(const exact_prefix *p, const arithmetic *how, bool in_accumulator);

/* Is y in the interval, or a zero that flushing makes of a number in it? Not for NaN. */
bool cumsum_rule_in_range(const exact_prefix *p, const arithmetic *how, uint64_t y,
                          rule_range range);

/* May a term or a sum be subnormal, and flushed? Every partial sum, rounded or not, is a multiple
 * of the lowest bit set in any term. */
bool cumsum_rule_may_flush(const exact_prefix *p, const arithmetic *how);

/* Where sums stop at the largest number C of the accumulator: is a finite y between min(P, C) - N -
 * T and P - min(N, C) + T, with the T of all r additions? */
bool cumsum_rule_within_saturated(const exact_prefix *p, const arithmetic *how, uint64_t y);

/* Twice the sum of the positive terms, or of the magnitudes of the negative ones. */
wide cumsum_rule_twice_side(const exact_prefix *p, bool negative);

/* Can some order of additions overflow and end as this infinity or NaN of the terms' format? */
bool cumsum_rule_may_overflow(const exact_prefix *p, const arithmetic *how, uint64_t y);

/* Can a partial sum be beyond what the accumulator holds, on the side of this sign? */
bool cumsum_rule_side_may_overflow(const exact_prefix *p, const arithmetic *how, bool negative);

/* Is y in [lower, upper]? +0 and -0 are equal. Not for NaN. */
bool cumsum_rule_within(const binary_format *f, uint64_t y, uint64_t lower, uint64_t upper);

/* |y - S| for a finite y, in units of the quantum of the terms' format; |n y - S| for a mean. */
wide cumsum_rule_distance(const exact_prefix *p, uint64_t y);

#endif
