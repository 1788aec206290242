/* SPDX-License-Identifier: MIT */
#ifndef ANYORDER_H
#define ANYORDER_H

/*
 * anyorder: is this the sum of these terms, in some order of additions?
 *
 * A scan or a sum on parallel hardware adds in an order that nobody promises, so its result has no
 * single right value. This file decides whether an output is one that an order of additions can
 * give, under the rules of a specification: a profile. Sums are computed exactly, in integers, so
 * that a FAIL is a theorem and not a tolerance. The rules and their proofs are in docs/oracle.md of
 * the project cumsum, which this file comes from (anyorder/anyorder.h); it shares no code with that
 * project's library.
 *
 *     ao_profile profile = ao_vulkan(AO_FLOAT32);
 *     ao_line line;
 *     const char *error = ao_begin(&line, &profile);
 *     for each lane, in order {
 *         ao_add(&line, ao_from_float(input));
 *         if (ao_is_wrong(ao_judge(&line, ao_from_float(output))))
 *             report(ao_reason(&line));
 *     }
 *
 * An exclusive scan judges before it adds. An inactive lane is skipped. An initial value is the
 * first that is added. For a sum, add all terms and ask ao_judge_sum.
 *
 * C11 and C++17. No heap, no floating-point arithmetic, no state but ao_line. A call needs less
 * than 16 KiB of stack. Lines may have 2^32 terms and more.
 *
 * Notation: y is the output, m the number of terms, n the number of those that are not zero, S
 * their exact sum, A that of their magnitudes, P that of the positive ones and N that of the
 * magnitudes of the negative ones; p the bits of the accumulator's significand, u = 2^-p, and r the
 * additions that may round.
 *
 * Copyright (c) 2026 The cumsum authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

/* clang-format off */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version of the project that this file comes from. */
#define AO_VERSION_MAJOR   0
#define AO_VERSION_MINOR   1
#define AO_VERSION_PATCH   0
#define AO_TEXT_OF(number) #number
#define AO_DOTTED(x, y, z) AO_TEXT_OF(x) "." AO_TEXT_OF(y) "." AO_TEXT_OF(z)
#define AO_VERSION         AO_DOTTED(AO_VERSION_MAJOR, AO_VERSION_MINOR, AO_VERSION_PATCH)

typedef enum ao_type {
    AO_FLOAT64,
    AO_FLOAT32,
    AO_FLOAT16,
    AO_BFLOAT16, /* the upper half of a FLOAT32 */
    AO_INT8,
    AO_UINT8,
    AO_INT16,
    AO_UINT16,
    AO_INT32,
    AO_UINT32,
    AO_INT64,
    AO_UINT64
} ao_type;

/* What an addition may return. */
typedef enum ao_rounding {
    AO_NEAREST,     /* ties to even */
    AO_TOWARD_ZERO, /* sums stop at the greatest finite number, as in IEEE 754-2019, section 7.4 */
    AO_EITHER /* either neighbour of the exact sum; beyond the greatest number that or infinity */
} ao_rounding;

/* Are subnormal numbers replaced by zeros? Where that is allowed for inputs or for results, any
 * subnormal may become a zero, since a device may add a zero to it. */
typedef enum ao_flush {
    AO_FLUSH_NEVER,
    AO_FLUSH_MAY, /* each of them, or not */
    AO_FLUSH_MUST /* no operand is subnormal, or no result of an addition */
} ao_flush;

typedef enum ao_specials {
    AO_SPECIALS_IEEE,  /* infinities and NaNs follow IEEE 754 */
    AO_SPECIALS_ABSENT /* a program may assume that there are none: where one is among the terms, or
                          a partial sum may become one, the verdict is AO_MAY_OVERFLOW */
} ao_specials;

typedef enum ao_order {
    AO_ORDER_ANY,        /* any binary tree over any permutation of the terms */
    AO_ORDER_CONTIGUOUS, /* each partial sum has consecutive terms */
    AO_ORDER_SEQUENTIAL  /* from the first term to the last */
} ao_order;

typedef enum ao_wider {
    AO_WIDER_FORBIDDEN, /* each partial sum is a number of the accumulator */
    AO_WIDER_ALLOWED /* or more precise: S, rounded to nearest, passes; where every order is tried,
                        so do S, rounded as additions are, and what wider accumulators give; in a
                        longer sequence, what is at most as far from S as the worst sum */
} ao_wider;

/* All zero is FLOAT64 by IEEE 754, in any order. */
typedef struct ao_profile {
    ao_type type;        /* of terms and outputs */
    ao_type accumulator; /* of partial sums: as precise as the type, and with its range, at least */
    ao_rounding rounding; /* of additions, and of the store of a sum to a narrower type */
    ao_flush flush_inputs;
    ao_flush flush_results;
    ao_specials specials;
    ao_order order;
    ao_wider wider;
    int strict_zero; /* no output may be -0; otherwise -0 and +0 are equal */
    /* NULL, or memory of the caller, with which all orders of up to 8 terms are tried instead of 4.
     * 2^17 values are enough for AO_NEAREST without flushing. Where they are not, the interval
     * decides. It is read and written by ao_judge alone. */
    uint64_t *room;
    size_t room_count; /* the values in it */
} ao_profile;

typedef enum ao_verdict {
    AO_PASS,
    AO_FAIL,        /* no order of additions gives this output */
    AO_SUSPECT,     /* some order may, but no scan that is known */
    AO_MAY_OVERFLOW /* an overflow on the way, or a special value, may explain it */
} ao_verdict;

/*
 * Arithmetic on large natural numbers, in little-endian limbs. A number has the limbs [first, end);
 * those outside are 0 and not initialized, so that the usual data, whose exponents are near each
 * other, need few of them.
 */

/* The sum of 2^64 terms of FLOAT64 has 2,162 bits. The bound for contiguous orders multiplies it by
 * 2^163. */
#define AO_LIMBS 80

typedef struct ao_big {
    uint32_t first;
    uint32_t end;
    uint32_t limb[AO_LIMBS];
} ao_big;

typedef struct ao_signed {
    ao_big size;
    int negative;
} ao_signed;

/* What a sequential sum may be: from low to high, as numbers of the accumulator. */
typedef struct ao_run {
    ao_type accumulator;
    int may_be_nan;
    int is_nan; /* for sure */
    uint64_t low;
    uint64_t high;
} ao_run;

/* A floating-point format. Numbers are their bits. A rank is an integer that orders the numbers of
 * a format; both zeros have rank 0. */
typedef struct ao_format {
    int precision;     /* p */
    int quantum;       /* the exponent of the smallest subnormal */
    uint64_t infinity; /* its bits */
    uint64_t sign;     /* the bit of the sign */
} ao_format;

/* What the bounds are made of, for the terms so far. */
typedef struct ao_measure {
    const ao_format *t; /* of terms and outputs */
    const ao_format *f; /* of partial sums */
    ao_big all;         /* A */
    ao_big range;       /* R: the greatest magnitude of a sum of consecutive terms */
    ao_big lost;        /* F: what flushing may take away at all places together */
    int flushes;        /* F is not 0 */
    uint64_t r;
    uint32_t top;   /* from 2^top quanta on, a partial sum is beyond the greatest number */
    uint64_t twice; /* the unit error of an addition is u or, if not to nearest, 2 u: 1 or 2 */
} ao_measure;

/* The outputs from low to high, as ranks. */
typedef struct ao_ends {
    int64_t low;
    int64_t high;
} ao_ends;

/* What passes of many terms. */
typedef struct ao_bound {
    ao_ends ends[3]; /* outputs from low to high pass */
    unsigned count;  /* of these */
    int overflow[2]; /* a sum may become the infinity of this sign */
} ao_bound;

/* Terms of which every order is tried: always, and with room. */
#define AO_FEW      4
#define AO_FEW_MOST 8

/* A line. Its members are not for callers. */
typedef struct ao_line {
    ao_profile profile;
    const char *error;  /* of ao_begin; NULL: none */
    const char *reason; /* of the last verdict */
    uint64_t terms;     /* m */
    uint64_t nonzero;   /* n */
    uint64_t integer;   /* the sum of integers, modulo 2^64 */
    uint64_t few[AO_FEW_MOST];
    uint32_t zeros; /* bit k: a zero directly after the first k terms that are not zero */
    int nan;
    int infinity[2];  /* is one of this sign among the terms? */
    uint32_t lowest;  /* the lowest bit that is set in a term, in units of the type's quantum */
    uint64_t largest; /* the greatest finite magnitude among the terms */
    ao_big side[2];   /* P and N, in units of the quantum */
    ao_signed sum;    /* S */
    ao_big reach[2];  /* the greatest prefix sum, and the magnitude of the least, 0 included */
    ao_run run[3];
    unsigned runs;
    int in_sequence; /* each output so far is the sequential sum */
    /* What doubt remembers of the output before. Errors are in half quanta. */
    uint64_t before_terms;
    int has_before;
    int was_unknown;
    ao_signed before[2];
    uint64_t jumps; /* how often the error jumped, where first and last, and how regularly */
    uint64_t first_jump;
    uint64_t last_jump;
    uint64_t jump_distance;
    /* What has been worked out of the terms so far. */
    ao_measure measure;
    ao_bound bound;
    int has_measure;
    int has_bound;
    /* The last call, if it was of ao_judge_sum, for these terms. */
    int has_asked;
    uint64_t asked;
    ao_verdict answered;
} ao_line;

#ifdef __cplusplus
static_assert(sizeof(ao_line) <= 4096, "a line fits 4 KiB");
static_assert(sizeof(float) == 4 && sizeof(double) == 8, "float and double are IEEE 754's");
#else
_Static_assert(sizeof(ao_line) <= 4096, "a line fits 4 KiB");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "float and double are IEEE 754's");
#endif

static inline uint32_t ao_limb(const ao_big *x, uint32_t i) {
    return i >= x->first && i < x->end ? x->limb[i] : 0;
}

static inline void ao_clear(ao_big *x) {
    x->first = x->end = 0;
}

static inline void ao_copy(ao_big *to, const ao_big *from) {
    to->first = from->first;
    to->end = from->end;
    if (from->end > from->first)
        memcpy(to->limb + from->first, from->limb + from->first,
               (size_t)(from->end - from->first) * sizeof from->limb[0]);
}

/* Drops zeros at the top. */
static inline void ao_trim(ao_big *x) {
    while (x->end > x->first && x->limb[x->end - 1] == 0)
        x->end--;
    if (x->end == x->first)
        ao_clear(x);
}

/* Gives x at least the limbs [first, end). */
static inline void ao_extend(ao_big *x, uint32_t first, uint32_t end) {
    if (x->first == x->end)
        x->first = x->end = first;
    while (x->first > first)
        x->limb[--x->first] = 0;
    while (x->end < end)
        x->limb[x->end++] = 0;
}

static inline uint32_t ao_least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline uint32_t ao_most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static inline uint32_t ao_length_of(uint64_t value) {
    uint32_t length = 0;
    for (uint32_t step = 32; step; step /= 2)
        if (value >> step) {
            value >>= step;
            length += step;
        }
    return length + (uint32_t)value;
}

static inline uint32_t ao_trailing_zeros(uint64_t value) {
    return ao_length_of(value & (~value + 1)) - 1;
}

/* The number of bits of x, 0 for 0. */
static inline uint32_t ao_length(const ao_big *x) {
    for (uint32_t i = x->end; i > x->first; i--)
        if (x->limb[i - 1])
            return 32 * (i - 1) + ao_length_of(x->limb[i - 1]);
    return 0;
}

