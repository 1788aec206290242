/* SPDX-License-Identifier: MIT */
/*
 * The bounds of verdict 1 for prefixes of which not every order is tried: the interval that every
 * order of additions keeps to, what sums that stop at the largest number keep to, and the condition
 * for overflow (docs/oracle.md, "The interval", "Overflow", "Terms of one sign").
 *
 * The error bound is that of Rump ("Error estimation of floating-point summation and dot product",
 * BIT 52, 2012) and Jeannerod and Rump ("Improved error bounds for inner products in floating-point
 * arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013): a sum of p terms, in any order, differs from
 * the exact one by at most (p - 1) u A. It replaces the classical bound, which has a factor
 * 1 / (1 - (p - 1) u) (Higham, "Accuracy and Stability of Numerical Algorithms", section 4.2). Here
 * p - 1 is the number of additions that may round (docs/oracle.md, "Additions that are exact").
 *
 * Invariant: nothing here is rounded except the ends of an interval, once. Inequalities with u are
 * multiplied by 1/u = 2^precision, which makes both sides integers.
 */
#include "rule.h"

/* The largest finite number, in units of the terms' quantum. False if no sum of terms can be that
 * large: the accumulator reaches far beyond their type. */
static bool largest_number(const exact_prefix *p, const binary_format *f, wide *largest) {
    const int top = (int)(f->infinity >> (f->precision - 1)) - 2; /* its shift */
    const int shift = top + f->quantum - p->format->quantum;
    if (shift + 3 * f->precision > 64 * (int)p->sum.limbs)
        return false;
    *largest = wide_from_u64(&p->sum, (UINT64_C(1) << f->precision) - 1);
    *largest = wide_shift_left(largest, (unsigned)shift);
    return true;
}

/* NaN, or infinities of both signs, give NaN; otherwise an infinity is the only right value. */
uint64_t cumsum_rule_expected(const exact_prefix *p) {
    const binary_format *f = p->format;
    if (p->nan || (p->positive_infinity && p->negative_infinity))
        return f->infinity | (UINT64_C(1) << (f->precision - 2)); /* a quiet NaN */
    if (rule_is_special(p))
        return f->infinity | (p->negative_infinity ? f->sign : 0);
    return cumsum_exact_prefix_round(p);
}

/* If the lowest bit is w or more, nothing is ever subnormal. */
bool cumsum_rule_may_flush(const exact_prefix *p, const arithmetic *how) {
    return arithmetic_flushes(how) && p->lowest < (unsigned)p->format->precision - 1;
}

/*
 * F, the most that flushing takes away: n terms and n - 1 sums, each less than w, the smallest
 * normal number. A value that is flushed is the same as one more term, which cancels it exactly. So
 * S moves by F at most, A and R grow by F at most, and no addition rounds more often.
 */
static wide flushed_away(const exact_prefix *p, const arithmetic *how) {
    if (!cumsum_rule_may_flush(p, how))
        return format_zero(p->format);
    const wide places = wide_from_u64(&p->sum, 2 * p->nonzero - 1);
    return wide_shift_left(&places, (unsigned)p->format->precision - 1);
}

/* The bits that a bound may have, so that sums of it and S still fit. */
static unsigned most_bits(const wide *like) {
    return 64 * like->limbs - 4;
}

/* The unit error of an addition is 2^-p to nearest, and twice that else: shifts 1/u times a number
 * of them. */
static unsigned unit_shift(const arithmetic *how) {
    return how->rounding != CUMSUM_ROUNDING_NEAREST;
}

/*
 * x becomes G(G(...)), `count` times, with G(x) = x + v 2^floor(log2 x): the most that additions
 * which return either neighbour let a sum of magnitudes grow. x is a multiple of 1/v. In a binade
 * all steps are equal. The one that leaves it goes beyond the power of two by less than a step, and
 * from there on 2^(p - 1) steps lead as far beyond the next power. False if x becomes too large.
 */
