/* SPDX-License-Identifier: MIT */
/* Floating-point data at the ends of the range: overflow, subnormals, zeros, NaN and infinity. */
#include <float.h>
#include <math.h>

#include "data_element.h"
#include "draw.h"

static double largest(const data_place *place) {
    return data_is_half(place) ? 65504 : FLT_MAX;
}

/* m, -m, -m', m', with m from half the largest number up to it: one after the other they never
 * overflow, and where two of a sign meet first, they do. */
uint64_t data_near_overflow(const data_place *place) {
    double size = largest(place) * (double)(17 + place->k / 2 % 16) / 32;
    uint64_t turn = place->k % 4;
    return data_bits(place, data_sign(place) * (turn == 1 || turn == 2 ? -size : size));
}

/* Up twice, down twice, four ones; of four lines the first, and downwards the third. Other lines go
 * nowhere near. 60000 is a binary16 number. */
uint64_t data_overflow(const data_place *place) {
    double size = data_is_half(place) ? 60000 : 0x1p127;
    double sign = place->line % 4 ? -1 : 1;
    uint64_t turn = place->k % 8;
    bool one = place->line % 2 || turn >= 4;
    return data_bits(place, one ? 1 : turn < 2 ? sign * size : -sign * size);
}

/* From the largest number 31 steps of a sixteenth of its unit in the last place up, or of a
 * thirty-second in binary16, and down again: over what still rounds to it and what does not. */
uint64_t data_overflow_edge(const data_place *place) {
    double step = data_is_half(place) ? 1 : 0x1p100;
    double value = place->k == 0 ? largest(place) : place->k % 32 == 0 ? -31 * step : step;
    return data_bits(place, data_sign(place) * value);
}

/* Every other line is all -0. */
uint64_t data_zeros(const data_place *place) {
    bool negative = place->line % 2 == 0 || place->words[0] >> 31;
    return data_bits(place, negative ? -0.0 : 0.0);
}

/* Every one, and the zeros too. */
uint64_t data_subnormal(const data_place *place) {
    uint32_t sign = place->words[1] >> 31;
    return data_is_half(place) ? sign << 15 | place->words[0] >> 22
                               : sign << 31 | place->words[0] >> 9;
}

/* A little more than the least normal number, that number taken away, and both with the other sign:
 * normal elements whose sums are subnormal, and stay so in long lines. */
uint64_t data_subnormal_sums(const data_place *place) {
    double least = data_is_half(place) ? 0x1p-14 : 0x1p-126;
    double step = data_is_half(place) ? 0x1p-24 : 0x1p-149;
    double more = data_is_half(place) ? place->words[0] >> 22 : place->words[0] >> 9;
    uint64_t turn = place->k % 4;
    double size = turn % 2 ? least : least + step * more / 16;
    return data_bits(place, data_sign(place) * (turn == 1 || turn == 2 ? -size : size));
}

/* Where the poison of this line is, and whether it is negative where it has a sign. */
typedef struct poison {
    uint64_t k;
    bool negative;
} poison;

static poison poison_of(const data_place *place) {
    uint32_t words[4];
    draw_words(place->seed, place->line, place->line_stream, words);
    return (poison){((uint64_t)words[1] << 32 | words[0]) % place->n, words[2] >> 31};
}

/* Of four lines the first has a NaN somewhere, the second none, the third one in its last element
 * (which is in no exclusive prefix), the fourth one in its first. */
uint64_t data_nan_poison(const data_place *place) {
    uint64_t kind = place->line % 4;
    bool there = kind == 0   ? place->k == poison_of(place).k
                 : kind == 2 ? place->k == place->n - 1
                             : kind == 3 && place->k == 0;
    return there ? data_bits(place, (double)NAN) : data_small_integers(place);
}

/* Of four lines the first has an infinity somewhere, the second none, the third a negative one in
 * its last element, the fourth one somewhere and the opposite one in its last. */
uint64_t data_infinity_poison(const data_place *place) {
    uint64_t kind = place->line % 4;
    bool last = kind >= 2 && place->k == place->n - 1;
    if (kind == 1 || (kind == 2 && !last))
        return data_small_integers(place);
    poison drawn = kind == 2 ? (poison){0} : poison_of(place);
    if (!last && place->k != drawn.k)
        return data_small_integers(place);
    bool negative = last ? !drawn.negative : drawn.negative;
    return data_bits(place, negative ? -(double)INFINITY : (double)INFINITY);
}