/* The 64 bits of x from this one on. */
static inline uint64_t ao_bits_from(const ao_big *x, uint32_t bit) {
    const uint32_t i = bit / 32, shift = bit % 32;
    const uint64_t low = ao_limb(x, i) | (uint64_t)ao_limb(x, i + 1) << 32;
    return shift ? low >> shift | (uint64_t)ao_limb(x, i + 2) << (64 - shift) : low;
}

static inline int ao_any_below(const ao_big *x, uint32_t bit) {
    const uint32_t whole = bit / 32;
    for (uint32_t i = x->first; i < x->end && i < whole; i++)
        if (x->limb[i])
            return 1;
    return (ao_limb(x, whole) & (((uint32_t)1 << bit % 32) - 1)) != 0;
}

static inline int ao_compare(const ao_big *a, const ao_big *b) {
    const uint32_t end = ao_most(a->end, b->end), first = ao_least(a->first, b->first);
    for (uint32_t i = end; i > first; i--) {
        const uint32_t x = ao_limb(a, i - 1), y = ao_limb(b, i - 1);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* x += value * 2^shift */
static inline void ao_add_bits(ao_big *x, uint64_t value, uint32_t shift) {
    const uint32_t i = shift / 32, bits = shift % 32;
    const uint64_t low = value << bits, high = bits ? value >> (64 - bits) : 0;
    const uint32_t part[3] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high};
    uint64_t carry = 0;
    if (value == 0)
        return;
    ao_extend(x, i, i + 3);
    for (uint32_t k = 0; k < 3 || carry; k++) {
        ao_extend(x, i, i + k + 1);
        carry += (uint64_t)x->limb[i + k] + (k < 3 ? part[k] : 0);
        x->limb[i + k] = (uint32_t)carry;
        carry >>= 32;
    }
    ao_trim(x);
}

/* to = a + b; they may be the same. */
static inline void ao_sum_of(ao_big *to, const ao_big *a, const ao_big *b) {
    if (a->first == a->end || b->first == b->end) {
        const ao_big *other = a->first == a->end ? b : a;
        if (to != other)
            ao_copy(to, other);
        return;
    }
    const uint32_t first = ao_least(a->first, b->first), end = ao_most(a->end, b->end);
    uint64_t carry = 0;
    for (uint32_t i = first; i < end; i++) {
        carry += (uint64_t)ao_limb(a, i) + ao_limb(b, i);
        to->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    to->first = first;
    to->end = end;
    if (carry)
        to->limb[to->end++] = (uint32_t)carry;
}

/* to = |a - b|; they may be the same. Returns whether a < b. */
static inline int ao_difference_of(ao_big *to, const ao_big *a, const ao_big *b) {
    const int less = ao_compare(a, b) < 0;
    const ao_big *more = less ? b : a, *fewer = less ? a : b;
    if (fewer->first == fewer->end) {
        if (to != more)
            ao_copy(to, more);
        return less;
    }
    const uint32_t first = ao_least(a->first, b->first), end = ao_most(a->end, b->end);
    uint64_t borrow = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint64_t limb = (uint64_t)ao_limb(more, i) - ao_limb(fewer, i) - borrow;
        to->limb[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    to->first = first;
    to->end = end;
    ao_trim(to);
    return less;
}

/* x *= factor */
static inline void ao_multiply(ao_big *x, uint64_t factor) {
    uint64_t carry = 0;
    for (uint32_t i = x->first; i < x->end; i++) {
        const uint64_t limb = x->limb[i];
        const uint64_t low = limb * (uint32_t)factor + (uint32_t)carry;
        x->limb[i] = (uint32_t)low;
        carry = (carry >> 32) + (low >> 32) + limb * (factor >> 32);
    }
    for (; carry; carry >>= 32)
        x->limb[x->end++] = (uint32_t)carry;
    ao_trim(x);
}

/* x *= 2^shift */
static inline void ao_shift_up(ao_big *x, uint32_t shift) {
    const uint32_t limbs = shift / 32, bits = shift % 32;
    const uint32_t first = x->first, end = x->end;
    if (first == end)
        return;
    for (uint32_t i = end + 1; i > first; i--) { /* from the top, in place */
        const uint64_t pair = (uint64_t)(i - 1 < end ? x->limb[i - 1] : 0) << 32 |
                              (i - 1 > first ? x->limb[i - 2] : 0);
        x->limb[i - 1 + limbs] = (uint32_t)(pair << bits >> 32);
    }
    x->first = first + limbs;
    x->end = end + limbs + 1;
    ao_trim(x);
}

/* to = a + b, or a - b; they may be the same. */
static inline void ao_signed_sum(ao_signed *to, const ao_signed *a, const ao_signed *b, int minus) {
    const int negative = minus ? !b->negative : b->negative, sign = a->negative;
    if (negative == sign) {
        ao_sum_of(&to->size, &a->size, &b->size);
        to->negative = sign;
    } else {
        const int less = ao_difference_of(&to->size, &a->size, &b->size);
        to->negative = less ? negative : sign;
    }
}

static inline void ao_signed_copy(ao_signed *to, const ao_signed *from) {
    ao_copy(&to->size, &from->size);
    to->negative = from->negative;
}

/* Is a < b? */
static inline int ao_signed_less(const ao_signed *a, const ao_signed *b) {
    ao_signed d;
    ao_signed_sum(&d, a, b, 1);
    return d.negative && ao_length(&d.size) > 0;
}

/*
 * Numbers of the floating-point formats.
 */

static inline const ao_format *ao_format_of(ao_type type) {
    static const ao_format formats[4] = {
        {53, -1074, UINT64_C(0x7FF0000000000000), UINT64_C(0x8000000000000000)},
        {24, -149, 0x7F800000, 0x80000000},
        {11, -24, 0x7C00, 0x8000},
        {8, -133, 0x7F80, 0x8000}};
    return &formats[type];
}

static inline int ao_is_float(ao_type type) {
    return type <= AO_BFLOAT16;
}

static inline uint64_t ao_magnitude(const ao_format *f, uint64_t bits) {
    return bits & ~f->sign;
}

static inline int ao_is_nan(const ao_format *f, uint64_t bits) {
    return ao_magnitude(f, bits) > f->infinity;
}

static inline int ao_is_finite(const ao_format *f, uint64_t bits) {
    return ao_magnitude(f, bits) < f->infinity;
}

static inline int ao_is_subnormal(const ao_format *f, uint64_t bits) {
    const uint64_t magnitude = ao_magnitude(f, bits);
    return magnitude > 0 && magnitude >> (f->precision - 1) == 0;
}

static inline uint64_t ao_quiet_nan(const ao_format *f) {
    return f->infinity | (uint64_t)1 << (f->precision - 2);
}

static inline int64_t ao_rank(const ao_format *f, uint64_t bits) {
    const int64_t magnitude = (int64_t)ao_magnitude(f, bits);
    return bits & f->sign ? -magnitude : magnitude;
}

static inline uint64_t ao_of_rank(const ao_format *f, int64_t rank) {
    return rank < 0 ? (uint64_t)-rank | f->sign : (uint64_t)rank;
}

/* A finite number is significand * 2^shift quanta. */
static inline uint64_t ao_unpack(const ao_format *f, uint64_t bits, uint32_t *shift) {
    const uint64_t magnitude = ao_magnitude(f, bits), hidden = (uint64_t)1 << (f->precision - 1);
    const uint64_t exponent = magnitude >> (f->precision - 1);
    *shift = exponent > 1 ? (uint32_t)(exponent - 1) : 0;
    return (magnitude & (hidden - 1)) | (exponent ? hidden : 0);
}

/* How the magnitude of a result is rounded. */
typedef enum ao_direction {
    AO_DOWNWARD,
    AO_UPWARD,
    AO_TO_NEAREST,
    AO_TO_ZERO
} ao_direction;

/* The number (quotient + rest) * 2^last quanta, rounded, where rest is 0 (0), below (1), at (2) or
 * above (3) one half. */
static inline uint64_t ao_rounded(const ao_format *f, uint64_t quotient, int rest, int64_t last,
                                  int negative, ao_direction direction) {
    const uint64_t sign = negative ? f->sign : 0;
    const int outward = direction == (negative ? AO_DOWNWARD : AO_UPWARD);
    const int overflows = outward || direction == AO_TO_NEAREST;
    if (direction == AO_TO_NEAREST)
        quotient += rest > 2 || (rest == 2 && (quotient & 1));
    else
        quotient += outward && rest > 0;
    if (last >= (int64_t)(f->infinity >> (f->precision - 1)))
        return (overflows ? f->infinity : f->infinity - 1) | sign;
    const uint64_t bits = ((uint64_t)last << (f->precision - 1)) + quotient;
    if (bits >= f->infinity)
        return (overflows ? f->infinity : f->infinity - 1) | sign;
    return bits ? bits | sign : 0;
}

/* The number size * 2^unit, rounded. */
static inline uint64_t ao_round(const ao_format *f, const ao_big *size, int negative, int unit,
                                ao_direction direction) {
    const int length = (int)ao_length(size);
    if (length == 0)
        return 0;
    const int low = unit - f->quantum, high = low + length - f->precision;
    const int last = high > 0 ? high : 0, shift = last - low;
    if (shift <= 0)
        return ao_rounded(f, ao_bits_from(size, 0) << -shift, 0, last, negative, direction);
    const uint32_t half = (uint32_t)shift - 1;
    const int above = (int)(ao_bits_from(size, half) & 1) * 2, below = ao_any_below(size, half);
    return ao_rounded(f, ao_bits_from(size, (uint32_t)shift), above + below, last, negative,
                      direction);
}

/* The number value * 2^low quanta. An odd value may stand for one that is a little larger, if it
 * has more bits than are kept. */
static inline uint64_t ao_round_value(const ao_format *f, uint64_t value, int64_t low, int negative,
                                      ao_direction direction) {
    const int64_t high = low + (int64_t)ao_length_of(value) - f->precision;
    const int64_t last = high > 0 ? high : 0, shift = last - low;
    if (value == 0)
        return 0;
    if (shift <= 0)
        return ao_rounded(f, value << -shift, 0, last, negative, direction);
    if (shift > 63)
        return ao_rounded(f, 0, 1, last, negative, direction);
    const uint64_t half = (uint64_t)1 << (shift - 1), rest = value & (2 * half - 1);
    const int kind = rest == 0 ? 0 : (rest < half ? 1 : (rest == half ? 2 : 3));
    return ao_rounded(f, value >> shift, kind, last, negative, direction);
}

/* The results that rounding may give, in ascending order: 1 or 2. */
static inline unsigned ao_choices(const ao_format *f, uint64_t value, int64_t low, int negative,
                                  ao_rounding rounding, uint64_t result[2]) {
    if (rounding == AO_NEAREST) {
        result[0] = ao_round_value(f, value, low, negative, AO_TO_NEAREST);
        return 1;
    }
    if (rounding == AO_TOWARD_ZERO) {
        result[0] = ao_round_value(f, value, low, negative, AO_TO_ZERO);
        return 1;
    }
    result[0] = ao_round_value(f, value, low, negative, AO_DOWNWARD);
    result[1] = ao_round_value(f, value, low, negative, AO_UPWARD);
    return result[0] == result[1] ? 1 : 2;
}

/* a + b. */
static inline unsigned ao_add_numbers(const ao_format *f, uint64_t a, uint64_t b,
                                      ao_rounding rounding, uint64_t result[2]) {
    if (!ao_is_finite(f, a) || !ao_is_finite(f, b)) {
        const int nan = ao_is_nan(f, a) || ao_is_nan(f, b) ||
                        (!ao_is_finite(f, a) && !ao_is_finite(f, b) && a != b);
        result[0] = nan ? ao_quiet_nan(f) : (ao_is_finite(f, a) ? b : a);
        return 1;
    }
    const int guard = 8;
    if (ao_magnitude(f, a) < ao_magnitude(f, b)) {
        const uint64_t other = a;
        a = b;
        b = other;
    }
    uint32_t a_shift, b_shift;
    uint64_t x = ao_unpack(f, a, &a_shift), y = ao_unpack(f, b, &b_shift);
    const int negative = (a & f->sign) != 0, minus = ((a ^ b) & f->sign) != 0;
    const uint32_t distance = a_shift - b_shift;
    int64_t low = b_shift;
    uint64_t lost = 0;
    if (distance <= (uint32_t)guard) {
        x <<= distance;
    } else {
        const uint32_t down = distance - (uint32_t)guard;
        low = (int64_t)a_shift - guard;
        x <<= guard;
        lost = down > 63 ? y : y & (((uint64_t)1 << down) - 1);
        y = down > 63 ? 0 : y >> down;
    }
    uint64_t value = minus ? x - y : x + y;
    if (lost) { /* one more bit says that it is not exact */
        value = (minus ? value - 1 : value) << 1 | 1;
        low--;
    }
    return ao_choices(f, value, low, negative, rounding, result);
}

/* A number of one format in another one. */
static inline unsigned ao_convert(const ao_format *to, const ao_format *from, uint64_t bits,
                                  ao_rounding rounding, uint64_t result[2]) {
    const int negative = (bits & from->sign) != 0;
    if (ao_is_nan(from, bits) || !ao_is_finite(from, bits)) {
        result[0] =
            ao_is_nan(from, bits) ? ao_quiet_nan(to) : to->infinity | (negative ? to->sign : 0);
        return 1;
    }
    uint32_t shift;
    const uint64_t value = ao_unpack(from, bits, &shift);
    return ao_choices(to, value, (int64_t)shift + from->quantum - to->quantum, negative, rounding,
                      result);
}

static inline uint64_t ao_widen(const ao_format *to, const ao_format *from, uint64_t bits) {
    uint64_t result[2];
    ao_convert(to, from, bits, AO_NEAREST, result);
    return result[0];
}

/*
 * Sequential sums: the least and the greatest. Additions are monotonic, and so is flushing, so that
 * these come from the ends.
 */

static inline uint64_t ao_flushed(const ao_format *f, uint64_t bits) {
    return ao_is_subnormal(f, bits) ? 0 : bits;
}

static inline void ao_flush_ends(const ao_format *f, ao_flush flush, uint64_t *low,
                                 uint64_t *high) {
    const uint64_t flushed_low = ao_flushed(f, *low), flushed_high = ao_flushed(f, *high);
    if (flush == AO_FLUSH_MUST ||
        (flush == AO_FLUSH_MAY && ao_rank(f, flushed_low) < ao_rank(f, *low)))
        *low = flushed_low;
    if (flush == AO_FLUSH_MUST ||
        (flush == AO_FLUSH_MAY && ao_rank(f, flushed_high) > ao_rank(f, *high)))
        *high = flushed_high;
}

static inline int ao_must_flush(const ao_profile *p) {
    return p->flush_inputs == AO_FLUSH_MUST || p->flush_results == AO_FLUSH_MUST;
}

static inline int ao_flushes(const ao_profile *p) {
    return p->flush_inputs != AO_FLUSH_NEVER || p->flush_results != AO_FLUSH_NEVER;
}

static inline void ao_run_add(const ao_line *line, ao_run *run, uint64_t bits) {
    const ao_format *t = ao_format_of(line->profile.type), *f = ao_format_of(run->accumulator);
    const ao_profile *profile = &line->profile;
    const ao_flush may = ao_flushes(profile) ? AO_FLUSH_MAY : AO_FLUSH_NEVER;
    const ao_flush operands = profile->flush_inputs == AO_FLUSH_MUST ? AO_FLUSH_MUST : may;
    uint64_t low = bits, high = bits, lows[2], highs[2];
    if (run->is_nan)
        return;
    ao_flush_ends(t, line->terms == 1 ? may : operands, &low, &high);
    low = ao_widen(f, t, low);
    high = ao_widen(f, t, high);
    if (line->terms == 1) { /* copied, or added to zero */
        run->is_nan = run->may_be_nan = ao_is_nan(f, low);
        run->low = low;
        run->high = high;
        return;
    }
    ao_flush_ends(f, operands, &run->low, &run->high);
    ao_add_numbers(f, run->low, low, profile->rounding, lows);
    const unsigned count = ao_add_numbers(f, run->high, high, profile->rounding, highs);
    uint64_t least = lows[0], most = highs[count - 1];
    run->may_be_nan |= ao_is_nan(f, least) || ao_is_nan(f, most);
    run->is_nan = ao_is_nan(f, least) && ao_is_nan(f, most);
    if (run->is_nan)
        return;
    if (ao_is_nan(f, least)) /* an infinity and one of the other sign; all else gives the other */
        least = most;
    if (ao_is_nan(f, most))
        most = least;
    ao_flush_ends(f, profile->flush_results, &least, &most);
    ao_flush_ends(f, may, &least, &most);
    run->low = least;
    run->high = most;
}

/*
 * Beginning and adding.
 */

static inline const char *ao_contradiction(const ao_profile *p) {
    if ((unsigned)p->type > AO_UINT64)
        return "profile: type is no ao_type";
    if ((unsigned)p->accumulator > AO_UINT64)
        return "profile: accumulator is no ao_type";
    if ((unsigned)p->rounding > AO_EITHER)
        return "profile: rounding is no ao_rounding";
    if ((unsigned)p->flush_inputs > AO_FLUSH_MUST || (unsigned)p->flush_results > AO_FLUSH_MUST)
        return "profile: flush_inputs or flush_results is no ao_flush";
    if ((unsigned)p->specials > AO_SPECIALS_ABSENT)
        return "profile: specials is no ao_specials";
    if ((unsigned)p->order > AO_ORDER_SEQUENTIAL)
        return "profile: order is no ao_order";
    if ((unsigned)p->wider > AO_WIDER_ALLOWED)
        return "profile: wider is no ao_wider";
    if (!p->room && p->room_count)
        return "profile: room_count counts values, but room is NULL";
    if (!ao_is_float(p->type)) {
        if (p->accumulator != p->type)
            return "profile: the accumulator of an integer type is the type";
        if (p->rounding != AO_NEAREST)
            return "profile: additions of integers do not round";
        if (p->flush_inputs != AO_FLUSH_NEVER || p->flush_results != AO_FLUSH_NEVER)
            return "profile: integers have no subnormal numbers to flush";
        if (p->wider != AO_WIDER_FORBIDDEN)
            return "profile: integers wrap, so that no sum is more precise";
        return NULL;
    }
    if (!ao_is_float(p->accumulator))
        return "profile: the accumulator of a floating-point type is one";
    const ao_format *t = ao_format_of(p->type), *f = ao_format_of(p->accumulator);
    if (f->precision < t->precision || f->quantum > t->quantum)
        return "profile: the accumulator cannot hold every number of the type";
    return NULL;
}

/* Starts a line. Returns NULL, or what is wrong with the profile; then each verdict is AO_FAIL. */
static inline const char *ao_begin(ao_line *line, const ao_profile *profile) {
    memset(line, 0, sizeof *line);
    line->profile = *profile;
    line->error = ao_contradiction(profile);
    line->reason = line->error ? line->error : "no output has been judged";
    line->in_sequence = 1;
    if (line->error || !ao_is_float(profile->type))
        return line->error;
    const ao_type wider[2] = {AO_FLOAT32, AO_FLOAT64};
    line->run[line->runs++].accumulator = profile->accumulator;
    for (unsigned i = 0; i < 2 && profile->wider == AO_WIDER_ALLOWED; i++)
        if (profile->order == AO_ORDER_SEQUENTIAL &&
            ao_format_of(wider[i])->precision > ao_format_of(profile->accumulator)->precision)
            line->run[line->runs++].accumulator = wider[i];
    return NULL;
}

static inline void ao_add_finite(ao_line *line, const ao_format *f, uint64_t bits) {
    const int negative = (bits & f->sign) != 0;
    uint32_t shift;
    const uint64_t value = ao_unpack(f, bits, &shift);
    const uint32_t low = shift + ao_trailing_zeros(value);
    if (line->largest == 0 || low < line->lowest)
        line->lowest = low;
    if (ao_magnitude(f, bits) > line->largest)
        line->largest = ao_magnitude(f, bits);
    ao_add_bits(&line->side[negative], value, shift);
    line->sum.negative = ao_difference_of(&line->sum.size, &line->side[0], &line->side[1]);
    ao_big *reach = &line->reach[line->sum.negative];
    if (ao_compare(&line->sum.size, reach) > 0)
        ao_copy(reach, &line->sum.size);
}

/* Adds the next term. Bits above the type's width are ignored. */
static inline void ao_add(ao_line *line, uint64_t bits) {
    if (line->error)
        return;
    line->has_measure = line->has_bound = line->has_asked = 0;
    line->terms++;
    line->integer += bits;
    if (!ao_is_float(line->profile.type))
        return;
    const ao_format *f = ao_format_of(line->profile.type);
    bits &= f->sign | (f->sign - 1);
    for (unsigned i = 0; i < line->runs; i++)
        ao_run_add(line, &line->run[i], bits);
    if (ao_magnitude(f, bits) == 0) {
        if (line->nonzero <= AO_FEW_MOST)
            line->zeros |= (uint32_t)1 << line->nonzero;
        return;
    }
    if (line->nonzero < AO_FEW_MOST)
        line->few[line->nonzero] = bits;
    line->nonzero++;
    if (ao_is_nan(f, bits))
        line->nan = 1;
    else if (!ao_is_finite(f, bits))
        line->infinity[(bits & f->sign) != 0] = 1;
    else
        ao_add_finite(line, f, bits);
}

static inline int ao_has_special(const ao_line *line) {
    return line->nan || line->infinity[0] || line->infinity[1];
}

/*
 * Short prefixes: every order of the terms that are not zero is tried, with every choice of
 * rounding and flushing. The values of a subset are the sums of a value of one part and a value of
 * the rest, for each way to cut the subset in two. Zeros need no place in a tree: adding one
 * changes no value, but that it may flush, which is among the choices. Where flushing must, there
 * are four cases in which no place of a zero leaves all values as they are (docs/oracle.md, "Zeros
 * that flush"): a single term, the first term of a sequence, the last sum of one, and two
 * neighbours with a zero between them.
 */

typedef struct ao_reached {
    int complete; /* 0: the room was not enough, so that nothing is known */
    int found;    /* the output that is asked for is among them */
    int nan;      /* so is a NaN; */
    int special;  /* some sum on the way is a NaN or an infinity */
    int any;      /* low and high are set: */
    int64_t low;  /* the least and the greatest rank, NaNs left out */
    int64_t high;
} ao_reached;

/* A subset's values in the room. */
typedef struct ao_values {
    uint64_t *at;
    uint32_t most;
    uint32_t used;
    uint32_t start[1 << AO_FEW_MOST];
    uint32_t count[1 << AO_FEW_MOST];
} ao_values;

static inline void ao_sift(uint64_t *v, uint32_t root, uint32_t count) {
    for (;;) {
        uint32_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count && v[child] < v[child + 1])
            child++;
        if (v[root] >= v[child])
            return;
        const uint64_t other = v[root];
        v[root] = v[child];
        v[child] = other;
        root = child;
    }
}

/* Sorts, and keeps one of equals. Returns how many are left. */
static inline uint32_t ao_sort_once(uint64_t *v, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = count / 2; i > 0; i--)
        ao_sift(v, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        const uint64_t most = v[0];
        v[0] = v[end - 1];
        v[end - 1] = most;
        ao_sift(v, 0, end - 1);
    }
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || v[i] != v[kept - 1])
            v[kept++] = v[i];
    return kept;
}

