/* SPDX-License-Identifier: MIT */
/*
 * FLOAT32 and FLOAT16 in the reference, in the sequential and the blocked order: loading, adding
 * and storing. reference_orders.h has the orders.
 *
 * Invariant: an accumulator is always a float. With FLOAT16 accumulators its value is always one of
 * binary16.
 */
#include "reference.h"

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must round to float: on x86 of 32 bits, compile with -msse2 -mfpmath=sse"
#endif

/* A subnormal becomes a zero of its sign. On the bits, since a comparison of floats would depend on
 * the processor's flush mode. */
REFERENCE_INLINE float flush(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7F800000u) == 0)
        bits &= 0x80000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

REFERENCE_INLINE bool is_half(cumsum_arithmetic rules) {
    return rules.type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* The option `denormals` applies to FLOAT32 alone: binary16 subnormals are always kept. */
REFERENCE_INLINE bool flushes(cumsum_arithmetic rules) {
    return !is_half(rules) && rules.numerics.denormals == CUMSUM_DENORMALS_FLUSH;
}

REFERENCE_INLINE bool adds_halves(cumsum_arithmetic rules) {
    return is_half(rules) && rules.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

/* The element at an address. */
REFERENCE_INLINE float load(const unsigned char *address, cumsum_arithmetic rules) {
    if (is_half(rules)) {
        uint16_t half;
        memcpy(&half, address, sizeof half);
        return cumsum_half_to_float(half);
    }
    float value;
    memcpy(&value, address, sizeof value);
    return flushes(rules) ? flush(value) : value;
}

/*
 * fl(a + b) in the accumulator's format.
 *
 * A binary16 sum is the binary32 sum rounded once more. The second rounding does no harm: binary32
 * has 24 significant bits, and 2p + 2 = 24 for the p = 11 of binary16. With that many, the exact
 * sum of two p-bit numbers is either a binary32 number or so far from every midpoint of binary16
 * that rounding to 24 bits first cannot move it onto or across one (S. Figueroa, "When is double
 * rounding innocuous?", 1995). The same holds if the result is a binary16 subnormal: then the sum
 * is a small multiple of 2^-24 and exact.
 */
REFERENCE_INLINE float add(float a, float b, cumsum_arithmetic rules) {
    const float sum = a + b;
    if (adds_halves(rules))
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    return flushes(rules) ? flush(sum) : sum;
}

/* Stores an accumulator as an output. The rounding of the store is never read back into it. */
REFERENCE_INLINE void store(unsigned char *address, float accumulator, cumsum_arithmetic rules) {
    if (is_half(rules)) {
        /* IEEE's conversion of a binary16 accumulator is exact, so it is stored unchanged. */
        const cumsum_half_store store =
            adds_halves(rules) ? CUMSUM_HALF_STORE_IEEE : rules.numerics.half_store;
        const uint16_t half = cumsum_half_from_float(accumulator, store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &accumulator, sizeof accumulator);
    }
}

typedef float real;
#include "reference_orders.h"

void cumsum_reference_sequential_lines(const cumsum_panel *panel,
                                       const cumsum_arithmetic *arithmetic) {
    if (panel->lines == 1) /* a constant, which lets the accumulator stay in a register */
        sequential_lines(panel, 1, *arithmetic);
    else
        sequential_lines(panel, panel->lines, *arithmetic);
}

void cumsum_reference_blocked_lines(const cumsum_panel *panel,
                                    const cumsum_arithmetic *arithmetic) {
    const bool plain = arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32 &&
                       arithmetic->numerics.denormals == CUMSUM_DENORMALS_PRESERVE;
    if (plain) /* the same with constants, which reduce an addition to one instruction */
        blocked_lines(panel, (cumsum_arithmetic){.type = CUMSUM_DATA_TYPE_FLOAT32,
                                                 .exclusive = arithmetic->exclusive});
    else
        blocked_lines(panel, *arithmetic);
}
