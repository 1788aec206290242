/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_WIDE_H
#define CUMSUM_ORACLE_WIDE_H

/*
 * Signed integers of 384 or 2240 bits in two's complement. They serve as fixed-point accumulators
 * in the sense of Kulisch ("Computer Arithmetic and Validity", 2008): one long integer covers the
 * whole exponent range of a format, so a sum of its numbers is never rounded and does not depend on
 * the order of additions.
 *
 * The width is enough for every quantity that the rules of docs/oracle.md compute. The longest is
 * a sum in units of the format's quantum: 277 bits for a term of binary32, 40 more for 2^40 terms,
 * and 25 to 42 more where a bound is multiplied by a count of terms or scaled by 2/u. That makes
 * 359 bits and a sign. For binary64 it is 2098, 40 and 54: 2192 bits and a sign.
 *
 * Invariants: no operation here checks for overflow; the callers keep within the width above. Both
 * operands of an operation are equally wide.
 */

#include <stdbool.h>
#include <stdint.h>

#include "bit_scan.h"

#define WIDE_MOST_LIMBS 35

typedef struct wide {
    unsigned limbs;
    uint64_t
        limb[WIDE_MOST_LIMBS]; /* least significant first; those from `limbs` on mean nothing */
} wide;

static inline wide wide_zero(unsigned limbs) {
    wide zero;
    zero.limbs = limbs;
    for (unsigned i = 0; i < limbs; i++)
        zero.limb[i] = 0;
    return zero;
}

static inline bool wide_is_negative(const wide *a) {
    return (a->limb[a->limbs - 1] >> 63) != 0;
}

static inline bool wide_is_zero(const wide *a) {
    uint64_t any = 0;
    for (unsigned i = 0; i < a->limbs; i++)
        any |= a->limb[i];
    return any == 0;
}

/* A small number, as wide as another one. */
static inline wide wide_from_u64(const wide *like, uint64_t value) {
    wide small = wide_zero(like->limbs);
    small.limb[0] = value;
    return small;
}

static inline wide wide_add(const wide *a, const wide *b) {
    wide sum;
    uint64_t carry = 0;
    sum.limbs = a->limbs;
    for (unsigned i = 0; i < a->limbs; i++) {
        uint64_t t = a->limb[i] + carry;
        carry = t < carry;
        sum.limb[i] = t + b->limb[i];
        carry += sum.limb[i] < t;
    }
    return sum;
}

static inline wide wide_negate(const wide *a) {
    wide result;
    uint64_t carry = 1;
    result.limbs = a->limbs;
    for (unsigned i = 0; i < a->limbs; i++) {
        result.limb[i] = ~a->limb[i] + carry;
        carry = carry && result.limb[i] == 0;
    }
    return result;
}

static inline wide wide_sub(const wide *a, const wide *b) {
    wide minus_b = wide_negate(b);
    return wide_add(a, &minus_b);
}

static inline wide wide_abs(const wide *a) {
    return wide_is_negative(a) ? wide_negate(a) : *a;
}

/* a += value << shift, or -= where negative. The result of the shift is below the limbs' end.
 * Carries run up from the limb that is hit; they rarely run far. */
static inline void wide_accumulate(wide *a, uint64_t value, unsigned shift, bool negative) {
    unsigned index = shift / 64, bits = shift % 64;
    uint64_t low = value << bits;
    uint64_t high = bits ? value >> (64 - bits) : 0;
    if (negative) {
        uint64_t before = a->limb[index];
        a->limb[index] = before - low;
        uint64_t borrow = before < low;
        for (index++; index < a->limbs && (high | borrow); index++) {
            before = a->limb[index];
            uint64_t t = before - high;
            uint64_t next = before < high;
            a->limb[index] = t - borrow;
            borrow = next + (t < borrow);
            high = 0;
        }
    } else {
        a->limb[index] += low;
        uint64_t carry = a->limb[index] < low;
        for (index++; index < a->limbs && (high | carry); index++) {
            uint64_t t = a->limb[index] + high;
            uint64_t next = t < high;
            a->limb[index] = t + carry;
            carry = next + (a->limb[index] < t);
            high = 0;
        }
    }
}

static inline wide wide_shift_left(const wide *a, unsigned shift) {
    wide result;
    result.limbs = a->limbs;
    unsigned limbs = shift / 64, bits = shift % 64;
    for (unsigned i = a->limbs; i-- > 0;) {
        uint64_t high = i >= limbs ? a->limb[i - limbs] : 0;
        uint64_t low = bits && i > limbs ? a->limb[i - limbs - 1] >> (64 - bits) : 0;
        result.limb[i] = (high << bits) | low;
    }
    return result;
}

/* a * factor for a >= 0 and a factor below 2^32, in halves of limbs: no 128-bit type is needed. A
 * product of halves is at most (2^32 - 1)^2, so it has room for two more halves. */
static inline wide wide_multiply_half(const wide *a, uint64_t factor) {
    wide result;
    uint64_t carry = 0; /* below 2^32 */
    result.limbs = a->limbs;
    for (unsigned i = 0; i < a->limbs; i++) {
        uint64_t low = (a->limb[i] & 0xFFFFFFFFu) * factor + carry;
        uint64_t middle = (a->limb[i] >> 32) * factor + (low >> 32);
        result.limb[i] = (middle << 32) | (low & 0xFFFFFFFFu);
        carry = middle >> 32;
    }
    return result;
}

/* a * factor for a >= 0. */
static inline wide wide_multiply(const wide *a, uint64_t factor) {
    const wide low = wide_multiply_half(a, factor & 0xFFFFFFFFu);
    if (!(factor >> 32))
        return low;
    wide high = wide_multiply_half(a, factor >> 32);
    high = wide_shift_left(&high, 32);
    return wide_add(&low, &high);
}

/* -1, 0 or 1 as a is less than, equal to or greater than b. Both >= 0. */
static inline int wide_compare(const wide *a, const wide *b) {
    for (unsigned i = a->limbs; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The position of the highest set bit, counted from 1; 0 for 0. */
static inline unsigned bits_of_count(uint64_t value) {
    return value ? cumsum_highest_bit(value) + 1 : 0;
}

/* The same of a >= 0. */
static inline unsigned wide_bit_length(const wide *a) {
    for (unsigned i = a->limbs; i-- > 0;)
        if (a->limb[i])
            return 64 * i + bits_of_count(a->limb[i]);
    return 0;
}

/* Is any bit below `index` set? */
static inline bool wide_any_below(const wide *a, unsigned index) {
    for (unsigned i = 0; i < index / 64; i++)
        if (a->limb[i])
            return true;
    return index % 64 && (a->limb[index / 64] << (64 - index % 64)) != 0;
}

/* The 64 bits from `index` on. */
static inline uint64_t wide_bits_from(const wide *a, unsigned index) {
    unsigned limb = index / 64, bits = index % 64;
    uint64_t low = a->limb[limb] >> bits;
    uint64_t high = bits && limb + 1 < a->limbs ? a->limb[limb + 1] << (64 - bits) : 0;
    return low | high;
}

/* a / 2^shift for a >= 0, rounded up. */
static inline wide wide_shift_right_up(const wide *a, unsigned shift) {
    wide result;
    const wide up = wide_from_u64(a, wide_any_below(a, shift));
    result.limbs = a->limbs;
    for (unsigned i = 0; i < a->limbs; i++)
        result.limb[i] = 64 * i + shift < 64 * a->limbs ? wide_bits_from(a, 64 * i + shift) : 0;
    return wide_add(&result, &up);
}

#endif