/* Keeps a value of the subset whose values start here. Returns whether there was room. */
static inline int ao_keep(ao_values *values, uint32_t start, uint64_t bits) {
    if (values->used == values->most) {
        values->used = start + ao_sort_once(values->at + start, values->used - start);
        if (values->used > values->most - values->most / 8)
            return 0;
    }
    values->at[values->used++] = bits;
    return 1;
}

static inline void ao_reach_output(ao_reached *r, const ao_format *t, uint64_t bits, uint64_t y) {
    if (ao_is_nan(t, bits)) {
        r->nan = r->special = 1;
        r->found |= ao_is_nan(t, y);
        return;
    }
    const int64_t rank = ao_rank(t, bits);
    r->found |= !ao_is_nan(t, y) && rank == ao_rank(t, y);
    r->low = r->any && r->low < rank ? r->low : rank;
    r->high = r->any && r->high > rank ? r->high : rank;
    r->any = 1;
    r->special |= !ao_is_finite(t, bits);
}

/* The outputs that a sum of all terms may be stored as. */
static inline void ao_reach_stored(const ao_line *line, ao_reached *r, const ao_format *f,
                                   uint64_t sum, uint64_t y) {
    const ao_format *t = ao_format_of(line->profile.type);
    uint64_t stored[2] = {sum, sum};
    const unsigned count = f == t ? 1 : ao_convert(t, f, sum, line->profile.rounding, stored);
    for (unsigned i = 0; i < count; i++) {
        const int subnormal = ao_is_subnormal(t, stored[i]);
        if (!subnormal || line->profile.flush_results != AO_FLUSH_MUST)
            ao_reach_output(r, t, stored[i], y);
        if (subnormal && ao_flushes(&line->profile))
            ao_reach_output(r, t, 0, y);
    }
}

