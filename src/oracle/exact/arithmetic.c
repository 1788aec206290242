/* SPDX-License-Identifier: MIT */
/*
 * Additions that round in any direction. The sum of two numbers of binary64 is a rounded sum and
 * its error, which Dekker's Fast2Sum gives exactly; both together are rounded once more, by
 * integers.
 */
#include "arithmetic.h"

#include <float.h>

uint64_t cumsum_round_magnitude(const binary_format *f, uint64_t significand, int unit, bool more,
                                bool negative, rounding_direction direction) {
    /* The exponent of the last bit that is kept: precision bits below the leading one, but never
     * below the quantum of subnormals. */
    int last = (int)bits_of_count(significand) + unit - f->precision;
    last = last < f->quantum ? f->quantum : last;
    const int drop = last - unit;
    const bool nearest = direction == TO_NEAREST;
    const bool away = direction != TO_ZERO && (nearest || negative == (direction == TO_LOWER));
    const uint64_t half = UINT64_C(1) << 63;
    uint64_t integer = 0, rest = significand != 0; /* what is dropped, below the last bit */
    if (drop <= 64)
        rest = drop > 0 ? significand << (64 - drop) : 0;
    if (drop < 64)
        integer = drop > 0 ? significand >> drop : significand << -drop;
    rest |= more;
    /* One formula serves subnormals and normals: the implicit bit of the integer adds the 1 that
     * separates their exponent fields, and a carry out of the rounding raises the exponent. */
    uint64_t bits = ((uint64_t)(last - f->quantum) << (f->precision - 1)) + integer;
    bits += away && (nearest ? rest > half - (integer & 1) : rest != 0);
    if (bits >= f->infinity) /* a number that is too large, or was rounded to one */
        bits = away ? f->infinity : f->infinity - 1;
    return bits | (negative ? f->sign : 0);
}

/* The error is less than the last bit of the sum: between two numbers of that many bits and ten
 * more, it does not matter where. */
uint64_t cumsum_round_sum(const binary_format *f, double sum, double error,
                          rounding_direction direction) {
    const bool negative = signbit(sum) != 0, towards = (error < 0) != negative;
    unsigned shift;
    if (isnan(sum))
        return f->infinity | (UINT64_C(1) << (f->precision - 2));
    if (isinf(sum) && error == 0)
        return f->infinity | (negative ? f->sign : 0);
    /* By its bits an infinity, which here is a sum of finite terms, is 2^1024. */
    const uint64_t significand =
        format_significand(&binary64_format, binary64_bits(sum) & ~binary64_format.sign, &shift);
    const int unit = binary64_format.quantum + (int)shift - 10;
    return cumsum_round_magnitude(f, (significand << 10) - (error != 0 && towards), unit,
                                  error != 0, negative, direction);
}

/* What a + b is beyond the rounded sum. Where the sum overflows, its sign is that of the sum. */
static double sum_error(double a, double b, double sum) {
    if (isinf(sum))
        return isfinite(a) && isfinite(b) ? copysign(DBL_MIN, -sum) : 0;
    return fabs(a) >= fabs(b) ? b - (sum - a) : a - (sum - b);
}

unsigned cumsum_add_as(double a, double b, const arithmetic *how, double results[2]) {
    const binary_format *f = how->accumulator;
    const double sum = a + b;
    if (how->rounding == CUMSUM_ROUNDING_NEAREST) {
        results[0] = arithmetic_add_nearest(f, a, b);
        return 1;
    }
    if (isnan(sum) || !isfinite(a) || !isfinite(b)) {
        results[0] = sum;
        return 1;
    }
    if (how->overflows && fabs(sum) >= ldexp(1, 3 - f->quantum - f->precision)) {
        results[0] = copysign(INFINITY, sum);
        return 1;
    }
    const double error = sum_error(a, b, sum);
    results[0] =
        format_value(f, cumsum_round_sum(f, sum, error, rounding_end(how->rounding, false)));
    if (how->rounding == CUMSUM_ROUNDING_TOWARD_ZERO)
        return 1;
    results[1] = format_value(f, cumsum_round_sum(f, sum, error, TO_UPPER));
    return results[0] == results[1] ? 1 : 2;
}

/* The least value, or the greatest, that flushing may make of one. */
static double flushed_end(double value, double least, cumsum_flush flush, bool upper) {
    const bool subnormal = value != 0 && fabs(value) < least;
    const bool towards_zero = (value < 0) == upper;
    return subnormal && (flush == CUMSUM_FLUSH_MUST || (flush == CUMSUM_FLUSH_MAY && towards_zero))
               ? 0
               : value;
}

/* A subnormal that may not be an operand is a zero; another one may be one. */
static cumsum_flush operand_flush(const arithmetic *how) {
    if (how->flush_inputs == CUMSUM_FLUSH_MUST || !arithmetic_flushes(how))
        return how->flush_inputs;
    return CUMSUM_FLUSH_MAY;
}

static double sequence_end(double before, double term, const arithmetic *how, double least,
                           bool upper) {
    const double normal = format_least_normal(how->accumulator);
    const cumsum_flush flush = operand_flush(how);
    double results[2];
    const unsigned count = cumsum_add_as(flushed_end(before, normal, flush, upper),
                                         flushed_end(term, least, flush, upper), how, results);
    return flushed_end(results[upper ? count - 1 : 0], normal, how->flush_results, upper);
}

void cumsum_sequence_add(sequence_sum *s, const arithmetic *how, double term, double least,
                         bool first) {
    const cumsum_flush zero_added = arithmetic_flushes(how) ? CUMSUM_FLUSH_MAY : CUMSUM_FLUSH_NEVER;
    const double normal = format_least_normal(how->accumulator);
    const double kept = first ? least : normal;
    const double low = flushed_end(first ? term : sequence_end(s->low, term, how, least, false),
                                   kept, zero_added, false);
    const double high = flushed_end(first ? term : sequence_end(s->high, term, how, least, true),
                                    kept, zero_added, true);
    /* Of an infinity and one of the other sign; all other sums give that of the term. */
    s->may_be_nan |= isnan(low) || isnan(high);
    s->low = isnan(low) ? high : low;
    s->high = isnan(high) ? low : high;
    s->infinite |= isinf(s->low) || isinf(s->high);
}
