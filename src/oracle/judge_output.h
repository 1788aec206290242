/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_JUDGE_OUTPUT_H
#define CUMSUM_ORACLE_JUDGE_OUTPUT_H

/*
 * What the loops over floating-point lines do with one output: verdict 1 by the exact rule,
 * where the fast test cannot decide, and verdict 2, the class of accuracy, always.
 */

#include "judge_state.h"
#include "line_sum.h"
#include "rule.h"

/* Applies the exact rule to an output of the current line. The finding gets everything but its
 * coordinates and ulps. Nothing is recorded. */
rule_result cumsum_judge_by_rule(judge_state *s, uint64_t position, cumsum_finding *finding);

/* The same, and records the verdict and the models that are still possible for the tensor. */
rule_result cumsum_judge_exactly(judge_state *s, uint64_t position);

/* Verdict 2, in two parts. `distance` is |y - S| as the fast sum has it. */

/* Takes the class correctly-rounded from the tensor unless y, which is finite, is S, correctly
 * rounded. The distance may be wrong by `doubt` and two roundings. */
void cumsum_judge_rounding(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                           double distance, double doubt);

/* The largest error, in units of u A, that a class allows for a prefix of m terms. */
double cumsum_judge_class_limit(cumsum_error_class c, unsigned log2_terms);

/* Lowers the class of the tensor to one that allows this error, and keeps h and its place. `unit`
 * is u A of the output type. */
void cumsum_judge_error(judge_state *s, uint64_t position, double distance, double unit,
                        unsigned log2_terms);

/* The same for an infinity or a NaN: it is right, or it comes from an overflow. */
void cumsum_judge_overflow(judge_state *s, uint64_t position, uint64_t y);

/* Both parts, from the exact sums, for a finite output. */
void cumsum_judge_rate_exactly(judge_state *s, uint64_t position, uint64_t y, unsigned log2_terms);

/* All of it, for an output that does not fail. `doubt` is how wrong the distance may be. Inlined,
 * so that the sum of the line stays in registers. */
static inline void judge_rate(judge_state *s, const line_sum *l, const binary_format *f,
                              uint64_t position, uint64_t y, double distance, double doubt) {
    if (!format_is_finite(f, y)) {
        cumsum_judge_overflow(s, position, y);
        return;
    }
    if (!line_sum_in_range(l, f)) {
        cumsum_judge_rate_exactly(s, position, y, l->log2_terms);
        return;
    }
    if (s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED)
        cumsum_judge_rounding(s, l, position, y, distance, doubt);
    cumsum_judge_error(s, position, distance, f->unit_roundoff * l->magnitude, l->log2_terms);
}

#endif
