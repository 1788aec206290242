/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_RULE_H
#define CUMSUM_ORACLE_RULE_H

/*
 * Verdict 1 on one output, in exact integer arithmetic: docs/oracle.md, "Verdict 1". These rules
 * are the authority. The loops over lines (line_float*.c) accept most outputs by a cheaper test
 * that never accepts wrongly, and leave the rest to the rules.
 *
 * Notation, as in docs/oracle.md: y is the output, m the number of terms of its prefix, S their
 * exact sum, A the exact sum of their absolute values, u the unit roundoff of the accumulator.
 */

#include <cumsum/oracle.h>

#include "exact_prefix.h"

/* A model is a way in which a device may add and store; each has a verdict of its own. Sets of
 * models are bit masks. */
#define MODEL(verdict)  (UINT32_C(1) << (verdict))
#define MODELS_FLOAT32  (MODEL(CUMSUM_VERDICT_CONFORMANT) | MODEL(CUMSUM_VERDICT_CONFORMANT_FLUSH))
#define MODELS_BINARY16 (MODEL(CUMSUM_VERDICT_BINARY16) | MODEL(CUMSUM_VERDICT_BINARY16_TRUNCATING))
#define MODELS_FLOAT16                                                                             \
    (MODEL(CUMSUM_VERDICT_BINARY32_NEAREST) | MODEL(CUMSUM_VERDICT_BINARY32_ZERO) |                \
     MODEL(CUMSUM_VERDICT_BINARY32_IEEE) | MODELS_BINARY16)

/* FLOAT16 models with a binary32 accumulator, indexed by their cumsum_half_store. */
static const cumsum_verdict models_of_stores[3] = {
    CUMSUM_VERDICT_BINARY32_NEAREST, CUMSUM_VERDICT_BINARY32_ZERO, CUMSUM_VERDICT_BINARY32_IEEE};

typedef struct rule_result {
    cumsum_verdict verdict;
    uint32_t models;   /* models that fit or cannot be ruled out, whether allowed or not */
    uint32_t expected; /* S, rounded once to the output type */
    uint32_t lower;    /* the accepted interval, in the output type */
    uint32_t upper;
} rule_result;

/* The verdict on y. `allowed` is the set of models of which one has to fit; with strict_zero, -0 is
 * not accepted as a zero. */
rule_result cumsum_rule_float32(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero);
rule_result cumsum_rule_float16(const exact_prefix *p, uint32_t y, uint32_t allowed,
                                bool strict_zero);

/* FLOAT16: the first model of a set, in the order of docs/oracle.md; FAIL if the set is empty. */
cumsum_verdict cumsum_rule_first_model(uint32_t models);

/* What the two rules share, in rule.c. */

/* Starts a result: no model fits, and the interval is the expected value. Returns true if the
 * prefix holds a NaN or an infinity; the result is then complete. `models` are all models of the
 * type. `may_overflow`: an accumulator in the format of the terms is allowed, so it can overflow.
 */
bool cumsum_rule_begin(const exact_prefix *p, uint32_t y, bool may_overflow, uint32_t models,
                       rule_result *result);

/* The interval [RN(S - E), RN(S + E)] in the accumulator's format, with E = max(m - 2, 0) u A, or
 * E = 0 if no order of additions rounds. */
void cumsum_rule_interval(const exact_prefix *p, const binary_format *accumulator, uint32_t *lower,
                          uint32_t *upper);

/* Can some order of additions in the format of the terms overflow? magnitude is their A. */
bool cumsum_rule_may_overflow(const exact_prefix *p, const wide *magnitude);

/* Is y in [lower, upper]? +0 and -0 are equal. Not for NaN. */
bool cumsum_rule_within(const binary_format *f, uint32_t y, uint32_t lower, uint32_t upper,
                        bool strict_zero);

/* |y - S| for a finite y, in units of the quantum of the terms' format. */
wide cumsum_rule_distance(const exact_prefix *p, uint32_t y);

#endif
