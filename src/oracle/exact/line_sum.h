/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_LINE_SUM_H
#define CUMSUM_ORACLE_LINE_SUM_H

/*
 * A fast prefix sum that bounds its own error: docs/oracle.md, "Fast path". It lets the loops over
 * floating-point lines accept most outputs without the superaccumulator.
 *
 * Two binary64 numbers hold the sum, as in the compensated summation of Ogita, Rump and Oishi
 * ("Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005). Knuth's TwoSum gives a rounded
 * sum and its rounding error exactly. These errors are added up, which rounds again; the magnitude
 * of that rounding is added to `slack`. Nothing underflows, because every term is a multiple
 * of 2^-149, and additions of binary64 do not lose what is below its smallest normal. FLOAT16 loses
 * nothing: sums of fewer than 2^32 halves fit the pair, and slack stays 0.
 *
 * Invariant, for the finite terms: |S - (high + low)| <= slack, where the rounding of slack itself
 * is covered by ROUND_UP and ROUND_DOWN, which also cover the rounding of `magnitude`.
 */

#include <math.h>
#include <stdbool.h>

#include "binary_format.h"
#include "reachable.h"

typedef struct line_sum {
    double high;
    double low;
    double slack;
    double magnitude;    /* A, with a relative error below 2^-20: 2^32 additions of error 2^-53 */
    double lowest;       /* the lowest bit set in any term, until `rounds`; of FLOAT16 always */
    double largest;      /* the greatest magnitude of a term, as long */
    uint64_t terms;      /* m, infinities and NaNs included */
    uint64_t nonzero;    /* n: the terms that are not zero */
    double *few;         /* the first of these */
    unsigned log2_terms; /* ceil(log2 m) */
    uint64_t heavy;      /* line_sum_heavy for that format, from `rounds` on */
    bool special;        /* an infinity or a NaN was among the terms: the sums are of no use */
    bool rounds;         /* some order may round: in binary64 for FLOAT64, else in binary32 */
} line_sum;

/* The sum of no terms. `few` is room for REACH_MOST of them. */
static inline line_sum line_sum_empty(double *few) {
    return (line_sum){.lowest = INFINITY, .few = few};
}

/* The least and the greatest of some values, 0 among them. Of all prefix sums of a line R is the
 * greatest difference: its sums of neighbours are no larger. */
typedef struct sum_range {
    double low;
    double high;
} sum_range;

static inline void range_widen(sum_range *r, double value) {
    r->high = value > r->high ? value : r->high;
    r->low = value < r->low ? value : r->low;
}

static inline double range_size(const sum_range *r) {
    return r->high - r->low;
}

/* Factors that turn a value with a relative error below 2^-19 into a bound. */
#define ROUND_DOWN (1 - 0x1p-19)
#define ROUND_UP   (1 + 0x1p-19)

/* Knuth's TwoSum (TAOCP volume 2, section 4.2.2, theorem B): *sum becomes fl(*sum + term); the
 * rounding error, which is a binary64 number, is returned. */
static inline double two_sum(double *sum, double term) {
    double s = *sum + term;
    double virtual_term = s - *sum;
    double error = (*sum - (s - virtual_term)) + (term - virtual_term);
    *sum = s;
    return error;
}

/* Can some order of additions in this format round? None can if A <= 2^precision times the lowest
 * bit set in any term (docs/oracle.md, "What is exact has no tolerance"). Once `rounds` is
 * set, `lowest` and `largest` are not kept any more; the first could only fall and the second only
 * grow, so the answer stays true for every format. */
static inline bool line_sum_may_round(const line_sum *l, const binary_format *accumulator) {
    return l->magnitude > l->lowest / accumulator->unit_roundoff;
}

/* The fewest terms, 2 or more, whose magnitudes may add up to more than that. It is small enough
 * for a bound for the same reason: it could only fall. */