/* A sum of two values: the last one is an output, others are kept. */
static inline int ao_reach_sum(const ao_line *line, ao_reached *r, const ao_format *f,
                               ao_values *values, uint32_t start, int last, uint64_t sum,
                               uint64_t y) {
    const ao_profile *p = &line->profile;
    const int subnormal = ao_is_subnormal(f, sum), flushed = subnormal && ao_flushes(p);
    const int must = ao_must_flush(p);
    const uint64_t bits = ao_magnitude(f, sum) ? sum : 0;
    const int added = p->order == AO_ORDER_SEQUENTIAL && (line->zeros >> line->nonzero & 1);
    r->special |= !ao_is_finite(f, bits);
    if (last) { /* an operand, if a zero comes after it */
        const ao_flush flush = added && must ? AO_FLUSH_MUST : p->flush_results;
        if (!subnormal || flush != AO_FLUSH_MUST)
            ao_reach_stored(line, r, f, bits, y);
        if (flushed)
            ao_reach_stored(line, r, f, 0, y);
        return 1;
    }
    return (subnormal && must ? 1 : ao_keep(values, start, bits)) &&
           (flushed ? ao_keep(values, start, 0) : 1);
}

static inline int ao_is_contiguous(uint32_t mask) {
    const uint32_t filled = mask | (mask - 1);
    return (filled & (filled + 1)) == 0;
}

/* May a tree of this order have these subsets as the operands of an addition? */
static inline int ao_may_split(ao_order order, uint32_t part, uint32_t rest) {
    if (order == AO_ORDER_ANY)
        return 1;
    if (order == AO_ORDER_CONTIGUOUS)
        return ao_is_contiguous(part) && ao_is_contiguous(rest) && ao_is_contiguous(part | rest);
    return (part & (part + 1)) == 0 && rest == part + 1;
}

/* Are these two neighbours with a zero between them, which has to be added to one of them before,
 * whose results must be flushed? */
static inline int ao_are_parted(const ao_line *line, uint32_t part, uint32_t rest) {
    return line->profile.order == AO_ORDER_CONTIGUOUS &&
           line->profile.flush_results == AO_FLUSH_MUST && (part & (part - 1)) == 0 &&
           rest == part << 1 && (line->zeros & rest) != 0;
}

/* The values of a subset with two terms or more. */
static inline int ao_reach_subset(const ao_line *line, ao_reached *r, const ao_format *f,
                                  ao_values *values, uint32_t mask, int last, uint64_t y) {
    const uint32_t start = values->used, lowest = mask & (~mask + 1);
    for (uint32_t part = (mask - 1) & mask; part; part = (part - 1) & mask) {
        const uint32_t rest = mask ^ part;
        if (!(part & lowest) || !ao_may_split(line->profile.order, part, rest))
            continue;
        const int parted = ao_are_parted(line, part, rest);
        for (uint32_t i = 0; i < values->count[part]; i++)
            for (uint32_t k = 0; k < values->count[rest]; k++) {
                const uint64_t x = values->at[values->start[part] + i];
                const uint64_t z = values->at[values->start[rest] + k];
                uint64_t sum[2];
                if (parted && ao_is_subnormal(f, x) && ao_is_subnormal(f, z))
                    continue;
                const unsigned count = ao_add_numbers(f, x, z, line->profile.rounding, sum);
                for (unsigned c = 0; c < count; c++)
                    if (!ao_reach_sum(line, r, f, values, start, last, sum[c], y))
                        return 0;
            }
    }
    values->start[mask] = start;
    values->count[mask] = ao_sort_once(values->at + start, values->used - start);
    values->used = start + values->count[mask];
    return 1;
}

/* Every order of up to AO_FEW_MOST terms, with sums in this format. */
static inline void ao_reach(const ao_line *line, const ao_format *f, uint64_t y, uint64_t *room,
                            size_t room_count, ao_reached *r) {
    const ao_format *t = ao_format_of(line->profile.type);
    const uint32_t n = (uint32_t)line->nonzero, all = ((uint32_t)1 << n) - 1;
    const int flushes = ao_flushes(&line->profile);
    ao_values values;
    memset(r, 0, sizeof *r);
    r->complete = 1;
    if (n < 2) { /* nothing is added, but zeros perhaps */
        const int subnormal = n == 1 && ao_is_subnormal(t, line->few[0]);
        if (n == 1 && !(subnormal && line->zeros && ao_must_flush(&line->profile)))
            ao_reach_output(r, t, line->few[0], y);
        if (n == 0 || (flushes && subnormal))
            ao_reach_output(r, t, 0, y);
        return;
    }
    values.at = room;
    values.most = room_count > UINT32_MAX ? UINT32_MAX : (uint32_t)room_count;
    values.used = 0;
    memset(values.count, 0, sizeof values.count);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t start = values.used;
        const int subnormal = ao_is_subnormal(t, line->few[i]), flushed = subnormal && flushes;
        const uint64_t value = ao_widen(f, t, line->few[i]);
        const int is_result =
            line->profile.order == AO_ORDER_SEQUENTIAL && i == 0 && (line->zeros & 3) != 0;
        if (!(flushed && line->profile.flush_inputs == AO_FLUSH_MUST) &&
            !(is_result && line->profile.flush_results == AO_FLUSH_MUST &&
              ao_is_subnormal(f, value)))
            r->complete = ao_keep(&values, start, value);
        if (flushed)
            r->complete &= ao_keep(&values, start, 0);
        if (!r->complete)
            return;
        values.start[(uint32_t)1 << i] = start;
        values.count[(uint32_t)1 << i] = values.used - start;
    }
    for (uint32_t mask = 3; mask <= all && r->complete; mask++)
        if (mask & (mask - 1))
            r->complete = ao_reach_subset(line, r, f, &values, mask, mask == all, y);
}

/*
 * Longer prefixes: intervals that every order keeps to. Numbers are scaled by a power of two, which
 * makes all of them integers, so that nothing is rounded but the ends, once.
 */

/* A node that rounds has magnitudes of more than L = 2^(lowest + p) below it, and so more than L /
 * M terms, where M is the greatest. Of n terms that leaves n + 1 - h such nodes. */
static inline uint64_t ao_roundings(const ao_line *line, const ao_format *t, const ao_format *f,
                                    const ao_big *all) {
    const uint32_t exact = line->lowest + (uint32_t)f->precision, length = ao_length(all);
    if (length <= exact || (length == exact + 1 && !ao_any_below(all, exact)))
        return 0;
    uint32_t shift;
    uint64_t value = ao_unpack(t, line->largest, &shift);
    const uint32_t zeros = ao_trailing_zeros(value);
    uint64_t heavy = 2;
    value >>= zeros;
    if (exact > shift + zeros && ((uint64_t)1 << (exact - shift - zeros)) / value + 1 > heavy)
        heavy = ((uint64_t)1 << (exact - shift - zeros)) / value + 1;
    return line->nonzero + 1 - heavy;
}

/* Each of n terms and n - 1 sums loses less than the smallest normal number, w. A value that is
 * flushed is the same as one more term, which cancels it exactly: S moves by F at most, A and R
 * grow by F at most, and no addition rounds more often. If the lowest bit is w or more, nothing is
 * ever subnormal. */
static inline void ao_measure_flush(const ao_line *line, ao_measure *m) {
    const uint32_t normal = (uint32_t)m->t->precision - 1; /* w in quanta, as a shift */
    ao_clear(&m->lost);
    m->flushes = ao_flushes(&line->profile) && line->largest && line->lowest < normal;
    if (m->flushes)
        ao_add_bits(&m->lost, 2 * line->nonzero - 1, normal);
}

static inline const ao_measure *ao_measured(ao_line *line) {
    ao_measure *m = &line->measure;
    if (line->has_measure)
        return m;
    m->t = ao_format_of(line->profile.type);
    m->f = ao_format_of(line->profile.accumulator);
    m->twice = line->profile.rounding == AO_NEAREST ? 1 : 2;
    m->top = (uint32_t)((int)(m->f->infinity >> (m->f->precision - 1)) - 2 + m->f->precision +
                        m->f->quantum - m->t->quantum);
    ao_sum_of(&m->all, &line->side[0], &line->side[1]);
    ao_sum_of(&m->range, &line->reach[0], &line->reach[1]);
    m->r = ao_roundings(line, m->t, m->f, &m->all);
    ao_measure_flush(line, m);
    line->has_measure = 1;
    return m;
}

/* Adds up to *k times the unit in the last of p bits of x, but no more than lead to the next power
 * of two. */
static inline void ao_grow_in_binade(ao_big *x, uint32_t p, uint64_t *k) {
    const uint32_t unit = ao_length(x) - p;
    const uint64_t one = (uint64_t)1 << p, left = one - (ao_bits_from(x, unit) & (one - 1));
    const uint64_t steps = left < *k ? left : *k;
    ao_add_bits(x, steps, unit);
    *k -= steps;
}

/* The error of k additions of which each returns one of both neighbours, times 2^p: G^k(A) - A with
 * G(x) = x + 2 u 2^floor(log2 x). The additions within one power of two add the same. Behind the
 * first one, x is a power of two and less than a unit more, so that each 2^(p - 1) additions double
 * the power. Beyond all numbers of the format it stops. */