static bool grow(wide *x, unsigned precision, uint64_t count) {
    const unsigned length = wide_bit_length(x), step = length - precision;
    if (count == 0 || length == 0)
        return true;
    if (length + 1 >= most_bits(x))
        return false;
    const wide one = wide_from_u64(x, 1);
    const wide top = wide_shift_left(&one, length);
    const wide missing = wide_sub(&top, x);
    const uint64_t steps = wide_bits_from(&missing, step) + wide_any_below(&missing, step);
    if (count <= steps) {
        wide_accumulate(x, count, step, false);
        return true;
    }
    wide_accumulate(x, steps, step, false);
    count -= steps;
    const uint64_t binades = count >> (precision - 1);
    if (length + 1 + binades >= most_bits(x))
        return false;
    const wide last = wide_shift_left(&top, (unsigned)binades);
    *x = wide_sub(x, &top);
    *x = wide_add(x, &last);
    count &= (UINT64_C(1) << (precision - 1)) - 1;
    wide_accumulate(x, count, step + 1 + (unsigned)binades, false);
    return true;
}

/* (1 + e)^count - 1, rounded up by less than 2^-40 of it: (1 + g)(1 + h) - 1 is g + h + g h. */
static double power_growth(double e, uint64_t count) {
    double growth = 0;
    for (double power = e; count > 0; count >>= 1) {
        if (count & 1)
            growth = growth + power + growth * power;
        power = power + power + power * power;
    }
    return growth * (1 + 0x1p-41);
}

/* R ((1 + e)^count - 1) in units of u, rounded up by less than 2^-30 of it, for an order that adds
 * neighbours. False if it is too large. */
static bool neighbour_bound(const exact_prefix *p, const arithmetic *how, const wide *flushed,
                            uint64_t count, wide *bound) {
    const binary_format *f = how->accumulator;
    const double e = f->unit_roundoff * (double)(1u << unit_shift(how));
    const double growth = power_growth(e, count);
    int exponent;
    if (!(growth < 0x1p31))
        return false;
    const uint64_t factor = (uint64_t)ldexp(frexp(growth, &exponent), 31) + 1;
    const wide range = wide_sub(&p->top, &p->bottom), all = wide_add(&range, flushed);
    const int shift = exponent - 31 + f->precision;
    *bound = wide_multiply(&all, growth > 0 ? factor : 0);
    if (shift <= 0)
        *bound = wide_shift_right_up(bound, (unsigned)-shift);
    else if (wide_bit_length(bound) + (unsigned)shift < most_bits(bound))
        *bound = wide_shift_left(bound, (unsigned)shift);
    else
        return false;
    return true;
}

/*
 * The error of `count` additions that round, in units of u: to nearest count u A, toward zero count
 * v A, of either neighbour G^count(A) - A, and for neighbours no more than R ((1 + e)^count - 1).
 * What is flushed comes on top. False if it is too large.
 */
static bool error_bound(const exact_prefix *p, const arithmetic *how, uint64_t count, wide *error) {
    const unsigned precision = (unsigned)how->accumulator->precision;
    const wide flushed = flushed_away(p, how), all = wide_add(&p->magnitude, &flushed);
    bool known = true;
    if (how->rounding == CUMSUM_ROUNDING_EITHER) {
        const wide before = wide_shift_left(&all, precision);
        *error = before;
        known = grow(error, precision, count);
        *error = wide_sub(error, &before);
    } else {
        *error = wide_multiply(&all, count);
        *error = wide_shift_left(error, unit_shift(how));
    }
    if (how->order == CUMSUM_ALLOWED_CONTIGUOUS) {
        wide nearer;
        if (neighbour_bound(p, how, &flushed, count, &nearer) &&
            (!known || wide_compare(&nearer, error) < 0)) {
            *error = nearer;
            known = true;
        }
    }
    const wide scaled = wide_shift_left(&flushed, precision);
    *error = wide_add(error, &scaled);
    return known && wide_bit_length(error) < most_bits(error);
}

/* r, where flushing may make more additions round. */
static uint64_t roundings_of(const exact_prefix *p, const arithmetic *how) {
    if (cumsum_rule_may_flush(p, how))
        return p->nonzero - 1;
    return cumsum_exact_prefix_roundings(p, how->accumulator->precision);
}

/*
 * Can a partial sum pass the largest number on the side of this sign? X is the sum of the
 * magnitudes of the terms of that sign. A partial sum is at most X + (n - 1) e A in magnitude
 * there, and if (n - 1) e is at most 1, then terms of the other sign take away more than they let
 * errors grow: (1 + (n - 1) e) X. Terms of one sign never have a sum of the other. Toward zero no
 * sum is beyond X. Both sides are multiplied by 2/u.
 */
