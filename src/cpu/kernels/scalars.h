/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_SCALARS_H
#define CUMSUM_CPU_SCALARS_H

/*
 * Single floats by the rules of docs/numerics.md for each kind, in plain C, for all instruction
 * sets.
 */

#include "kernel_kind.h"

#include <string.h>

/* Elements of a block and of a tile of the blocked order (docs/numerics.md). Integers and strided
 * lines are taken in the same pieces. */
enum {
    LINE_BLOCK = (int)CUMSUM_BLOCK,
    LINE_TILE = (int)CUMSUM_TILE
};

KERNEL_INLINE uint32_t float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

KERNEL_INLINE float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * round_f16 of one float, in a third of the time that the conversions there and back take. From
 * 2^-14 (0x38800000) on, adding half of the last place that is kept rounds the encoding, less one
 * if that place is even already; 65536 (0x47800000) and more is infinite, and NaN stays. Below, the
 * places that are kept are those above 2^-24, which is what binary32 has at 0.5.
 */
KERNEL_INLINE float round_scalar_f16(float value) {
    const uint32_t magnitude = float_bits(value) & 0x7FFFFFFFu;
    const uint32_t sign = float_bits(value) & 0x80000000u;
    if (magnitude > 0x7F800000u)
        return value;
    if (magnitude < 0x38800000u)
        return float_of_bits(sign | float_bits(float_of_bits(magnitude) + 0.5f - 0.5f));
    const uint32_t rounded = (magnitude + 0xFFF + (magnitude >> 13 & 1)) & ~0x1FFFu;
    return float_of_bits(sign | (rounded >= 0x47800000u ? 0x7F800000u : rounded));
}

/* A single element of FLOAT32 as load_elements32 has it, and a single sum: zeros and subnormals,
 * which have no exponent bits, keep their sign only. */
KERNEL_INLINE float flush_scalar(kernel_kind kind, float value) {
    if (kind == KIND_F32_FLUSH && !(float_bits(value) & 0x7F800000u))
        return float_of_bits(float_bits(value) & 0x80000000u);
    return value;
}

/* add_elements32 of a single pair of floats, in plain C, since a vector would have to be built and
 * taken apart. */
KERNEL_INLINE float add_scalars(kernel_kind kind, float a, float b) {
    const float sum = a + b;
    return kind == KIND_F16_NARROW ? round_scalar_f16(sum) : flush_scalar(kind, sum);
}

/* An element as load_elements32 has it, and a sum as it is stored. */
KERNEL_INLINE float load_float(kernel_kind kind, const unsigned char *address) {
    uint16_t half;
    float value;
    if (is_half(kind)) {
        memcpy(&half, address, sizeof half);
        return cumsum_half_to_float(half);
    }
    memcpy(&value, address, sizeof value);
    return flush_scalar(kind, value);
}

KERNEL_INLINE void store_float(kernel_kind kind, cumsum_half_store store, unsigned char *address,
                               float value) {
    if (is_half(kind)) {
        const uint16_t half = cumsum_half_from_float(value, store);
        memcpy(address, &half, sizeof half);
    } else {
        memcpy(address, &value, sizeof value);
    }
}

/* Integers of 4 or 8 bytes, unsigned. */
KERNEL_INLINE uint64_t load_integer(const void *address, size_t size) {
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (size == sizeof wide)
        memcpy(&wide, address, sizeof wide);
    else
        memcpy(&narrow, address, sizeof narrow);
    return wide + narrow;
}

KERNEL_INLINE void store_integer(void *address, size_t size, uint64_t value) {
    const uint32_t narrow = (uint32_t)value;
    if (size == sizeof value)
        memcpy(address, &value, sizeof value);
    else
        memcpy(address, &narrow, sizeof narrow);
}

#endif