static inline void ao_grow(const ao_measure *m, const ao_big *all, uint64_t k, ao_big *error) {
    const uint32_t p = (uint32_t)m->f->precision;
    ao_big start, x, power;
    if (k == 0 || ao_length(all) == 0) {
        ao_clear(error);
        return;
    }
    ao_copy(&start, all);
    ao_shift_up(&start, p);
    ao_copy(&x, &start);
    ao_grow_in_binade(&x, p, &k);
    const uint32_t length = ao_length(&x), enough = ao_most(m->top + p, ao_length(&start)) + 4;
    const uint64_t doublings = k >> (p - 1);
    const uint32_t more = doublings < enough - length ? (uint32_t)doublings : enough - length;
    ao_clear(&power);
    ao_add_bits(&power, 1, length - 1);
    if (more > 0) {
        ao_difference_of(&x, &x, &power);
        ao_add_bits(&x, 1, length - 1 + more);
    }
    k -= (uint64_t)more << (p - 1);
    if (more == doublings)
        ao_grow_in_binade(&x, p, &k);
    ao_difference_of(error, &x, &start);
}

/* a b / 2^shift, rounded up, for a shift of 1 to 127. */
static inline uint64_t ao_product_up(uint64_t a, uint64_t b, uint32_t shift) {
    const uint64_t half = UINT32_MAX, low = (a & half) * (b & half);
    const uint64_t left = (a >> 32) * (b & half) + (low >> 32);
    const uint64_t right = (a & half) * (b >> 32) + (left & half);
    const uint64_t lower = right << 32 | (low & half);
    const uint64_t upper = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32);
    if (shift < 64)
        return (upper << (64 - shift) | lower >> shift) + ((lower << (64 - shift)) != 0);
    const uint64_t rest = upper & (((uint64_t)1 << (shift - 64)) - 1);
    return (upper >> (shift - 64)) + (rest || lower);
}

/* x *= ((1 + v)^k - 1) 2^scale, rounded up, for 0 < k. Returns the scale; 0 if that is too large.
 * Divided by v, (1 + g) (1 + h) - 1 is g + h + v g h, and the result is at most 2^(1.5 k v) / v. */
static inline uint32_t ao_compound(const ao_measure *m, uint64_t k, ao_big *x) {
    const uint32_t unit = (uint32_t)m->f->precision + 1 - (uint32_t)m->twice; /* v is 2^-unit */
    const uint64_t one = (uint64_t)1 << unit;
    const uint64_t most = k > 64 * one ? 64 + unit : unit + ((3 * k + 2 * one - 1) >> (unit + 1));
    if (k > one && most > 60)
        return 0;
    const uint32_t places = 61 - (k > one ? (uint32_t)most : ao_length_of(k));
    uint64_t growth = 0, power = (uint64_t)1 << places;
    for (; k; k >>= 1) {
        if (k & 1)
            growth += power + ao_product_up(growth, power, places + unit);
        if (k > 1)
            power += power + ao_product_up(power, power, places + unit);
    }
    ao_multiply(x, growth);
    return places + unit;
}

/* How far sums are from S after k additions that round, and with all that is flushed. Times
 * 2^scale, which is returned. */
static inline uint32_t ao_error(const ao_line *line, const ao_measure *m, uint64_t k,
                                ao_big *error) {
    const uint32_t p = (uint32_t)m->f->precision;
    ao_big all, lost;
    uint32_t scale = p;
    ao_sum_of(&all, &m->all, &m->lost);
    if (line->profile.rounding == AO_EITHER) {
        ao_grow(m, &all, k, error);
    } else {
        ao_copy(error, &all);
        ao_multiply(error, k);
        ao_shift_up(error, (uint32_t)m->twice - 1);
    }
    if (line->profile.order == AO_ORDER_CONTIGUOUS && k > 0) {
        ao_big neighbours;
        ao_sum_of(&neighbours, &m->range, &m->lost);
        const uint32_t compound = ao_compound(m, k, &neighbours);
        if (compound) {
            scale = compound + 1; /* p at least */
            ao_shift_up(&neighbours, 1);
            ao_shift_up(error, scale - p);
        }
        if (compound && ao_compare(&neighbours, error) < 0)
            ao_copy(error, &neighbours);
    }
    ao_copy(&lost, &m->lost);
    ao_shift_up(&lost, scale);
    ao_sum_of(error, error, &lost);
    return scale;
}

/* Additions of a line that may round. */
static inline uint64_t ao_may_round(const ao_line *line, const ao_measure *m) {
    return m->flushes ? line->nonzero - 1 : m->r;
}

/*
 * Terms of one sign. An addition is monotonic and keeps the numbers of the format, so that no
 * partial sum is beyond the last one, y, and each rounding errs by at most v |y|. Of k below the
 * last one that leaves |y| >= round(|S| - F - k v |y|). The least number z for which this holds is
 * (|S| - F) / (1 + k v), rounded down, or the next one. Like all partial sums it is a multiple of
 * the type's quantum. What is flushed is below w, where nothing is rounded.
 */

/* The first p bits of x / (1 + errors 2^-p), times 2^-shift, or all that are no fraction. */
static inline uint64_t ao_divided(const ao_big *x, uint32_t p, uint64_t errors, uint32_t *shift) {
    const uint64_t divisor = ((uint64_t)1 << p) + errors;
    const uint32_t length = ao_length(x), first = ao_least(length, p); /* below the divisor */
    uint64_t quotient = 0, rest = ao_bits_from(x, length - first);
    uint32_t i = length - first + p;
    while (i > 0 && quotient >> (p - 1) == 0) {
        i--;
        const uint64_t bit = i < p ? 0 : ao_bits_from(x, i - p) & 1;
        const int carry = rest >> 63 != 0;
        rest = rest << 1 | bit;
        const int fits = carry || rest >= divisor;
        rest -= fits ? divisor : 0;
        quotient = quotient << 1 | (uint64_t)fits;
    }
    *shift = i;
    return quotient;
}

/* z, in the accumulator. */
static inline uint64_t ao_least_size(const ao_line *line, const ao_measure *m) {
    const uint32_t p = (uint32_t)m->f->precision;
    const int64_t unit = m->t->quantum - m->f->quantum;
    const uint64_t r = ao_may_round(line, m), errors = r > 1 ? m->twice * (r - 1) : 0;
    const ao_direction down = line->profile.rounding == AO_NEAREST ? AO_TO_NEAREST : AO_DOWNWARD;
    ao_big left, error;
    uint32_t shift;
    if (ao_difference_of(&left, &line->sum.size, &m->lost))
        return 0;
    uint64_t size = ao_divided(&left, p, errors, &shift);
    if (ao_length_of(size) + shift > m->top) { /* the greatest number */
        size = ((uint64_t)1 << p) - 1;
        shift = m->top - p;
    }
    ao_clear(&error);
    ao_add_bits(&error, size, shift);
    ao_multiply(&error, errors);
    ao_shift_up(&left, p);
    ao_difference_of(&left, &left, &error);
    const uint64_t z = ao_round_value(m->f, size, unit + shift, 0, AO_DOWNWARD);
    if (ao_round(m->f, &left, 0, m->t->quantum - (int)p, down) <= z)
        return z;
    return ao_round_value(m->f, size + 1, unit + shift, 0, AO_UPWARD);
}

static inline int ao_has_sign(const ao_line *line, int negative) {
    return ao_length(&line->side[negative]) > 0;
}

/* Moves the end that is nearer to 0. */
static inline void ao_keep_sign(const ao_line *line, const ao_measure *m, uint64_t *low,
                                uint64_t *high) {
    if (ao_has_sign(line, 0) && ao_has_sign(line, 1))
        return;
    const uint64_t size = ao_least_size(line, m);
    const int64_t rank = (int64_t)size;
    if (ao_has_sign(line, 0) && ao_rank(m->f, *low) < rank)
        *low = size;
    if (ao_has_sign(line, 1) && ao_rank(m->f, *high) > -rank)
        *high = ao_of_rank(m->f, -rank);
}

/* The outputs for sums between two numbers, given times 2^scale. `rounded`: between these are the
 * rounded sums; otherwise these are what the last addition rounds. */
static inline ao_ends ao_stored_ends(const ao_line *line, const ao_measure *m, const ao_signed *low,
                                     const ao_signed *high, uint32_t scale, int rounded) {
    const ao_rounding rounding = line->profile.rounding;
    const int unit = m->t->quantum - (int)scale;
    ao_direction down = AO_TO_NEAREST, up = AO_TO_NEAREST;
    if (rounding == AO_TOWARD_ZERO)
        down = up = AO_TO_ZERO;
    if (rounding == AO_EITHER || rounded) {
        down = rounded ? AO_UPWARD : AO_DOWNWARD;
        up = rounded ? AO_DOWNWARD : AO_UPWARD;
    }
    uint64_t least[2], most[2];
    least[0] = ao_round(m->f, &low->size, low->negative, unit, down);
    most[0] = ao_round(m->f, &high->size, high->negative, unit, up);
    if (!rounded)
        ao_keep_sign(line, m, &least[0], &most[0]);
    unsigned count = 1;
    if (m->f != m->t) {
        ao_convert(m->t, m->f, least[0], rounding, least);
        count = ao_convert(m->t, m->f, most[0], rounding, most);
    }
    if (m->flushes)
        ao_flush_ends(m->t, AO_FLUSH_MAY, &least[0], &most[count - 1]);
    const ao_ends ends = {ao_rank(m->t, least[0]), ao_rank(m->t, most[count - 1])};
    return ends;
}

/* The last addition rounds once, and monotonically; the two subtrees that it adds are together as
 * far from S as those additions of them that round can move them. */
static inline ao_ends ao_interval(const ao_line *line, const ao_measure *m) {
    const uint64_t r = ao_may_round(line, m);
    ao_signed sum, width, low, high;
    const uint32_t scale = ao_error(line, m, r > 1 ? r - 1 : 0, &width.size);
    width.negative = 0;
    ao_signed_copy(&sum, &line->sum);
    ao_shift_up(&sum.size, scale);
    ao_signed_sum(&low, &sum, &width, 1);
    ao_signed_sum(&high, &sum, &width, 0);
    return ao_stored_ends(line, m, &low, &high, scale, 0);
}

/*
 * Sums may stop at the greatest number C, unless they are rounded to nearest. With the errors T of
 * the additions, what is flushed included, and F as one more term of either sign,
 *
 *     min(P, C) - N - T - F <= y <= P - min(N, C) + T + F
 *
 * for a finite y. Terms of one sign do not come back from there: the output is the greatest number
 * of the type.
 */
static inline ao_ends ao_saturated(const ao_line *line, const ao_measure *m) {
    const int64_t greatest = (int64_t)m->t->infinity - 1;
    ao_big most, lost;
    ao_signed end[2], width;
    const uint32_t scale = ao_error(line, m, ao_may_round(line, m), &width.size);
    width.negative = 0;
    ao_copy(&lost, &m->lost);
    ao_shift_up(&lost, scale);
    ao_sum_of(&width.size, &width.size, &lost);
    ao_clear(&most);
    ao_add_bits(&most, ((uint64_t)1 << m->f->precision) - 1, m->top - (uint32_t)m->f->precision);
    for (int negative = 0; negative < 2; negative++) {
        /* How far the sums reach to the other side, on which they do not stop. */
        const ao_big *side = &line->side[negative];
        const ao_big *stopped = ao_compare(side, &most) < 0 ? side : &most;
        ao_signed *to = &end[negative];
        to->negative = ao_difference_of(&to->size, &line->side[!negative], stopped);
        ao_shift_up(&to->size, scale);
        ao_signed_sum(to, to, &width, 0);
    }
    end[0].negative = !end[0].negative;
    ao_ends ends = ao_stored_ends(line, m, &end[0], &end[1], scale, 1);
    const int64_t low = ao_has_sign(line, 1) ? -greatest : greatest;
    const int64_t high = ao_has_sign(line, 0) ? greatest : -greatest;
    ends.low = ends.low < low ? low : ends.low;
    ends.high = ends.high > high ? high : ends.high;
    return ends;
}

