/* SPDX-License-Identifier: MIT */
/* Integers whose sums wrap and carry. */
#include "data_element.h"

static uint64_t random_bits(const data_place *place) {
    return (uint64_t)place->words[1] << 32 | place->words[0];
}

uint64_t data_full_range(const data_place *place) {
    return random_bits(place);
}

/* The low 16 bits are all but full: every addition carries out of them. */
uint64_t data_carry_16(const data_place *place) {
    return random_bits(place) | 0xFF00;
}

/* The low word is all but full: every addition carries into the high one. */
uint64_t data_carry_32(const data_place *place) {
    return random_bits(place) | 0xFFFFFF00;
}

/* The ends of the range, signed and unsigned, and what leads over them. */
uint64_t data_extremes(const data_place *place) {
    bool wide = cumsum_data_type_size(place->type) == 8;
    uint64_t least = UINT64_C(1) << (wide ? 63 : 31); /* as a signed number */
    const uint64_t values[8] = {least, least - 1, UINT64_MAX, 1, 0, least + 1, 2, UINT64_MAX - 1};
    return values[place->words[0] % 8];
}
