/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_BINARY16_VALUE_H
#define CUMSUM_ORACLE_FAST_BINARY16_VALUE_H

/* Values of FLOAT16 elements, in a way of which compilers make vectors. */

#include <stdint.h>
#include <string.h>

#include "compiler.h"

/* The binary32 number with these bits. */
CUMSUM_ALWAYS_INLINE float binary32_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A finite number of binary16, given by its bits. */
CUMSUM_ALWAYS_INLINE float binary16_value_of(uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFF;
    const float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    const float normal = binary32_of_bits((magnitude << 13) + (UINT32_C(112) << 23));
    const float value = magnitude < 0x400 ? subnormal : normal;
    return bits & 0x8000 ? -value : value;
}

#endif
