/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_EXACT_PREFIX_H
#define CUMSUM_ORACLE_EXACT_PREFIX_H

/*
 * The exact sums of a prefix of a line: docs/oracle.md, "Exact sums". Two superaccumulators hold S,
 * the sum of the terms, and A, the sum of their absolute values. They are rounded only by
 * cumsum_format_round, once, when a rule asks for a value of a format.
 */

#include "binary_format.h"
#include "reachable.h"

/* Infinities and NaNs are counted as terms and remembered by the flags, but not added. */
typedef struct exact_prefix {
    const binary_format *format; /* of the terms; sums are in units of its quantum */
    uint64_t terms;              /* m, the special ones included */
    uint64_t nonzero;            /* n: terms other than zeros, the special ones included */
    uint64_t few[REACH_MOST];    /* the first of these */
    uint32_t zeros;        /* bit k, k <= REACH_MOST: a zero directly after the first k of these */
    uint64_t largest;      /* the bits of the greatest magnitude of a finite term */
    wide sum;              /* S of the finite terms */
    wide magnitude;        /* A of the finite terms */
    unsigned lowest;       /* position of the lowest bit set in any finite term */
    const arithmetic *how; /* NULL: the following is not kept */
    wide top;              /* the greatest and the least S so far, and 0 */
    wide bottom;
    sequence_sum sequence; /* the terms, one after the other */
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} exact_prefix;

/* The prefix of no terms. It keeps what the order of an arithmetic needs, if one is given. Places
 * that mean nothing yet are left as they are: the prefix is larger than most lines. */
static inline void exact_prefix_begin(exact_prefix *p, const binary_format *format,
                                      const arithmetic *how) {
    p->format = format;
    p->terms = p->nonzero = p->largest = 0;
    p->zeros = 0;
    p->sum = p->magnitude = format_zero(format);
    p->lowest = ~0u;
    p->how = how && how->order != CUMSUM_ALLOWED_ANY ? how : NULL;
    if (p->how)
        p->top = p->bottom = p->sum;
    p->sequence = (sequence_sum){0};
    p->nan = p->positive_infinity = p->negative_infinity = false;
}

static inline exact_prefix exact_prefix_of(const binary_format *format, const arithmetic *how) {
    exact_prefix p;
    exact_prefix_begin(&p, format, how);
    return p;
}

/* Appends a term, given by its bits. */
void cumsum_exact_prefix_add(exact_prefix *p, uint64_t bits);

/* The terms of a short prefix. */
reach_terms cumsum_exact_prefix_few(const exact_prefix *p);

/* The prefix of those terms of a short prefix that are not subnormal. */
exact_prefix cumsum_exact_prefix_normal(const exact_prefix *p);

/*
 * True if no order of additions can round, in an accumulator of that many significant bits
 * (docs/oracle.md, "What is exact has no tolerance"): every partial sum is a multiple of
 * 2^lowest, and at most 2^precision times that in magnitude, so it is a number of the format.
 * Overflow is not considered.
 */
bool cumsum_exact_prefix_never_rounds(const exact_prefix *p, int precision);

/*
 * The number of additions that may round in an accumulator of that many significant bits, in the
 * order in which most of them do, the last one included (docs/oracle.md, "Additions that are
 * exact"). 0 if no order rounds.
 */
uint64_t cumsum_exact_prefix_roundings(const exact_prefix *p, int precision);

/* The bits of value * 2^unit in the format, rounded once. To nearest it is an infinity from the
 * overflow threshold of IEEE 754 on; toward zero it never is. Zero is +0. */
uint64_t cumsum_format_round(const binary_format *f, const wide *value, int unit,
                             rounding_direction direction);

/* value * 2^unit, of which the highest bits are enough. */
double cumsum_wide_value(const wide *value, int unit);

/* S, rounded once to the format of the terms. */
static inline uint64_t cumsum_exact_prefix_round(const exact_prefix *p) {
    return cumsum_format_round(p->format, &p->sum, p->format->quantum, TO_NEAREST);
}

#endif
