/* SPDX-License-Identifier: MIT */
#include "line_data.h"

#include <math.h>

/* SplitMix64's output function: every bit of the counter reaches every bit. */
static uint64_t scramble(uint64_t x) {
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* In [1, 2), of either sign. */
static double wide_number(uint64_t bits) {
    const double value = 1 + ldexp((double)(bits >> 11), -53);
    return bits & 1 ? -value : value;
}

/* 2^-24 steps of binary16 and 2^-149 steps of binary32, around the smallest normal number. */
static double tiny(cumsum_data_type type, uint64_t bits) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? ldexp(wide_number(bits), -13 - (int)(bits >> 1 & 7))
                                            : ldexp(wide_number(bits), -125 - (int)(bits >> 1 & 7));
}

/* Starts at the largest binary16 number, or near binary32's. */
static double huge(cumsum_data_type type, uint32_t at, uint64_t bits) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return at ? fabs(wide_number(bits)) * (bits & 8 ? 2 : -2.25) : 65496;
    return ldexp(wide_number(bits), 126 - (int)(bits >> 1 & 3) - (at > 2 ? 2 : 0));
}

static double element(cumsum_data_type type, uint32_t line, uint32_t at, uint64_t bits) {
    switch (line % 6) {
    case 0:
    case 1:
        return ldexp(wide_number(bits), (int)(bits >> 1 & 7) - 4);
    case 2:
        return fabs(wide_number(bits));
    case 3:
        return tiny(type, bits);
    case 4:
        return huge(type, at, bits);
    default:
        return at % 64 == 63 ? wide_number(bits) : -0.0;
    }
}

void line_data_fill(cumsum_data_type type, uint32_t lines, uint32_t length, uint64_t seed,
                    void *elements) {
    for (uint32_t line = 0; line < lines; line++) {
        for (uint32_t at = 0; at < length; at++) {
            const uint64_t bits = scramble(scramble(seed + line) + at);
            const float value = (float)element(type, line, at, bits);
            const uint64_t i = (uint64_t)line * length + at;
            if (type == CUMSUM_DATA_TYPE_FLOAT16)
                ((uint16_t *)elements)[i] = cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
            else
                ((float *)elements)[i] = value;
        }
    }
}
