/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ERROR_CLASS_H
#define CUMSUM_ORACLE_ERROR_CLASS_H

/*
 * Verdict 2: the class of a tensor is the smallest that holds for all of its outputs, so a class
 * once lost stays lost, and each output needs one comparison: with the limit of the class that
 * still holds.
 */

#include "judge_state.h"
#include "tally.h"

/* The largest error, in units of u A, that a class allows for a prefix of m terms. */
static inline double class_limit(cumsum_error_class c, unsigned log2_terms) {
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

/* ceil(log2(m)), 0 for m < 2. */
static inline unsigned ceil_log2(uint64_t terms) {
    unsigned result = 0;
    while (result < 64 && (UINT64_C(1) << result) < terms)
        result++;
    return result;
}

/* Lowers the class until it allows an output with this error. unit is u A; the largest error and
 * its place are kept. The class that is not about h, correctly-rounded, is left by the caller. */
static inline void class_update(judge_state *s, uint64_t position, double distance, double unit,
                                unsigned log2_terms) {
    cumsum_judgement *j = s->judgement;
    while (j->error_class < CUMSUM_CLASS_ANY_ORDER &&
           distance > class_limit(j->error_class, log2_terms) * unit * (1 + 0x1p-40))
        j->error_class++;
    if (distance > j->h * unit) {
        j->h = distance / unit;
        s->worst_line = s->line;
        s->worst_position = position;
    }
}

#endif