/* May a partial sum pass the greatest number on the side of this sign? One of terms with P' and N'
 * is at most P' - N' + (n - 1) v (P' + N'), which N' only lowers if (n - 1) v <= 1. Truncated ones
 * stay within P'. */
static inline int ao_may_pass(const ao_line *line, const ao_measure *m, int negative) {
    const uint32_t p = (uint32_t)m->f->precision;
    const uint64_t additions = line->nonzero - 1;
    const int alone = additions <= ((uint64_t)1 << p) / m->twice;
    const ao_rounding rounding = line->profile.rounding;
    ao_big side, limit, errors;
    uint32_t scale = p;
    if (line->nonzero < 2 || ao_length(&line->side[negative]) == 0)
        return 0;
    ao_sum_of(&side, &line->side[negative], &m->lost);
    if (alone && ao_length(&side) + 2 <= m->top)
        return 0;
    ao_clear(&errors);
    if (rounding != AO_TOWARD_ZERO && alone) {
        ao_copy(&errors, &side);
        ao_multiply(&errors, m->twice * additions);
    } else if (rounding != AO_TOWARD_ZERO) {
        scale = ao_error(line, m, additions, &errors);
    }
    ao_shift_up(&side, scale);
    ao_sum_of(&side, &side, &errors);
    /* To nearest half a unit in the last place more. */
    ao_clear(&limit);
    if (rounding == AO_NEAREST)
        ao_add_bits(&limit, ((uint64_t)2 << p) - 1, m->top + scale - p - 1);
    else
        ao_add_bits(&limit, ((uint64_t)1 << p) - 1, m->top + scale - p);
    const int order = ao_compare(&side, &limit);
    return rounding == AO_NEAREST ? order >= 0 : order > 0;
}

/* S, rounded once, unless that is infinite. */
static inline ao_ends ao_exact(const ao_line *line, const ao_format *t) {
    const uint64_t bits =
        ao_round(t, &line->sum.size, line->sum.negative, t->quantum, AO_TO_NEAREST);
    const ao_ends ends = {ao_rank(t, bits), ao_rank(t, bits)}, none = {1, 0};
    return ao_is_finite(t, bits) ? ends : none;
}

static inline const ao_bound *ao_bounded(ao_line *line) {
    const ao_measure *m = ao_measured(line);
    const ao_rounding rounding = line->profile.rounding;
    ao_bound *b = &line->bound;
    if (line->has_bound)
        return b;
    b->count = 1;
    b->ends[0] = ao_interval(line, m);
    for (int negative = 0; negative < 2; negative++)
        b->overflow[negative] = ao_may_pass(line, m, negative);
    if (rounding != AO_NEAREST && (b->overflow[0] || b->overflow[1]))
        b->ends[b->count++] = ao_saturated(line, m);
    if (rounding == AO_TOWARD_ZERO)
        b->overflow[0] = b->overflow[1] = 0;
    if (line->profile.wider == AO_WIDER_ALLOWED)
        b->ends[b->count++] = ao_exact(line, m->t);
    line->has_bound = 1;
    return b;
}

/*
 * Verdicts.
 */

/* A verdict, and the outputs that pass. */
typedef struct ao_answer {
    ao_verdict verdict;
    const char *reason;
    int any;  /* ends are set */
    int nan;  /* a NaN passes */
    int sure; /* every order was tried, or only one value is right */
    ao_ends ends;
} ao_answer;

static inline void ao_accept(ao_answer *a, const ao_format *t, uint64_t y, ao_ends ends) {
    if (ends.low > ends.high)
        return;
    if (!a->any || ends.low < a->ends.low)
        a->ends.low = ends.low;
    if (!a->any || ends.high > a->ends.high)
        a->ends.high = ends.high;
    a->any = 1;
    if (!ao_is_nan(t, y) && ends.low <= ao_rank(t, y) && ao_rank(t, y) <= ends.high)
        a->verdict = AO_PASS;
}

/* |number - S|, for a finite number of the type. */
static inline void ao_distance(const ao_line *line, const ao_format *t, int64_t rank, ao_big *to) {
    ao_signed number;
    uint32_t shift;
    const uint64_t value = ao_unpack(t, ao_of_rank(t, rank), &shift);
    number.negative = rank < 0;
    ao_clear(&number.size);
    ao_add_bits(&number.size, value, shift);
    ao_signed_sum(&number, &number, &line->sum, 1);
    ao_copy(to, &number.size);
}

/* Sequences that are kept more precisely: what is at most as far from S as these two outputs. */
static inline ao_ends ao_as_far(const ao_line *line, const ao_format *t, int64_t low,
                                int64_t high) {
    ao_signed farthest, other, least, most;
    ao_distance(line, t, low, &farthest.size);
    ao_distance(line, t, high, &other.size);
    if (ao_compare(&other.size, &farthest.size) > 0)
        ao_copy(&farthest.size, &other.size);
    farthest.negative = 0;
    ao_signed_sum(&least, &line->sum, &farthest, 1);
    ao_signed_sum(&most, &line->sum, &farthest, 0);
    const ao_ends ends = {
        ao_rank(t, ao_round(t, &least.size, least.negative, t->quantum, AO_UPWARD)),
        ao_rank(t, ao_round(t, &most.size, most.negative, t->quantum, AO_DOWNWARD))};
    return ends;
}

/* An infinity among the terms is what more precise sums give, which do not overflow. */
static inline void ao_accept_infinity(const ao_line *line, const ao_format *t, uint64_t y,
                                      ao_answer *a) {
    const int negative = line->infinity[1];
    const int64_t rank = negative ? -(int64_t)t->infinity : (int64_t)t->infinity;
    const ao_ends ends = {rank, rank};
    if (!line->nan && !(line->infinity[0] && negative))
        ao_accept(a, t, y, ends);
}

/* An exact sum, rounded and stored. */
static inline void ao_accept_rounded(const ao_line *line, const ao_signed *sum,
                                     ao_direction direction, uint64_t y, ao_answer *a) {
    const ao_profile *p = &line->profile;
    const ao_format *t = ao_format_of(p->type);
    const uint64_t bits = ao_round(t, &sum->size, sum->negative, t->quantum, direction);
    const ao_ends ends = {ao_rank(t, bits), ao_rank(t, bits)}, zero = {0, 0};
    const int subnormal = ao_is_subnormal(t, bits);
    if (ao_is_finite(t, bits) && !(subnormal && p->flush_results == AO_FLUSH_MUST))
        ao_accept(a, t, y, ends);
    if (subnormal && ao_flushes(p))
        ao_accept(a, t, y, zero);
}

/* What an accumulator gives that never rounds, and is rounded to nearest or as additions are. It
 * adds all of a few terms, or, if it flushes, those that are not subnormal. */
static inline void ao_accept_unrounded(const ao_line *line, uint64_t y, ao_answer *a) {
    const ao_profile *p = &line->profile;
    const ao_format *t = ao_format_of(p->type);
    for (int flushed = p->flush_inputs == AO_FLUSH_MUST; flushed <= ao_flushes(p); flushed++) {
        ao_signed sum, term;
        ao_clear(&sum.size);
        sum.negative = 0;
        for (uint64_t i = 0; i < line->nonzero; i++) {
            uint32_t shift;
            const uint64_t value = ao_unpack(t, line->few[i], &shift);
            ao_clear(&term.size);
            ao_add_bits(&term.size, value, shift);
            term.negative = (line->few[i] & t->sign) != 0;
            if (!flushed || !ao_is_subnormal(t, line->few[i]))
                ao_signed_sum(&sum, &sum, &term, 0);
        }
        ao_accept_rounded(line, &sum, AO_TO_NEAREST, y, a);
        if (p->rounding == AO_TOWARD_ZERO)
            ao_accept_rounded(line, &sum, AO_TO_ZERO, y, a);
        if (p->rounding == AO_EITHER) {
            ao_accept_rounded(line, &sum, AO_DOWNWARD, y, a);
            ao_accept_rounded(line, &sum, AO_UPWARD, y, a);
        }
    }
}

/* Accepts the outputs of one accumulator. Returns 0 if the room was not enough. */
static inline int ao_accept_reached(const ao_line *line, ao_type accumulator, uint64_t y,
                                    uint64_t *room, size_t count, ao_reached *r, ao_answer *a) {
    const ao_format *t = ao_format_of(line->profile.type);
    ao_reach(line, ao_format_of(accumulator), y, room, count, r);
    if (!r->complete)
        return 0;
    if (r->found)
        a->verdict = AO_PASS;
    a->nan |= r->nan;
    if (!r->any)
        return 1;
    const ao_verdict known = a->verdict;
    const ao_ends ends = {r->low, r->high};
    ao_accept(a, t, y, ends);
    a->verdict = known; /* outputs between those that are reached need not be */
    return 1;
}

/* Every order of a few terms. Returns 0 if the room was not enough. */
static inline int ao_decide_few(const ao_line *line, uint64_t y, ao_answer *a) {
    const ao_profile *p = &line->profile;
    const ao_format *t = ao_format_of(p->type);
    uint64_t own[512]; /* 4 terms need 440 values at most, if each is kept twice */
    const int enough = line->nonzero <= AO_FEW;
    uint64_t *room = enough ? own : p->room;
    const size_t count = enough ? sizeof own / sizeof own[0] : p->room_count;
    ao_reached r, wider;
    if (!ao_accept_reached(line, p->accumulator, y, room, count, &r, a))
        return 0;
    a->sure = 1;
    a->reason = a->verdict == AO_PASS ? "an order of additions gives this output"
                                      : "no order of additions gives this output: all were tried";
    if (r.special && p->specials == AO_SPECIALS_ABSENT) {
        a->verdict = AO_MAY_OVERFLOW;
        a->reason = "a sum may overflow, and the profile has no infinities";
        return 1;
    }
    if (p->wider != AO_WIDER_ALLOWED || line->nonzero < 2)
        return 1;
    const ao_verdict before = a->verdict;
    if (ao_has_special(line)) {
        ao_accept_infinity(line, t, y, a);
        if (before == AO_FAIL && a->verdict == AO_PASS)
            a->reason = "a more precise sum gives this output";
        return 1;
    }
    const ao_type types[2] = {AO_FLOAT32, AO_FLOAT64};
    for (int i = 0; i < 2; i++)
        if (ao_format_of(types[i])->precision > ao_format_of(p->accumulator)->precision &&
            !ao_accept_reached(line, types[i], y, room, count, &wider, a))
            return 0;
    ao_accept_unrounded(line, y, a);
    if (before == AO_FAIL && a->verdict == AO_PASS)
        a->reason = "a more precise sum gives this output";
    return 1;
}

/* The outputs of a sequential sum. */
static inline void ao_accept_run(const ao_line *line, const ao_run *run, uint64_t y, ao_answer *a) {
    const ao_format *t = ao_format_of(line->profile.type), *f = ao_format_of(run->accumulator);
    uint64_t low[2] = {run->low, run->low}, high[2] = {run->high, run->high};
    unsigned count = 1;
    a->nan |= run->may_be_nan;
    if (run->may_be_nan && ao_is_nan(t, y))
        a->verdict = AO_PASS;
    if (run->is_nan)
        return;
    if (f != t) {
        ao_convert(t, f, run->low, line->profile.rounding, low);
        count = ao_convert(t, f, run->high, line->profile.rounding, high);
    }
    if (ao_flushes(&line->profile))
        ao_flush_ends(t, AO_FLUSH_MAY, &low[0], &high[count - 1]);
    const ao_ends ends = {ao_rank(t, low[0]), ao_rank(t, high[count - 1])};
    ao_accept(a, t, y, ends);
}