bool cumsum_rule_side_may_overflow(const exact_prefix *p, const arithmetic *how, bool negative) {
    const binary_format *f = how->accumulator;
    const unsigned precision = (unsigned)f->precision;
    const bool nearest = how->rounding == CUMSUM_ROUNDING_NEAREST;
    const uint64_t additions = p->nonzero ? p->nonzero - 1 : 0;
    wide limit, side = rule_twice_side(p, negative);
    if (wide_is_zero(&side) || !largest_number(p, f, &limit))
        return false;
    const wide flushed = flushed_away(p, how), twice = wide_shift_left(&flushed, 1);
    side = wide_add(&side, &twice);
    wide left = wide_shift_left(&side, precision), error = wide_zero(side.limbs);
    if (how->rounding != CUMSUM_ROUNDING_TOWARD_ZERO) {
        if (additions <= UINT64_C(1) << (precision - unit_shift(how))) {
            error = wide_multiply(&side, additions);
            error = wide_shift_left(&error, unit_shift(how));
        } else {
            if (!error_bound(p, how, additions, &error))
                return true;
            error = wide_shift_left(&error, 1);
        }
    }
    left = wide_add(&left, &error);
    limit = wide_shift_left(&limit, precision + 1);
    /* To nearest half a unit in the last place more, for an infinity by truncation a whole one. */
    const unsigned place = wide_bit_length(&limit) - precision;
    if (nearest || how->overflows)
        wide_accumulate(&limit, 1, place - nearest, false);
    return nearest || how->overflows ? wide_compare(&left, &limit) >= 0
                                     : wide_compare(&left, &limit) > 0;
}

bool cumsum_rule_may_overflow(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    if (how->rounding == CUMSUM_ROUNDING_TOWARD_ZERO && !how->overflows)
        return false; /* the largest number takes the place of infinity */
    if (!format_is_nan(p->format, y))
        return cumsum_rule_side_may_overflow(p, how, (y & p->format->sign) != 0);
    return (p->positive_infinity || cumsum_rule_side_may_overflow(p, how, false)) &&
           (p->negative_infinity || cumsum_rule_side_may_overflow(p, how, true));
}

/* S moved by an error, rounded to the accumulator. An error without a bound gives the last number.
 */
static uint64_t interval_end(const exact_prefix *p, const arithmetic *how, const wide *error,
                             bool upper) {
    const binary_format *f = how->accumulator;
    const rounding_direction direction = rounding_end(how->rounding, upper);
    const wide sum = wide_shift_left(&p->sum, (unsigned)f->precision);
    if (!error)
        return (f->infinity - (direction == TO_ZERO)) | (upper ? 0 : f->sign);
    const wide end = upper ? wide_add(&sum, error) : wide_sub(&sum, error), size = wide_abs(&end);
    const int too_large = 3 - f->quantum - p->format->quantum; /* the bit beyond the last binade */
    if (how->overflows && (int)wide_bit_length(&size) > too_large)
        return f->infinity | (wide_is_negative(&end) ? f->sign : 0);
    return cumsum_format_round(f, &end, p->format->quantum - f->precision, direction);
}

bool cumsum_rule_one_sign(const exact_prefix *p) {
    const wide side = wide_abs(&p->sum);
    return wide_compare(&side, &p->magnitude) == 0;
}

/* A number of the accumulator from one of the grid; an infinity, where it has none. */
static uint64_t from_grid(const binary_format *f, const binary_format *grid, uint64_t z) {
    unsigned shift;
    const uint64_t significand = format_significand(grid, z, &shift);
    return cumsum_round_sum(f, ldexp((double)significand, grid->quantum + (int)shift), 0,
                            TO_NEAREST);
}

/* Terms of one sign, whose magnitudes add up to `sum` 2^-p without what is flushed: may a tree have
 * the magnitude z, a number of the grid? The two subtrees of its root are together at least sum - k
 * v z, and the root rounds once. */
