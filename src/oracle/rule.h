/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_RULE_H
#define CUMSUM_ORACLE_RULE_H

/*
 * The rules of docs/oracle.md for one output, in exact integer arithmetic: the verdict that counts.
 * The loops over lines (line_*.c) decide most outputs by a cheaper test that is never wrong, and
 * come here with the rest.
 */

#include <cumsum/oracle.h>

#include "exact_prefix.h"

#define MODEL(verdict) (UINT32_C(1) << (verdict))
#define MODELS_FLOAT32 (MODEL(CUMSUM_VERDICT_CONFORMANT) | MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH))
#define MODELS_FLOAT16                                                                             \
    (MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_ZERO) |                \
     MODEL(CUMSUM_VERDICT_BINARY32_IEEE) | MODEL(CUMSUM_VERDICT_BINARY16) |                        \
     MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING))

typedef struct rule_result {
    cumsum_verdict verdict;
    uint32_t models;   /* MODEL() of each one that fits, allowed or not, or is undecided */
    uint32_t expected; /* the exact sum, rounded once to the output type */
    uint32_t lower;    /* the accepted interval, in the output type */
    uint32_t upper;
} rule_result;

/* `allowed` is a set of models, of which one has to fit. */
rule_result cumsum_rule_float32(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero);
rule_result cumsum_rule_float16(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero);

/* FLOAT16: the first of a set of models, or FAIL where it is empty. */
cumsum_verdict cumsum_rule_first_model(uint32_t models);

/* Shared by the two. */

/* Decides an output whose prefix holds a NaN or an infinity; false where it holds none. `narrow`:
 * an accumulator in the terms' own format, which may overflow, is allowed. `models` are all of
 * them. */
bool cumsum_rule_special(const exact_prefix *p, uint32_t y, bool narrow, uint32_t models,
                         rule_result *result);

/* The interval [RN(S - E), RN(S + E)] in the accumulator's format, E = max(m - 2, 0) u A, and 0
 * where no order rounds. */
void cumsum_rule_interval(const exact_prefix *p, const binary_format *accumulator, uint32_t *lower,
                          uint32_t *upper);

/* Can some order of additions in the terms' own format overflow: (1 + (m - 1) u) A >= threshold? */
bool cumsum_rule_may_overflow(const exact_prefix *p, const wide *magnitude);

/* Is y in [lower, upper]? Zeros are equal; with strict_zero a zero has to be +0. Not for NaN. */
bool cumsum_rule_within(const binary_format *f, uint32_t y, uint32_t lower, uint32_t upper,
                        bool strict_zero);

/* |y - S| for a finite y, in units of the terms' quantum. */
wide cumsum_rule_distance(const exact_prefix *p, uint32_t y);

#endif
