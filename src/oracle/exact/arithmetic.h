/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ARITHMETIC_H
#define CUMSUM_ORACLE_ARITHMETIC_H

/*
 * One addition, as a model or a profile has it: the format of the sum, its rounding, and what
 * becomes of subnormals and of sums that are too large. Values travel as binary64, which holds the
 * numbers of every format.
 *
 * A permission to flush lets any subnormal become a zero, whichever kind it is: the device may add
 * a zero to it. MUST only takes away: inputs MUST, that an operand is subnormal; results MUST, that
 * the result of an addition is.
 */

#include <cumsum/oracle.h>

#include "binary_format.h"

/* How a sum becomes an output of the type. */
typedef enum sum_store {
    STORE_AS_ROUNDED, /* rounded, and flushed, as additions are */
    STORE_NEAREST_EVEN,
    STORE_TOWARD_ZERO, /* this one and its neighbours are cumsum_half_store, with 1 added */
    STORE_IEEE
} sum_store;

typedef struct arithmetic {
    const binary_format *accumulator;
    cumsum_rounding rounding;
    cumsum_flush flush_inputs;
    cumsum_flush flush_results;
    cumsum_allowed_order order;
    bool specials_absent;
    bool wider_allowed;
    bool overflows;   /* toward zero: a sum beyond the binade of the largest number is infinite */
    bool all_or_none; /* flushes: nothing is flushed, or no output is subnormal */
    sum_store store;
} arithmetic;

/* The models: docs/oracle.md, "Models". */
static const arithmetic arithmetic_binary16 = {.accumulator = &binary16_format};
static const arithmetic arithmetic_bfloat16 = {.accumulator = &bfloat16_format};
static const arithmetic arithmetic_binary32 = {.accumulator = &binary32_format};
static const arithmetic arithmetic_binary64 = {.accumulator = &binary64_format};
static const arithmetic arithmetic_binary32_flush = {.accumulator = &binary32_format,
                                                     .flush_inputs = CUMSUM_FLUSH_MAY,
                                                     .flush_results = CUMSUM_FLUSH_MAY,
                                                     .all_or_none = true};
static const arithmetic arithmetic_binary64_flush = {.accumulator = &binary64_format,
                                                     .flush_inputs = CUMSUM_FLUSH_MAY,
                                                     .flush_results = CUMSUM_FLUSH_MAY,
                                                     .all_or_none = true};
static const arithmetic arithmetic_stored_nearest = {.accumulator = &binary32_format,
                                                     .store = STORE_NEAREST_EVEN};
static const arithmetic arithmetic_stored_zero = {.accumulator = &binary32_format,
                                                  .store = STORE_TOWARD_ZERO};
static const arithmetic arithmetic_stored_ieee = {.accumulator = &binary32_format,
                                                  .store = STORE_IEEE};
static const arithmetic arithmetic_binary16_truncating = {
    .accumulator = &binary16_format, .rounding = CUMSUM_ROUNDING_TOWARD_ZERO, .overflows = true};
static const arithmetic arithmetic_binary16_saturating = {.accumulator = &binary16_format,
                                                          .rounding = CUMSUM_ROUNDING_TOWARD_ZERO};

/* The store that is not the rounding of additions, as a cumsum_half_store. */
static inline int arithmetic_half_store(const arithmetic *how) {
    return (int)how->store - STORE_NEAREST_EVEN;
}

static inline bool arithmetic_flushes(const arithmetic *how) {
    return how->flush_inputs != CUMSUM_FLUSH_NEVER || how->flush_results != CUMSUM_FLUSH_NEVER;
}

/* Which number of a format stands for one between two of them. */
typedef enum rounding_direction {
    TO_NEAREST, /* ties to even */
    TO_ZERO,
    TO_LOWER,
    TO_UPPER
} rounding_direction;

/* The direction in which the least, or the greatest, result of a rounding is found. */
static inline rounding_direction rounding_end(cumsum_rounding rounding, bool upper) {
    if (rounding == CUMSUM_ROUNDING_EITHER)
        return upper ? TO_UPPER : TO_LOWER;
    return rounding == CUMSUM_ROUNDING_NEAREST ? TO_NEAREST : TO_ZERO;
}

/* The smallest normal number of a format. */
static inline double format_least_normal(const binary_format *f) {
    return ldexp(1, f->quantum + f->precision - 1);
}

/* The bits of significand * 2^unit in a format, and of less than 2^unit more if `more`, rounded
 * once. To nearest it is an infinity from the overflow threshold of IEEE 754 on; toward zero it
 * never is. With `more` the significand has the format's precision, or more bits. */
uint64_t cumsum_round_magnitude(const binary_format *f, uint64_t significand, int unit, bool more,
                                bool negative, rounding_direction direction);

/*
 * The bits of sum + error in a format, rounded once. Sums are numbers of binary64, and the error is
 * at most half a unit in their last place. Beyond the largest number TO_ZERO gives that number, as
 * IEEE 754-2019, section 7.4, has it. An infinite sum without an error stays infinite.
 */
uint64_t cumsum_round_sum(const binary_format *f, double sum, double error,
                          rounding_direction direction);

/* The sum of two numbers of a format, to nearest. Rounding to 16 bits may go through binary32, and
 * rounding to binary32 through binary64: both have more than twice the bits and two, so that the
 * first rounding is innocuous (Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter
 * 30, 1995). */
static inline double arithmetic_add_nearest(const binary_format *f, double a, double b) {
    const double sum = a + b;
    if (f->precision == 53)
        return sum;
    if (f->precision == 24)
        return (double)(float)sum;
    const uint32_t bits = binary32_bits((float)sum);
    if (format_is_nan(&binary32_format, bits))
        return NAN;
    return format_value(f, half_store(f, bits, CUMSUM_HALF_STORE_IEEE));
}

/* The results of one addition: 1 value, or 2 where either neighbour is allowed. Flushing is left to
 * the caller. */
unsigned cumsum_add_as(double a, double b, const arithmetic *how, double results[2]);

/* One of the results; to nearest and toward zero there is no other. */
static inline double arithmetic_add(double a, double b, const arithmetic *how) {
    double results[2];
    if (how->rounding == CUMSUM_ROUNDING_NEAREST)
        return arithmetic_add_nearest(how->accumulator, a, b);
    cumsum_add_as(a, b, how, results);
    return results[0];
}

/* The least and the greatest sum of a sequence of additions, of which more than one may be allowed.
 */
typedef struct sequence_sum {
    double low; /* both are NaN if no sum is a number */
    double high;
    bool may_be_nan;
    bool infinite; /* one of them has been infinite */
} sequence_sum;

/* Adds the next term, one of a type whose smallest normal number is `least`. The first one is
 * copied, or added to zero. */
void cumsum_sequence_add(sequence_sum *s, const arithmetic *how, double term, double least,
                         bool first);

#endif