static bool is_large_enough(const binary_format *grid, const arithmetic *how, const wide *sum,
                            uint64_t count, uint64_t z) {
    const binary_format *f = how->accumulator;
    wide error = wide_zero(sum->limbs);
    format_accumulate(grid, &error, z);
    error = wide_multiply(&error, count);
    error = wide_shift_left(&error, unit_shift(how));
    const wide least = wide_sub(sum, &error);
    const bool nearest = how->rounding == CUMSUM_ROUNDING_NEAREST;
    return wide_is_negative(&least) ||
           cumsum_format_round(f, &least, grid->quantum - f->precision,
                               nearest ? TO_NEAREST : TO_ZERO) <= from_grid(f, grid, z);
}

/*
 * The least magnitude that additions give to terms of one sign, of which k round below the root:
 * docs/oracle.md, "Terms of one sign". All sums are multiples of the terms' quantum, so that the
 * accumulator's numbers on that grid are enough. z is about sum / (1 + k v), which binary64 gives
 * to within a few numbers.
 */
static uint64_t least_of_one_sign(const exact_prefix *p, const arithmetic *how, uint64_t count) {
    const binary_format *f = how->accumulator;
    binary_format grid = *f;
    grid.quantum = p->format->quantum;
    const wide flushed = flushed_away(p, how);
    wide sum = wide_sub(&p->magnitude, &flushed);
    if (wide_is_negative(&sum) || wide_is_zero(&sum))
        return 0;
    sum = wide_shift_left(&sum, (unsigned)f->precision);
    const unsigned length = wide_bit_length(&sum), low = length > 60 ? length - 60 : 0;
    const double growth = 1 + (double)count * f->unit_roundoff * (1u << unit_shift(how));
    wide about = wide_zero(sum.limbs);
    wide_accumulate(&about, (uint64_t)((double)wide_bits_from(&sum, low) / growth), low, false);
    uint64_t z = cumsum_format_round(&grid, &about, grid.quantum - f->precision, TO_ZERO);
    /* The grid goes on beyond the accumulator's infinity. */
    const uint64_t missing = (uint64_t)(grid.quantum - f->quantum) << (f->precision - 1);
    z = z < f->infinity - missing ? z : f->infinity - missing;
    while (z > 0 && is_large_enough(&grid, how, &sum, count, z - 1))
        z--;
    while (!is_large_enough(&grid, how, &sum, count, z))
        z++;
    return from_grid(f, &grid, z);
}

/* Moves the end nearer to 0 of an interval to the least magnitude, where that is larger. */
static void narrow_to_one_sign(const exact_prefix *p, const arithmetic *how, uint64_t count,
                               rule_range *range) {
    const binary_format *f = how->accumulator;
    const uint64_t least = least_of_one_sign(p, how, count);
    if (wide_is_negative(&p->sum)) {
        if (format_rank(f, range->upper) > -(int64_t)least)
            range->upper = least ? least | f->sign : 0;
    } else if (format_rank(f, range->lower) < (int64_t)least) {
        range->lower = least;
    }
}

/* The last addition rounds once, and monotonically; the two subtrees that it adds are together
 * within E of S. So the output lies between the rounded ends. */
rule_range cumsum_rule_interval(const exact_prefix *p, const arithmetic *how) {
    const uint64_t roundings = roundings_of(p, how), count = roundings > 1 ? roundings - 1 : 0;
    wide error;
    const bool known = error_bound(p, how, count, &error);
    rule_range range = {interval_end(p, how, known ? &error : NULL, false),
                        interval_end(p, how, known ? &error : NULL, true)};
    if (count > 0 && cumsum_rule_one_sign(p))
        narrow_to_one_sign(p, how, count, &range);
    return range;
}

/* A number of the accumulator, stored. */
static uint64_t stored_end(const exact_prefix *p, const arithmetic *how, uint64_t sum, bool upper) {
    if (how->store != STORE_AS_ROUNDED)
        return half_store(p->format, (uint32_t)sum, arithmetic_half_store(how));
    return cumsum_round_sum(p->format, format_value(how->accumulator, sum), 0,
                            rounding_end(how->rounding, upper));
}

/* A store is monotonic, so the image of the sums' interval ends at the images of its ends. */
rule_range cumsum_rule_stored(const exact_prefix *p, const arithmetic *how, rule_range sums) {
    if (format_is(how->accumulator, p->format))
        return sums;
    return (rule_range){stored_end(p, how, sums.lower, false),
                        stored_end(p, how, sums.upper, true)};
}