static inline void ao_decide_sequence(const ao_line *line, uint64_t y, ao_answer *a) {
    const ao_profile *p = &line->profile;
    const ao_format *t = ao_format_of(p->type);
    ao_accept_run(line, &line->run[0], y, a);
    a->sure = 1;
    a->reason = a->verdict == AO_PASS ? "the sequential sum"
                                      : "not what the terms give from the first to the last";
    const int finite = a->any && ao_is_finite(t, ao_of_rank(t, a->ends.low)) &&
                       ao_is_finite(t, ao_of_rank(t, a->ends.high));
    if (p->specials == AO_SPECIALS_ABSENT && (a->nan || !finite)) {
        a->verdict = AO_MAY_OVERFLOW;
        a->reason = "the sum may overflow, and the profile has no infinities";
        return;
    }
    if (p->wider != AO_WIDER_ALLOWED)
        return;
    const ao_ends ends = a->ends;
    for (unsigned i = 1; i < line->runs && !ao_has_special(line); i++)
        ao_accept_run(line, &line->run[i], y, a);
    if (finite)
        ao_accept(a, t, y, ao_as_far(line, t, ends.low, ends.high));
    if (ao_has_special(line))
        ao_accept_infinity(line, t, y, a);
    else
        ao_accept(a, t, y, ao_exact(line, t));
    if (a->verdict == AO_PASS)
        a->reason = "the sequential sum, or a more precise one";
}

/* A NaN or an infinity is among many terms. Only an infinity may become something else: a NaN, if
 * the finite terms of the other sign overflow. */
static inline void ao_decide_special(ao_line *line, uint64_t y, ao_answer *a) {
    const ao_measure *m = ao_measured(line);
    const int nan = line->nan || (line->infinity[0] && line->infinity[1]);
    a->sure = 1;
    a->reason = nan ? "a NaN, or infinities of both signs, give NaN"
                    : "an infinity among the terms gives that infinity";
    a->nan = nan;
    if (nan) {
        a->verdict = ao_is_nan(m->t, y) ? AO_PASS : AO_FAIL;
        return;
    }
    const uint64_t right = m->t->infinity | (line->infinity[1] ? m->t->sign : 0);
    const ao_ends ends = {ao_rank(m->t, right), ao_rank(m->t, right)};
    ao_accept(a, m->t, y, ends);
    if (a->verdict == AO_FAIL && ao_is_nan(m->t, y) &&
        ao_bounded(line)->overflow[line->infinity[0]]) {
        a->verdict = AO_MAY_OVERFLOW;
        a->reason = "the finite terms of the other sign may overflow";
    }
}

/* An output that no interval contains may come from an overflow on the way. */
static inline void ao_consider_overflow(ao_line *line, uint64_t y, ao_answer *a) {
    const ao_format *t = ao_measured(line)->t;
    const int up = ao_bounded(line)->overflow[0], down = ao_bounded(line)->overflow[1];
    int explained = 0;
    if (line->profile.specials == AO_SPECIALS_ABSENT) {
        const int stored = a->any && (!ao_is_finite(t, ao_of_rank(t, a->ends.low)) ||
                                      !ao_is_finite(t, ao_of_rank(t, a->ends.high)));
        if (up || down || stored) {
            a->verdict = AO_MAY_OVERFLOW;
            a->reason = "a sum may overflow, and the profile has no infinities";
        }
        return;
    }
    if (a->verdict == AO_PASS)
        return;
    if (ao_is_nan(t, y))
        explained = up && down;
    else if (!ao_is_finite(t, y))
        explained = y & t->sign ? down : up;
    if (explained) {
        a->verdict = AO_MAY_OVERFLOW;
        a->reason = "an overflow on the way may give this output";
    }
}

static inline void ao_decide_many(ao_line *line, uint64_t y, ao_answer *a) {
    const ao_bound *b = ao_bounded(line);
    for (unsigned i = 0; i < b->count; i++)
        ao_accept(a, ao_measured(line)->t, y, b->ends[i]);
    a->reason = a->verdict == AO_PASS ? "within the bound that every order of additions keeps"
                                      : "beyond the bound that every order of additions keeps";
    ao_consider_overflow(line, y, a);
}

/* What the profile says of an output, but of the sign of a zero. */
static inline void ao_decide_value(ao_line *line, uint64_t y, ao_answer *a) {
    const ao_profile *p = &line->profile;
    const ao_format *t = ao_format_of(p->type);
    memset(a, 0, sizeof *a);
    a->verdict = AO_FAIL;
    if (p->specials == AO_SPECIALS_ABSENT && ao_has_special(line)) {
        a->verdict = AO_MAY_OVERFLOW;
        a->reason = "a term is infinite or NaN, and the profile has no such values";
        return;
    }
    const uint64_t few = p->room ? AO_FEW_MOST : AO_FEW;
    if (line->nonzero > few || !ao_decide_few(line, y, a)) {
        memset(a, 0, sizeof *a);
        a->verdict = AO_FAIL;
        if (p->order == AO_ORDER_SEQUENTIAL)
            ao_decide_sequence(line, y, a);
        else if (ao_has_special(line))
            ao_decide_special(line, y, a);
        else
            ao_decide_many(line, y, a);
    }
    if (a->verdict == AO_PASS && p->flush_results == AO_FLUSH_MUST && line->terms > 1 &&
        ao_is_subnormal(t, y)) {
        a->verdict = AO_FAIL;
        a->reason = "a subnormal output, which the profile flushes";
    }
}

/* The verdict on an output of floating-point terms, without doubt. */
static inline void ao_decide(ao_line *line, uint64_t y, ao_answer *a) {
    ao_decide_value(line, y, a);
    if (line->profile.strict_zero && y == ao_format_of(line->profile.type)->sign) {
        a->verdict = AO_FAIL;
        a->reason = "-0, and no output may be -0";
    }
}

/*
 * Doubt. The bound of many terms is so wide that a scan with a lost carry may keep it. What some
 * order may give, and yet no scan that is known gives, is suspect. With the error e = y - S, the
 * range R of the prefix sums, and the unit error v of an addition:
 *
 * - A scan adds neighbours, so that |e| <= R ((1 + v)^r - 1).
 * - Outputs next to each other share nearly all their additions, so that e grows by at most
 *   16 v R bits(m) from one to the next; by 256 v R bits(m) where jumps come at a regular distance.
 * - Where r v >= 1/4, nearly everything is within the bounds. There |e| is at most
 *   2 ceil(log2 m) v A, what a balanced tree gives twice over.
 *
 * A sum that stops at the greatest number keeps to none of these, so that nothing is said where one
 * may.
 */

/* The errors of the sums that are stored as y, in half quanta. */
static inline void ao_errors(const ao_line *line, const ao_measure *m, uint64_t y, ao_signed *low,
                             ao_signed *high) {
    uint32_t shift;
    const uint64_t value = ao_unpack(m->t, y, &shift);
    const ao_rounding rounding = line->profile.rounding;
    ao_signed number, *ends[2] = {low, high};
    number.negative = (y & m->t->sign) != 0;
    ao_clear(&number.size);
    ao_add_bits(&number.size, value, shift);
    ao_signed_sum(&number, &number, &line->sum, 1);
    ao_shift_up(&number.size, 1);
    ao_signed_copy(low, &number);
    ao_signed_copy(high, &number);
    if (m->f == m->t)
        return;
    /* The gap to the next number is 2^shift quanta, and half of that below a power of two. */
    const int smaller = shift > 0 && (value & (value - 1)) == 0;
    const uint32_t away = rounding == AO_NEAREST ? shift : shift + 1;
    const uint32_t towards = away - (uint32_t)smaller;
    for (int i = 0; i < 2; i++) {
        const int outward = i == !(y & m->t->sign);
        const int same = rounding == AO_TOWARD_ZERO && !outward && value;
        ao_signed gap;
        ao_clear(&gap.size);
        ao_add_bits(&gap.size, same ? 0 : 1, outward ? away : towards);
        gap.negative = i == 0;
        ao_signed_sum(ends[i], ends[i], &gap, 0);
    }
}

/* How far an interval is from 0. */
static inline void ao_least_error(const ao_signed *low, const ao_signed *high, ao_big *to) {
    ao_clear(to);
    if (!low->negative)
        ao_copy(to, &low->size);
    else if (high->negative)
        ao_copy(to, &high->size);
}

/* ceil(1.5 r v): (1 + v)^r is at most 2 to this power. */
static inline uint64_t ao_doublings(const ao_measure *m) {
    const uint32_t p = (uint32_t)m->f->precision;
    return (3 * m->twice * m->r + ((uint64_t)2 << p) - 1) >> (p + 1);
}

/* x, less what flushing explains: each place grows by at most (1 + v)^r, which is below 3 up to
 * r v = 1. */
static inline void ao_explain(const ao_measure *m, ao_big *x) {
    ao_big explained;
    if (!m->flushes)
        return;
    ao_copy(&explained, &m->lost);
    if (m->twice * m->r <= (uint64_t)1 << m->f->precision) {
        ao_multiply(&explained, 6); /* half quanta */
    } else if (ao_doublings(m) <= m->top) {
        ao_shift_up(&explained, (uint32_t)ao_doublings(m) + 1);
    } else { /* beyond all numbers */
        ao_clear(x);
        return;
    }
    if (ao_difference_of(x, x, &explained))
        ao_clear(x);
}

/* Is the error within that of a sum of neighbours? */
static inline int ao_neighbours_may(const ao_measure *m, const ao_big *distance) {
    const uint32_t p = (uint32_t)m->f->precision;
    const uint64_t k = m->twice * m->r, one = (uint64_t)1 << p;
    ao_big error, bound;
    ao_copy(&error, distance);
    ao_copy(&bound, &m->range);
    ao_shift_up(&bound, 1); /* half quanta */
    if (k > one)
        return ao_length(&error) < ao_length(&bound) + ao_doublings(m);
    ao_shift_up(&error, p);
    ao_multiply(&bound, k);
    if (ao_compare(&error, &bound) <= 0)
        return 1;
    ao_copy(&bound, &m->range);
    ao_shift_up(&bound, 1);
    ao_copy(&error, distance);
    ao_shift_up(&error, ao_compound(m, m->r, &bound));
    return ao_compare(&error, &bound) <= 0;
}

/* May sums of terms that make up this much stop at the greatest number? */
static inline int ao_may_stop(const ao_line *line, const ao_measure *m, const ao_big *sum) {
    const uint32_t p = (uint32_t)m->f->precision;
    ao_big most, grown, exact;
    if (line->profile.rounding == AO_NEAREST)
        return 0;
    ao_copy(&exact, sum);
    ao_copy(&grown, sum);
    const uint32_t scale = ao_compound(m, m->r, &grown);
    if (scale == 0)
        return ao_length(sum) + ao_doublings(m) > m->top;
    ao_clear(&most);
    ao_add_bits(&most, ((uint64_t)1 << p) - 1, m->top - p);
    ao_shift_up(&most, scale);
    ao_shift_up(&exact, scale);
    ao_sum_of(&grown, &grown, &exact);
    return ao_compare(&grown, &most) >= 0;
}

/* Is the error at most `factor` times v times this sum? */
static inline int ao_within_units(const ao_measure *m, const ao_big *distance, uint64_t factor,
                                  const ao_big *sum) {
    ao_big error, bound;
    ao_copy(&error, distance);
    ao_shift_up(&error, (uint32_t)m->f->precision);
    ao_copy(&bound, sum);
    ao_multiply(&bound, 2 * m->twice * factor); /* half quanta */
    return ao_compare(&error, &bound) <= 0;
}

