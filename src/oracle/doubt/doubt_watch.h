/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_WATCH_H
#define CUMSUM_ORACLE_DOUBT_WATCH_H

/*
 * Which lines are surely not suspect: docs/oracle.md, "Doubt in the fast path". The loops over
 * lines know y - S of each output, and ask here, with bounds that are tighter than those of
 * doubt_line.h. A line that they are not sure of is looked at again.
 *
 * Invariant: R is never too large here. It is taken from some prefix sums of those that have been
 * met, and R only grows along a line. So do r and the bits of m. The limit of an error falls at one
 * place, where r v becomes 1/4.
 */

#include "line_sum.h"
#include "rule.h"

/* The arithmetic of rows, as far as doubt goes. */
typedef struct doubt_arithmetic {
    cumsum_verdict model;  /* of the first row */
    uint32_t models;       /* of all of them */
    arithmetic sums;       /* its additions; of either neighbour they give the nearest: no device is
                              known that takes another one */
    double unit;           /* v: twice the unit roundoff if they do not round to nearest */
    bool stored;           /* the accumulator does not have the type of the output, */
    cumsum_rounding store; /* to which its sums are rounded so */
    bool saturates;        /* sums stop at the largest number */
} doubt_arithmetic;

/* The rows that differ in the eyes of these rules. */
enum {
    DOUBT_MOST_ARITHMETICS = 4
};

/* The errors y - S that the accumulator may have had: from `low` to `high`, both the same where
 * nothing is stored. */
typedef struct doubt_errors {
    double low;
    double high;
} doubt_errors;

/* The errors of the sums before the store that gave y, from the error of y. A gap is the distance
 * to the next number, away from 0 and towards it. */
static inline doubt_errors doubt_errors_before_store(const binary_format *f,
                                                     const doubt_arithmetic *how, uint64_t y,
                                                     double error) {
    if (!how->stored)
        return (doubt_errors){error, error};
    const uint64_t magnitude = y & ~f->sign;
    const uint64_t exponent = magnitude >> (f->precision - 1);
    const bool smaller = exponent > 1 && !(magnitude & ((UINT64_C(1) << (f->precision - 1)) - 1));
    const double outer = format_gap(f, y);
    const double inner = smaller ? outer / 2 : outer;
    const bool either = how->store == CUMSUM_ROUNDING_EITHER;
    const bool zero = how->store == CUMSUM_ROUNDING_TOWARD_ZERO;
    const double away = zero || either ? outer : outer / 2;
    const double towards = zero ? (magnitude ? 0 : outer) : either ? inner : inner / 2;
    return y & f->sign ? (doubt_errors){error - away, error + towards}
                       : (doubt_errors){error - towards, error + away};
}

/* The one of them that is nearest to a value. */
static inline double doubt_nearest_error(doubt_errors e, double value) {
    return value < e.low ? e.low : value > e.high ? e.high : value;
}

/* The smallest difference of two errors. */
static inline double doubt_least_jump(doubt_errors a, doubt_errors b) {
    return fmax(fmax(a.low - b.high, b.low - a.high), 0);
}

/* What a loop knows about the doubt of its line under one arithmetic. */
typedef struct doubt_watch {
    bool sure;           /* no output so far is suspect, nor is there a jump */
    sum_range range;     /* of some exact prefix sums so far */
    double error;        /* the one of `errors` that is nearest to that of the output before */
    doubt_errors errors; /* that the sum of the last output may have had before the store */
    /* Limits of some output so far; they grow along a line, but for the place from which on nothing
     * is known: of so many terms that are not zero they have to be worked out again. */
    uint64_t renewed_at;
    double error_limit;
    double jump_limit;
} doubt_watch;

/* More than the relative error of anything that is computed here and in doubt_line.c. */
#define WATCH_MARGIN (1 - 0x1p-16)

/* A jump up to this many units is none: 16, less what covers roundings. */
#define WATCH_JUMP 15.0