rule_range cumsum_rule_flushed(const exact_prefix *p, const arithmetic *how, rule_range range) {
    const binary_format *f = p->format;
    if (!cumsum_rule_may_flush(p, how))
        return range;
    if (format_is_subnormal(f, range.lower) && !(range.lower & f->sign))
        range.lower = 0;
    if (format_is_subnormal(f, range.upper) && (range.upper & f->sign))
        range.upper = 0;
    return range;
}

bool cumsum_rule_in_range(const exact_prefix *p, const arithmetic *how, uint64_t y,
                          rule_range range) {
    const binary_format *f = p->format;
    range = cumsum_rule_flushed(p, how, range);
    if (how->flush_results == CUMSUM_FLUSH_MUST && format_is_subnormal(f, y) && p->terms > 1)
        return false;
    return cumsum_rule_within(f, y, range.lower, range.upper);
}

/* The smaller of a side, which is given twice, and the largest number. */
static wide clamped_side(const exact_prefix *p, const arithmetic *how, bool negative) {
    wide most, side = rule_twice_side(p, negative);
    if (!largest_number(p, how->accumulator, &most))
        return side;
    most = wide_shift_left(&most, 1);
    return wide_compare(&side, &most) < 0 ? side : most;
}

/* How far a sum that is stored as y may lie on this side of y: less than its neighbour, where a
 * store rounds that way, or y itself. False if it may lie anywhere. */
static bool stored_limit(const exact_prefix *p, const arithmetic *how, uint64_t y, bool upper,
                         wide *limit, bool *open) {
    const binary_format *f = p->format;
    const int64_t rank = format_rank(f, y);
    *open = how->accumulator->precision > f->precision &&
            (how->rounding == CUMSUM_ROUNDING_EITHER || (upper ? rank >= 0 : rank <= 0));
    const int64_t next = rank + (*open ? upper ? 1 : -1 : 0);
    const uint64_t bits = next < 0 ? (uint64_t)-next | f->sign : (uint64_t)next;
    if (!format_is_finite(f, bits))
        return false;
    *limit = format_zero(f);
    format_accumulate(f, limit, bits);
    return true;
}

/* All sides are multiplied by 2/u. What is flushed is one more term of either sign. Sums of terms
 * of one sign only grow, so that none has stopped where the output is smaller. */
bool cumsum_rule_within_saturated(const exact_prefix *p, const arithmetic *how, uint64_t y) {
    const unsigned precision = (unsigned)how->accumulator->precision;
    if (cumsum_rule_one_sign(p) && (y & ~p->format->sign) != p->format->infinity - 1)
        return false;
    const wide flushed = flushed_away(p, how), extra = wide_shift_left(&flushed, precision);
    wide value, errors;
    bool open;
    if (!error_bound(p, how, roundings_of(p, how), &errors))
        return true;
    errors = wide_add(&errors, &extra);
    errors = wide_shift_left(&errors, 1);
    for (int negative = 0; negative < 2; negative++) {
        /* How far y lies beyond the end: on the side of the negative terms, then of the others. */
        wide near = clamped_side(p, how, negative), far = rule_twice_side(p, !negative);
        wide end = wide_sub(&near, &far); /* negated for the second end */
        if (!stored_limit(p, how, y, !negative, &value, &open))
            continue;
        value = wide_shift_left(&value, 1);
        wide beyond = negative ? wide_add(&value, &end) : wide_sub(&end, &value);
        beyond = wide_shift_left(&beyond, precision);
        const int compared = wide_is_negative(&beyond) ? -1 : wide_compare(&beyond, &errors);
        if (compared > 0 || (compared == 0 && open))
            return false;
    }
    return true;
}

bool cumsum_rule_within(const binary_format *f, uint64_t y, uint64_t lower, uint64_t upper) {
    int64_t rank = format_rank(f, y);
    return format_rank(f, lower) <= rank && rank <= format_rank(f, upper);
}

wide cumsum_rule_distance(const exact_prefix *p, uint64_t y) {
    wide value = format_zero(p->format);
    format_accumulate(p->format, &value, y);
    wide difference = wide_sub(&value, &p->sum);
    return wide_abs(&difference);
}
