/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DATA_ELEMENT_H
#define CUMSUM_TOOLS_DATA_ELEMENT_H

/* The elements of the distributions (distribution.c says what each is), and what they share. */

#include "distribution.h"

static inline bool data_is_half(const data_place *place) {
    return place->type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* 2^11 or 2^24: from here on the type does not hold every integer. */
static inline double data_first_gap(const data_place *place) {
    return data_is_half(place) ? 0x1p11 : 0x1p24;
}

/* Every other line is the negative of what it would be: what rounds or overflows upwards must do it
 * downwards too. */
static inline double data_sign(const data_place *place) {
    return place->line % 2 ? -1 : 1;
}

/* The value, rounded to nearest even, in the type of the place; integers by truncation, modulo
 * their range. */
uint64_t data_bits(const data_place *place, double value);

/* In every type. */
uint64_t data_ones(const data_place *place);
uint64_t data_mask(const data_place *place);
uint64_t data_small_integers(const data_place *place);
uint64_t data_alternating(const data_place *place);

/* In floating point. */
uint64_t data_uniform(const data_place *place);
uint64_t data_normal(const data_place *place);
uint64_t data_log_uniform(const data_place *place);
uint64_t data_tenth(const data_place *place);
uint64_t data_cancelling(const data_place *place);
uint64_t data_ties(const data_place *place);
uint64_t data_ladder_11(const data_place *place);
uint64_t data_ladder_24(const data_place *place);
uint64_t data_stagnation(const data_place *place);
uint64_t data_near_overflow(const data_place *place);
uint64_t data_overflow(const data_place *place);
uint64_t data_overflow_edge(const data_place *place);
uint64_t data_zeros(const data_place *place);
uint64_t data_subnormal(const data_place *place);
uint64_t data_subnormal_sums(const data_place *place);
uint64_t data_nan_poison(const data_place *place);
uint64_t data_infinity_poison(const data_place *place);

/* In integers. */
uint64_t data_full_range(const data_place *place);
uint64_t data_carry_16(const data_place *place);
uint64_t data_carry_32(const data_place *place);
uint64_t data_extremes(const data_place *place);

#endif