static inline uint64_t line_sum_heavy(const line_sum *l, const binary_format *accumulator) {
    const double exact_terms = l->lowest / l->largest / accumulator->unit_roundoff;
    const double most = 0x1p53; /* infinite if there are no terms, else at most this */
    return exact_terms >= 2 ? (uint64_t)(exact_terms < most ? exact_terms : most) + 1 : 2;
}

/* r - 1: the additions that may round, without the last one, as cumsum_exact_prefix_roundings
 * counts them, or fewer. Only where some order rounds. */
static inline double line_sum_earlier_roundings(const line_sum *l, uint64_t heavy) {
    return (double)(int64_t)(l->nonzero - heavy);
}

/* The part of A, or of what takes its place, up to which |y - S| is surely within the bound of
 * these roundings, each of which errs by at most `unit` times its result: x = count unit to both
 * sides of S, if terms have both signs, and x / (1 + x) below terms of one sign (docs/oracle.md,
 * "Terms of one sign"). */
static inline double line_sum_sure_part(const line_sum *l, uint64_t heavy, double unit) {
    const double x = line_sum_earlier_roundings(l, heavy) * unit;
    return (x > 0 ? x / (1 + x) : x) * ROUND_DOWN;
}

/* Keeps a term that is about to be appended, if there is room. The next term overwrites a zero. */
static inline void line_sum_keep(line_sum *l, double value) {
    if (l->nonzero < REACH_MOST)
        l->few[l->nonzero] = value;
}

/* Counts terms that the caller adds to the sums itself. */
static inline void line_sum_count(line_sum *l, uint64_t terms) {
    l->terms += terms;
    while (l->terms > UINT64_C(1) << l->log2_terms)
        l->log2_terms++;
}

/* ceil(log2 m) with one more term. */
static inline unsigned line_sum_next_log2(const line_sum *l) {
    return l->log2_terms + (l->terms + 1 > UINT64_C(1) << l->log2_terms);
}

/* Appends a term, given by its bits and its value. */
static inline void line_sum_add(line_sum *l, const binary_format *f, uint64_t bits, double value) {
    const binary_format *accumulator = f->precision == 53 ? &binary64_format : &binary32_format;
    line_sum_count(l, 1);
    if (!format_is_finite(f, bits)) {
        l->special = true;
        return;
    }
    l->nonzero += (bits & ~f->sign) != 0;
    double error = two_sum(&l->high, value);
    l->slack += fabs(two_sum(&l->low, error));
    const double before = l->magnitude;
    l->magnitude += fabs(value);
    if (l->rounds && f->precision != 11)
        return;
    if (value != 0) {
        double lowest = format_lowest_bit(f, bits);
        if (lowest < l->lowest)
            l->lowest = lowest;
        if (fabs(value) > l->largest)
            l->largest = fabs(value);
    }
    if (l->rounds)
        return;
    /* What is added to 2^53 units may be lost from the magnitude, but A is then above them. */
    l->rounds = line_sum_may_round(l, accumulator) ||
                (value != 0 && before >= l->lowest / accumulator->unit_roundoff);
    if (l->rounds)
        l->heavy = line_sum_heavy(l, accumulator);
}

/* May bounds be computed from these sums? Not if FLOAT64 comes close to an overflow, if u A comes
 * close to the subnormals, or if a sum of 16-bit numbers loses a bit. */
static inline bool line_sum_in_range(const line_sum *l, const binary_format *f) {
    if (f->precision < 24)
        return l->slack == 0;
    return f->precision < 53 || (l->magnitude > 0x1p-900 && l->magnitude < 0x1p1000);
}

/* |y - S|, within slack and two roundings. */
static inline double line_sum_distance(const line_sum *l, double y) {
    return fabs((y - l->high) - l->low);
}

/* The same, within *doubt. Where y is a binary64 number, the two roundings may not be forgotten. */
static inline double line_sum_distance_in_doubt(const line_sum *l, double y, double *doubt) {
    double distance = y;
    const double first = two_sum(&distance, -l->high), second = two_sum(&distance, -l->low);
    *doubt = 2 * (l->slack + fabs(first) + fabs(second));
    return fabs(distance);
}

#endif
