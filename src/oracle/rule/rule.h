/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_RULE_H
#define CUMSUM_ORACLE_RULE_H

/*
 * Verdict 1 on one output, in exact integer arithmetic: docs/oracle.md, "Verdict 1". This rule is
 * the authority. The loops over lines accept most outputs by a cheaper test that never accepts
 * wrongly, and call the rule for the others.
 *
 * A model is a way in which a device may add and store. Each is a row: an arithmetic, and the
 * verdict on an output that it explains.
 */

#include <cumsum/oracle.h>

#include "exact_prefix.h"

/* Sets of models are bit masks. */
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

typedef struct rule_row {
    cumsum_verdict verdict;
    const arithmetic *sums;
    uint32_t also; /* models that fit wherever this one does */
} rule_row;

/* The rows of a type, in the sequence in which they are tried. */
typedef struct rule_rows {
    unsigned count;
    rule_row rows[6];
} rule_rows;

static const rule_rows binary32_rows = {
    2,
    {{CUMSUM_VERDICT_CONFORMANT, &arithmetic_binary32, MODELS_FLOAT},
     {CUMSUM_VERDICT_CONFORMANT_FLUSH, &arithmetic_binary32_flush, 0}}};
static const rule_rows binary64_rows = {
    2,
    {{CUMSUM_VERDICT_CONFORMANT, &arithmetic_binary64, MODELS_FLOAT},
     {CUMSUM_VERDICT_CONFORMANT_FLUSH, &arithmetic_binary64_flush, 0}}};
static const rule_rows binary16_rows = {
    6,
    {{CUMSUM_VERDICT_BINARY32_NEAREST, &arithmetic_stored_nearest, 0},
     {CUMSUM_VERDICT_BINARY32_ZERO, &arithmetic_stored_zero, 0},
     {CUMSUM_VERDICT_BINARY32_IEEE, &arithmetic_stored_ieee, 0},
     {CUMSUM_VERDICT_BINARY16, &arithmetic_binary16, 0},
     {CUMSUM_VERDICT_BINARY16_TRUNCATING, &arithmetic_binary16_truncating, 0},
     {CUMSUM_VERDICT_BINARY16_SATURATING, &arithmetic_binary16_saturating, 0}}};
static const rule_rows bfloat16_rows = {
    3,
    {{CUMSUM_VERDICT_BINARY32_NEAREST, &arithmetic_stored_nearest, 0},
     {CUMSUM_VERDICT_BINARY32_ZERO, &arithmetic_stored_zero, 0},
     {CUMSUM_VERDICT_BFLOAT16, &arithmetic_bfloat16, 0}}};

static inline const rule_rows *rule_rows_of(const binary_format *f) {
    switch (f->precision) {
    case 8:
        return &bfloat16_rows;
    case 11:
        return &binary16_rows;
    case 24:
        return &binary32_rows;
    default:
        return &binary64_rows;
    }
}

/* A profile is a row. */
static inline rule_rows rule_rows_of_profile(const arithmetic *profile) {
    return (rule_rows){1, {{CUMSUM_VERDICT_CONFORMANT, profile, 0}}};
}

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

/* The verdict on y, an output of the prefix's format. */
rule_result cumsum_rule(const exact_prefix *p, uint64_t y, const rule_options *how);

/* The first model of a set; FAIL if the set is empty. */
static inline cumsum_verdict rule_first_model(uint32_t models) {
    return models ? (cumsum_verdict)cumsum_lowest_bit(models) : CUMSUM_VERDICT_FAIL;
}

/* Of so many terms that are not zero, or fewer, every order is tried. */
static inline uint64_t rule_short_prefix(const rule_options *how) {
    return how->values ? REACH_MOST : REACH_ALWAYS;
}

static inline bool rule_is_short(const exact_prefix *p, const rule_options *how) {
    return p->nonzero <= rule_short_prefix(how);
}

/* Tries every order of a short prefix. */
static inline reach_answer rule_reach(const exact_prefix *p, uint64_t y, const rule_options *how,
                                      const arithmetic *sums) {
    const reach_terms terms = cumsum_exact_prefix_few(p);
    return cumsum_reach(&terms, sums, p->format, y, how->values);
}

/* Two numbers of a format and all that lie between them. */
typedef struct rule_range {
    uint64_t lower;
    uint64_t upper;
} rule_range;

/* Sums that are more precise than the arithmetics are. */

/* The models whose last rounding gives y from such a sum of a few terms. */
uint32_t cumsum_wider_models(const exact_prefix *p, uint64_t y, const rule_options *how);

/* Is y such a sum, of a few terms, for a profile? False in *complete if there were too many values
 * to know. */
bool cumsum_is_wider(const exact_prefix *p, uint64_t y, const rule_options *how, bool *complete);

/* May y be one, where `allowed` is what the profile accepts of a sequence, or of any order? */
bool cumsum_may_be_wider(const exact_prefix *p, uint64_t y, const arithmetic *profile,
                         rule_range allowed);

/*
 * What every order of additions of a prefix keeps to (bound.c). Notation, as in docs/oracle.md,
 * "Verdict 1": y is the output, m the number of terms of its prefix, n the number of those that are
 * not zero, S their exact sum, A the exact sum of their absolute values, u the unit roundoff of the
 * accumulator.
 */

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