/* Do the jumps of the line come at a regular distance? */
static inline int ao_has_seams(const ao_line *line) {
    if (line->jumps < 3 || line->jump_distance < 2 || line->first_jump > 2 * line->jump_distance)
        return 0;
    return (line->last_jump - line->first_jump) / line->jump_distance + 1 <= 2 * line->jumps;
}

static inline void ao_count_jump(ao_line *line) {
    if (line->jumps++) {
        uint64_t a = line->jump_distance, b = line->terms - line->last_jump;
        while (b) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        line->jump_distance = a;
    } else {
        line->first_jump = line->terms;
    }
    line->last_jump = line->terms;
}

/* Does the error grow by more than it may? */
static inline int ao_jumps(ao_line *line, const ao_measure *m, const ao_signed error[2],
                           const ao_big *distance) {
    const uint64_t bits = ao_length_of(line->terms);
    ao_big before, jump;
    ao_signed up, down;
    ao_least_error(&line->before[0], &line->before[1], &before);
    if (ao_compare(distance, &before) <= 0)
        return 0;
    ao_signed_sum(&up, &error[0], &line->before[1], 1);
    ao_signed_sum(&down, &line->before[0], &error[1], 1);
    ao_clear(&jump);
    if (!up.negative)
        ao_copy(&jump, &up.size);
    else if (!down.negative)
        ao_copy(&jump, &down.size);
    ao_explain(m, &jump);
    if (ao_within_units(m, &jump, 16 * bits, &m->range))
        return 0;
    if (line->terms != line->last_jump) /* not yet counted */
        ao_count_jump(line);
    return !ao_has_seams(line) || !ao_within_units(m, &jump, 256 * bits, &m->range);
}

/* Why is an output of floating-point terms suspect? NULL: it is not. Remembers its error. */
static inline const char *ao_doubt(ao_line *line, uint64_t y, int scan) {
    const ao_measure *m = ao_measured(line);
    const uint64_t m_terms = line->terms;
    const int had_before =
        line->has_before && (m_terms == line->before_terms || m_terms == line->before_terms + 1);
    const char *reason = NULL;
    int unknown = 0;
    ao_signed error[2];
    line->has_before = 0;
    if (ao_has_special(line) || !ao_is_finite(m->t, y))
        return NULL;
    ao_errors(line, m, y, &error[0], &error[1]);
    if (m->r > 0 && ao_length(&m->range) > 0 && !ao_may_stop(line, m, scan ? &m->range : &m->all)) {
        ao_big distance, least;
        ao_least_error(&error[0], &error[1], &distance);
        ao_copy(&least, &distance);
        ao_explain(m, &least);
        const uint64_t levels = m_terms > 1 ? ao_length_of(m_terms - 1) : 0;
        unknown = m->r >= ((uint64_t)1 << m->f->precision) / 4 / m->twice &&
                  !ao_within_units(m, &least, 2 * levels, &m->all);
        if (scan && !ao_neighbours_may(m, &least))
            reason = "no sum of neighbours, in any order, and a scan adds neighbours";
        else if (unknown)
            reason = "the bound says nothing of so many terms, and no balanced tree is as far off";
        if (scan && had_before && !line->was_unknown && !unknown &&
            ao_jumps(line, m, error, &distance) && !reason)
            reason = "the error jumps from the output before";
    }
    line->has_before = 1;
    line->before_terms = m_terms;
    line->was_unknown = unknown;
    ao_signed_copy(&line->before[0], &error[0]);
    ao_signed_copy(&line->before[1], &error[1]);
    return reason;
}

/* Is the output the sequential sum? */
static inline int ao_is_sequential(const ao_line *line, uint64_t y) {
    const ao_run *run = &line->run[0];
    const ao_format *t = ao_format_of(line->profile.type), *f = ao_format_of(run->accumulator);
    uint64_t stored[2] = {run->low, run->low};
    if (run->low != run->high || run->may_be_nan || ao_is_nan(t, y))
        return run->is_nan && ao_is_nan(t, y);
    const unsigned count = f == t ? 1 : ao_convert(t, f, run->low, line->profile.rounding, stored);
    return count == 1 && ao_rank(t, stored[0]) == ao_rank(t, y);
}

static inline uint64_t ao_type_mask(ao_type type) {
    static const int bits[12] = {64, 32, 16, 16, 8, 8, 16, 16, 32, 32, 64, 64};
    return UINT64_MAX >> (64 - bits[type]);
}

static inline ao_verdict ao_judge_as(ao_line *line, uint64_t y, int scan) {
    ao_answer a;
    line->has_asked = 0;
    if (line->error)
        return AO_FAIL;
    y &= ao_type_mask(line->profile.type);
    if (!ao_is_float(line->profile.type)) {
        const int right = y == (line->integer & ao_type_mask(line->profile.type));
        line->reason = right ? "the sum of integers" : "not the sum of integers, which wraps";
        return right ? AO_PASS : AO_FAIL;
    }
    ao_decide(line, y, &a);
    line->reason = a.reason;
    if (line->profile.order == AO_ORDER_SEQUENTIAL)
        return a.verdict;
    const int sequential = ao_is_sequential(line, y);
    line->in_sequence &= sequential;
    const char *doubt = ao_doubt(line, y, scan);
    if (a.verdict != AO_PASS || !doubt || line->nonzero <= AO_FEW ||
        (scan ? line->in_sequence : sequential))
        return a.verdict;
    line->reason = doubt;
    return AO_SUSPECT;
}

/* Judges an output of a scan: the sum of the terms that have been added. Bits above the type's
 * width are ignored. Judge the outputs of a line in order; those that are left out are not compared
 * with the next ones. */
static inline ao_verdict ao_judge(ao_line *line, uint64_t output) {
    return ao_judge_as(line, output, 1);
}

/* Judges the sum of a line. Unlike a scan it may permute its terms, so that fewer outputs are
 * suspect. Many outputs may be judged: the bound is worked out once, and so is the verdict on an
 * output that is asked for again. */
static inline ao_verdict ao_judge_sum(ao_line *line, uint64_t output) {
    if (line->has_asked && line->asked == output)
        return line->answered;
    line->answered = ao_judge_as(line, output, 0);
    line->asked = output;
    line->has_asked = 1;
    return line->answered;
}

/* Does a test fail for this verdict? The profile promises nothing of what may overflow. */
static inline int ao_is_wrong(ao_verdict verdict) {
    return verdict == AO_FAIL || verdict == AO_SUSPECT;
}

/* "PASS", "FAIL", "SUSPECT" or "MAY_OVERFLOW". */
static inline const char *ao_verdict_name(ao_verdict verdict) {
    static const char *const names[4] = {"PASS", "FAIL", "SUSPECT", "MAY_OVERFLOW"};
    return names[verdict];
}

/* Why the last verdict is what it is. */
static inline const char *ao_reason(const ao_line *line) {
    return line->reason;
}

/* The least and the greatest output that passes, whether suspect or not; both the same NaN where
 * only NaN passes. Returns 0 if the profile is wrong or nothing is known of the line. */
static inline int ao_range(ao_line *line, uint64_t *low, uint64_t *high) {
    const ao_format *t;
    ao_answer a;
    *low = *high = 0;
    if (line->error)
        return 0;
    if (!ao_is_float(line->profile.type)) {
        *low = *high = line->integer & ao_type_mask(line->profile.type);
        return 1;
    }
    t = ao_format_of(line->profile.type);
    ao_decide(line, 0, &a);
    if (!a.any && !a.nan)
        return 0;
    *low = a.any ? ao_of_rank(t, a.ends.low) : ao_quiet_nan(t);
    *high = a.any ? ao_of_rank(t, a.ends.high) : ao_quiet_nan(t);
    return 1;
}

/*
 * Bits of numbers, for ao_add and the like, and numbers of bits. These are right for either order
 * of bytes; a copy of an element's bytes into a uint64_t is not.
 */

static inline uint64_t ao_from_double(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ao_to_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t ao_from_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float ao_to_float(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float x;
    memcpy(&x, &low, sizeof x);
    return x;
}

/* FLOAT16 and BFLOAT16, which programs keep as 16 bits. */
static inline uint64_t ao_from_half(uint16_t half) {
    return half;
}

static inline uint16_t ao_to_half(uint64_t bits) {
    return (uint16_t)bits;
}

/* The bits of a number, rounded to nearest in a floating-point type. */
static inline uint64_t ao_bits(ao_type type, double x) {
    const ao_format *t = ao_format_of(type), *wide = ao_format_of(AO_FLOAT64);
    const uint64_t bits = ao_from_double(x);
    uint64_t size[2];
    ao_convert(t, wide, ao_magnitude(wide, bits), AO_NEAREST, size);
    return size[0] | (bits & wide->sign ? t->sign : 0);
}

/* The number that bits of a floating-point type are, for messages. */
static inline double ao_value(ao_type type, uint64_t bits) {
    const ao_format *t = ao_format_of(type), *wide = ao_format_of(AO_FLOAT64);
    const uint64_t size = ao_widen(wide, t, bits & (t->sign - 1));
    return ao_to_double(size | (bits & t->sign ? wide->sign : 0));
}

/*
 * The profiles of specifications. Change a member to follow an option of a device or compiler. What
 * each rests on is in anyorder/README.md.
 */

static inline ao_profile ao_ieee(ao_type type) {
    ao_profile p;
    memset(&p, 0, sizeof p);
    p.type = p.accumulator = type;
    return p;
}

/* CUDA C++: IEEE 754 additions; with -ftz=true set both flush members of FLOAT32 to AO_FLUSH_MUST.
 */
static inline ao_profile ao_cuda(ao_type type) {
    return ao_ieee(type);
}

/* HLSL and Direct3D 12: FLOAT32 flushes, unless the denorm mode says otherwise. */
static inline ao_profile ao_hlsl(ao_type type) {
    ao_profile p = ao_ieee(type);
    if (type == AO_FLOAT32)
        p.flush_inputs = p.flush_results = AO_FLUSH_MUST;
    return p;
}

/* SYCL 2020: scans add neighbours. For a reduction set the order to AO_ORDER_ANY. */
static inline ao_profile ao_sycl(ao_type type) {
    ao_profile p = ao_ieee(type);
    p.order = AO_ORDER_CONTIGUOUS;
    return p;
}

/* OpenCL C. A device whose half or embedded FLOAT32 truncates: set the rounding. */
static inline ao_profile ao_opencl(ao_type type) {
    ao_profile p = ao_ieee(type);
    if (type == AO_FLOAT32 || type == AO_FLOAT16)
        p.flush_inputs = p.flush_results = AO_FLUSH_MAY;
    if (ao_is_float(type))
        p.wider = AO_WIDER_ALLOWED;
    return p;
}

/* WGSL: either neighbour, flushing at will, and a program may assume that no value is special. */
static inline ao_profile ao_wgsl(ao_type type) {
    ao_profile p = ao_ieee(type);
    if (ao_is_float(type)) {
        p.rounding = AO_EITHER;
        p.flush_inputs = p.flush_results = AO_FLUSH_MAY;
        p.specials = AO_SPECIALS_ABSENT;
        p.wider = AO_WIDER_ALLOWED;
    }
    return p;
}

/* Vulkan: the same; with the execution modes RoundingModeRTE, RoundingModeRTZ, DenormPreserve or
 * SignedZeroInfNanPreserve set rounding, flush members or specials. */
static inline ao_profile ao_vulkan(ao_type type) {
    return ao_wgsl(type);
}

#endif
