/* SPDX-License-Identifier: MIT */
/* Floating-point data in which additions round. */
#include "data_element.h"
#include "draw.h"

/* 0 up to 1, in steps that the type has everywhere below 1. */
static double unit(const data_place *place) {
    return data_is_half(place) ? (place->words[0] >> 21) * 0x1p-11
                               : (place->words[0] >> 8) * 0x1p-24;
}

uint64_t data_uniform(const data_place *place) {
    return data_bits(place, unit(place));
}

uint64_t data_normal(const data_place *place) {
    return data_bits(place, draw_normal(place->words));
}

/* The exponent is uniform from the least subnormal to where n terms cannot overflow yet. */
uint64_t data_log_uniform(const data_place *place) {
    int least = data_is_half(place) ? -24 : -149;
    int most = data_is_half(place) ? 14 : 126;
    for (uint64_t terms = 1; terms < place->n && most > least + 1; terms *= 2)
        most--;
    double position = ((double)place->words[0] + 0.5) * 0x1p-32;
    double size = draw_exp2(least + position * (most - least));
    return data_bits(place, place->words[1] >> 31 ? -size : size);
}

uint64_t data_tenth(const data_place *place) {
    return data_bits(place, 0.1);
}

/* M, small, -M, small, with M from 2^4 to 2^11 or 2^12 to 2^23: in the end only the small ones are
 * left, of which additions to M have rounded a part away. */
uint64_t data_cancelling(const data_place *place) {
    uint64_t turn = place->k / 4;
    double large = data_is_half(place) ? (double)(16 << turn % 8) : (double)(4096 << turn % 12);
    return place->k % 2 ? data_uniform(place) : data_bits(place, place->k % 4 ? -large : large);
}

/* Around 1.5 * 2^24 (2^11) the type holds even integers only: adding 1 or 3 is a tie. */
uint64_t data_ties(const data_place *place) {
    double step = place->words[0] >> 31 ? 3 : 1;
    double value = place->k == 0 ? 1.5 * data_first_gap(place) : place->k % 2 ? step : -step;
    return data_bits(place, data_sign(place) * value);
}

/* From 8 below the top 31 steps of 1 up, and down again: over the top in every block of 32. */
static uint64_t ladder(const data_place *place, double top) {
    double value = place->k == 0 ? top - 8 : place->k % 32 == 0 ? -31 : 1;
    return data_bits(place, data_sign(place) * value);
}

uint64_t data_ladder_11(const data_place *place) {
    return ladder(place, 0x1p11);
}

uint64_t data_ladder_24(const data_place *place) {
    return ladder(place, 0x1p24);
}

/* A tally of the type's own width never leaves its first element. */
uint64_t data_stagnation(const data_place *place) {
    double value = place->k == 0 ? data_first_gap(place) : 1;
    return data_bits(place, data_sign(place) * value);
}