/* The limits after the terms of l and at most so many more, for jumps of so many units. Up to
 * error_limit an output is a sum of neighbours, and something is known of it, with this v: R r v,
 * and 2 log2(m) v A where r v may be 1/4. R r v is less than R ((1 + v)^r - 1). Where nothing
 * rounds no error is allowed. Up to jump_limit the difference of two errors is no jump: ceil(log2
 * m) is at most the number of bits of m. */
static inline void watch_limits(doubt_watch *w, const line_sum *l, const binary_format *f,
                                const doubt_arithmetic *how, double jump, uint64_t more) {
    const uint64_t known = (uint64_t)(0.25 / how->unit); /* of fewer terms r v is below 1/4 */
    const bool surely_known = l->nonzero + more < known;
    const double v = how->unit * WATCH_MARGIN, range = range_size(&w->range);
    const double earlier = line_sum_earlier_roundings(l, line_sum_heavy(l, how->sums.accumulator));
    const double neighbours = range * (earlier + 1) * v;
    const double balanced = 2 * (double)l->log2_terms * v * l->magnitude;
    w->renewed_at = l->nonzero < known ? known : UINT64_MAX;
    w->error_limit = surely_known || neighbours < balanced ? neighbours : balanced;
    w->jump_limit = jump * how->unit * range * (double)l->log2_terms;
    if (!line_sum_in_range(l, f))
        w->error_limit = w->jump_limit = -1;
    else if (!line_sum_may_round(l, how->sums.accumulator))
        w->error_limit = w->jump_limit = 0;
}

/* Keeps the errors of the sums that are stored as `bits`, and the one of these that is nearest to
 * the error of the output before. */
static inline void watch_last(doubt_watch *w, const line_sum *l, const binary_format *f,
                              const doubt_arithmetic *how, uint64_t bits) {
    const double error = (format_value(f, bits) - l->high) - l->low;
    w->errors = doubt_errors_before_store(f, how, bits, error);
    w->error = doubt_nearest_error(w->errors, w->error);
}

/* Looks at the next output, which has the terms of l. Limits grow along a line, so the limits of
 * an earlier output are tried first. An infinity or a NaN, and what comes after it, is not doubted.
 */
static inline void watch_output(doubt_watch *w, const line_sum *l, const binary_format *f,
                                const doubt_arithmetic *how, uint64_t bits, double y) {
    if (!w->sure)
        return;
    const bool stored = f->precision < 24 && how->stored;
    double error = (y - l->high) - l->low, size = fabs(error);
    const double last = w->error, doubt = 4 * l->slack;
    const doubt_errors before = w->errors;
    doubt_errors e = {error, error};
    range_widen(&w->range, l->high);
    if (stored && (error != 0 || last != 0)) {
        e = doubt_errors_before_store(f, how, bits, error);
        error = doubt_nearest_error(e, last);
        size = fabs(doubt_nearest_error(e, 0));
    }
    /* An error that becomes smaller does not count as a jump. That of a stored sum is one of
     * several. */
    const bool falls = !stored && size <= fabs(last) * WATCH_MARGIN;
    const double difference = fabs(error - last);
    /* No branches, which would be mispredicted. */
    const int steady =
        (falls | (difference <= w->jump_limit - doubt)) & (l->nonzero < w->renewed_at);
    w->error = error;
    w->errors = e;
    if ((size <= w->error_limit - doubt) & steady)
        return;
    if (size == 0 && (falls || difference == 0))
        return;
    if (l->special || !format_is_finite(f, bits)) {
        w->error = last;
        w->errors = before;
        return;
    }
    watch_limits(w, l, f, how, WATCH_JUMP, 0);
    if (!(size <= w->error_limit - doubt) ||
        (!falls && !(doubt_least_jump(e, before) <= w->jump_limit - doubt)))
        w->sure = false;
}

#endif
