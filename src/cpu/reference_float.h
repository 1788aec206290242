/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_FLOAT_H
#define CUMSUM_CPU_REFERENCE_FLOAT_H

/*
 * What the sequential and the blocked order of the reference share: loading, adding and storing of
 * FLOAT32 and FLOAT16, as docs/numerics.md defines them.
 *
 * Invariant: a tally is always held in a float. With a FLOAT16 accumulator that float always holds
 * a binary16 value.
 */

#include "reference.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float: on x86 of 32 bits, compile with -msse2 -mfpmath=sse"
#endif

/* A subnormal becomes a zero of its sign. On the bits, since a comparison of floats would depend on
 * the processor's flush mode. */
REFERENCE_INLINE float reference_flush(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7F800000u) == 0)
        bits &= 0x80000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

REFERENCE_INLINE bool reference_is_half(cumsum_arithmetic rules) {
    return rules.type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* The option `denormals` applies to FLOAT32 alone: binary16 subnormals are always kept. */
REFERENCE_INLINE bool reference_flushes(cumsum_arithmetic rules) {
    return !reference_is_half(rules) && rules.numerics.denormals == CUMSUM_DENORMALS_FLUSH;
}

REFERENCE_INLINE bool reference_adds_halves(cumsum_arithmetic rules) {
    return reference_is_half(rules) &&
           rules.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

/* The element at an address. */
REFERENCE_INLINE float reference_load(const unsigned char *address, cumsum_arithmetic rules) {
    if (reference_is_half(rules)) {
        uint16_t half;
        memcpy(&half, address, sizeof half);
        return cumsum_half_to_float(half);
    }
    float value;
    memcpy(&value, address, sizeof value);
    return reference_flushes(rules) ? reference_flush(value) : value;
}

/*
 * fl(a + b) in the accumulator's format.
 *
 * A binary16 sum is the binary32 sum rounded once more. The second rounding does no harm: binary32
 * has 24 significant bits, and 2p + 2 = 24 for the p = 11 of binary16. With that many, the exact
 * sum of two p-bit numbers is either held by binary32 or so far from every midpoint of binary16
 * that rounding to 24 bits first cannot move it onto or across one (Figueroa 1995). The same holds
 * where the result is a binary16 subnormal: then the sum is a small multiple of 2^-24 and exact.
 */
REFERENCE_INLINE float reference_add(float a, float b, cumsum_arithmetic rules) {
    const float sum = a + b;
    if (reference_adds_halves(rules))
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    return reference_flushes(rules) ? reference_flush(sum) : sum;
}

/* Stores a tally as an output. The rounding of the store is never read back into the tally. */
REFERENCE_INLINE void reference_store(unsigned char *address, float tally,
                                      cumsum_arithmetic rules) {
    if (reference_is_half(rules)) {
        /* A binary16 tally is stored as it is: IEEE's conversion is exact then. */
        const cumsum_half_store store =
            reference_adds_halves(rules) ? CUMSUM_HALF_STORE_IEEE : rules.numerics.half_store;
        const uint16_t half = cumsum_half_from_float(tally, store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &tally, sizeof tally);
    }
}

#endif
