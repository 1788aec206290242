/* SPDX-License-Identifier: MIT */
/* Values that every type has: small integers, whose sums are exact in every order of additions, so
 * that a wrong element shows without any tolerance. */
#include <string.h>

#include "data_element.h"

uint64_t data_bits(const data_place *place, double value) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    switch (place->type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return bits;
    case CUMSUM_DATA_TYPE_FLOAT16:
        return cumsum_half_from_float(narrow, CUMSUM_HALF_STORE_IEEE);
    default:
        return (uint64_t)(int64_t)value;
    }
}

uint64_t data_ones(const data_place *place) {
    return data_bits(place, 1);
}

uint64_t data_mask(const data_place *place) {
    return data_bits(place, place->words[0] >> 31);
}

/* -8 to 8. */
uint64_t data_small_integers(const data_place *place) {
    return data_bits(place, (double)(place->words[0] % 17) - 8);
}

/* 1, -1, 2, -2, ... 31, -31, 1, -1: every second sum is 0. */
uint64_t data_alternating(const data_place *place) {
    double size = 1 + (double)(place->k / 2 % 31);
    return data_bits(place, place->k % 2 ? -size : size);
}
