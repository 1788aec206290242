/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_REFERENCE_FLOAT_H
#define CUMSUM_CPU_REFERENCE_FLOAT_H

/*
 * Loading, adding and storing of the reference for FLOAT32 and FLOAT16. A tally is always held in a
 * float; with a FLOAT16 accumulator the float always holds a binary16 value.
 */

#include "reference.h"

#include "compiler.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float: on x86 of 32 bits, compile with -msse2 -mfpmath=sse"
#endif

/* Compiled where it is called, with what is constant there. */
#define REFERENCE_INLINE CUMSUM_ALWAYS_INLINE

/* A subnormal becomes a zero of its sign. By bits: a comparison would obey the flush mode. */
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

/* `denormals` concerns FLOAT32 alone: binary16 subnormals are always kept. */
REFERENCE_INLINE bool reference_flushes(cumsum_arithmetic rules) {
    return !reference_is_half(rules) && rules.numerics.denormals == CUMSUM_DENORMALS_FLUSH;
}

REFERENCE_INLINE bool reference_adds_halves(cumsum_arithmetic rules) {
    return reference_is_half(rules) &&
           rules.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

/* x[k], `address` being where it lies. */
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

/* y[k] := tally. What is stored is never read back into the tally. */
REFERENCE_INLINE void reference_store(unsigned char *address, float tally,
                                      cumsum_arithmetic rules) {
    if (reference_is_half(rules)) {
        /* A binary16 tally is stored as it is; IEEE's conversion is exact there. */
        const cumsum_half_store store =
            reference_adds_halves(rules) ? CUMSUM_HALF_STORE_IEEE : rules.numerics.half_store;
        const uint16_t half = cumsum_half_from_float(tally, store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &tally, sizeof tally);
    }
}

#endif
