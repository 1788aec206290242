/* SPDX-License-Identifier: MIT */
/* The distributions: functions that map a place and its random bits to the bits of an element, and
 * the table of them: name, types, and what an element depends on. */
#include "distribution.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool data_is_half(const data_place *place) {
    return place->type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* 2^11 or 2^24: above, the type does not hold every integer. */
static double data_first_gap(const data_place *place) {
    return data_is_half(place) ? 0x1p11 : 0x1p24;
}

/* The sign of a line: every other line is negated, so that roundings and overflows occur in both
 * directions. */
static double data_sign(const data_place *place) {
    return place->line % 2 ? -1 : 1;
}

/* Values of every type: small integers, whose sums are exact in every order of additions. */

/* The value, rounded to nearest even, in the type of the place; integers by truncation, modulo
 * their range. */
static uint64_t data_bits(const data_place *place, double value) {
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

static uint64_t data_ones(const data_place *place) {
    return data_bits(place, 1);
}

static uint64_t data_mask(const data_place *place) {
    return data_bits(place, place->words[0] >> 31);
}

/* -8 to 8. */
static uint64_t data_small_integers(const data_place *place) {
    return data_bits(place, (double)(place->words[0] % 17) - 8);
}

/* 1, -1, 2, -2, ... 31, -31, 1, -1: every second sum is 0. */
static uint64_t data_alternating(const data_place *place) {
    double size = 1 + (double)(place->k / 2 % 31);
    return data_bits(place, place->k % 2 ? -size : size);
}

/* 1 and more, with one sign in a line, and as large as every order adds exactly: each sum has one
 * right value, and no other sum of the line is the same. */
static uint64_t data_distinct_sums(const data_place *place) {
    const uint64_t exact = UINT64_C(1) << (data_is_half(place) ? 11 : 24), most = exact / place->n;
    return data_bits(place, data_sign(place) * (double)(1 + place->words[0] % (most ? most : 1)));
}

/* Integers whose sums wrap and carry. */

static uint64_t drawn_bits(const data_place *place) {
    return (uint64_t)place->words[1] << 32 | place->words[0];
}

static uint64_t data_full_range(const data_place *place) {
    return drawn_bits(place);
}

/* The low 16 bits are nearly all ones: every addition carries out of them. */
static uint64_t data_carry_16(const data_place *place) {
    return drawn_bits(place) | 0xFF00;
}

/* The low word is nearly all ones: every addition carries into the high word. */
static uint64_t data_carry_32(const data_place *place) {
    return drawn_bits(place) | 0xFFFFFF00;
}

/* The ends of the signed and unsigned ranges, and steps across them. */
static uint64_t data_extremes(const data_place *place) {
    bool wide = cumsum_data_type_size(place->type) == 8;
    uint64_t least = UINT64_C(1) << (wide ? 63 : 31); /* as a signed number */
    const uint64_t values[8] = {least, least - 1, UINT64_MAX, 1, 0, least + 1, 2, UINT64_MAX - 1};
    return values[place->words[0] % 8];
}

/* Floating-point data at the ends of the range: overflow, subnormals, zeros, NaN and infinity. */

static double largest(const data_place *place) {
    return data_is_half(place) ? 65504 : FLT_MAX;
}

/* m, -m, -m', m', with m from half the largest number up to it: added one after the other they
 * never overflow, but the sum of two neighbours with one sign does. */
static uint64_t data_near_overflow(const data_place *place) {
    double size = largest(place) * (double)(17 + place->k / 2 % 16) / 32;
    uint64_t turn = place->k % 4;
    return data_bits(place, data_sign(place) * (turn == 1 || turn == 2 ? -size : size));
}

/* Twice up, twice down, and four ones in the first of four lines; with the other sign in the third.
 * The other lines stay small. 60000 is a binary16 number. */
static uint64_t data_overflow(const data_place *place) {
    double size = data_is_half(place) ? 60000 : 0x1p127;
    double sign = place->line % 4 ? -1 : 1;
    uint64_t turn = place->k % 8;
    bool one = place->line % 2 || turn >= 4;
    return data_bits(place, one ? 1 : turn < 2 ? sign * size : -sign * size);
}

/* From the largest number 31 steps up, and down again. A step is a sixteenth of its ulp, or a
 * thirty-second in binary16: so the sums cross the point from which they round to infinity. */
static uint64_t data_overflow_edge(const data_place *place) {
    double step = data_is_half(place) ? 1 : 0x1p100;
    double value = place->k == 0 ? largest(place) : place->k % 32 == 0 ? -31 * step : step;
    return data_bits(place, data_sign(place) * value);
}

/* Every other line is all -0. */
static uint64_t data_zeros(const data_place *place) {
    bool negative = place->line % 2 == 0 || place->words[0] >> 31;
    return data_bits(place, negative ? -0.0 : 0.0);
}

/* Every one, and the zeros too. */
static uint64_t data_subnormal(const data_place *place) {
    uint32_t sign = place->words[1] >> 31;
    return data_is_half(place) ? sign << 15 | place->words[0] >> 22
                               : sign << 31 | place->words[0] >> 9;
}

/* A little more than the least normal number, that number taken away, and both with the other sign:
 * normal elements whose sums are subnormal, and stay so in long lines. */
static uint64_t data_subnormal_sums(const data_place *place) {
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
static uint64_t data_nan_poison(const data_place *place) {
    uint64_t kind = place->line % 4;
    bool there = kind == 0   ? place->k == poison_of(place).k
                 : kind == 2 ? place->k == place->n - 1
                             : kind == 3 && place->k == 0;
    return there ? data_bits(place, (double)NAN) : data_small_integers(place);
}

/* Of four lines the first has an infinity somewhere, the second none, the third a negative one in
 * its last element, the fourth one somewhere and the opposite one in its last. */
static uint64_t data_infinity_poison(const data_place *place) {
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

/* Floating-point data in which additions round. */

/* 0 up to 1, in steps that the type has everywhere below 1. */
static double unit(const data_place *place) {
    return data_is_half(place) ? (place->words[0] >> 21) * 0x1p-11
                               : (place->words[0] >> 8) * 0x1p-24;
}

static uint64_t data_uniform(const data_place *place) {
    return data_bits(place, unit(place));
}

static uint64_t data_normal(const data_place *place) {
    return data_bits(place, draw_normal(place->words));
}

/* The exponent is uniform from the least subnormal to where n terms cannot overflow yet. */
static uint64_t data_log_uniform(const data_place *place) {
    int least = data_is_half(place) ? -24 : -149;
    int most = data_is_half(place) ? 14 : 126;
    for (uint64_t terms = 1; terms < place->n && most > least + 1; terms *= 2)
        most--;
    double position = ((double)place->words[0] + 0.5) * 0x1p-32;
    double size = draw_exp2(least + position * (most - least));
    return data_bits(place, place->words[1] >> 31 ? -size : size);
}

static uint64_t data_tenth(const data_place *place) {
    return data_bits(place, 0.1);
}

/* M, small, -M, small, with M from 2^4 to 2^11 or 2^12 to 2^23: in the end only the small ones are
 * left, of which additions to M have rounded a part away. */
static uint64_t data_cancelling(const data_place *place) {
    uint64_t turn = place->k / 4;
    double large = data_is_half(place) ? (double)(16 << turn % 8) : (double)(4096 << turn % 12);
    return place->k % 2 ? data_uniform(place) : data_bits(place, place->k % 4 ? -large : large);
}

/* Around 1.5 * 2^24 (2^11) the type holds even integers only: adding 1 or 3 is a tie. */
static uint64_t data_ties(const data_place *place) {
    double step = place->words[0] >> 31 ? 3 : 1;
    double value = place->k == 0 ? 1.5 * data_first_gap(place) : place->k % 2 ? step : -step;
    return data_bits(place, data_sign(place) * value);
}

/* From 8 below the top 31 steps of 1 up, and down again: over the top in every block of 32. */
static uint64_t ladder(const data_place *place, double top) {
    double value = place->k == 0 ? top - 8 : place->k % 32 == 0 ? -31 : 1;
    return data_bits(place, data_sign(place) * value);
}

static uint64_t data_ladder_11(const data_place *place) {
    return ladder(place, 0x1p11);
}

static uint64_t data_ladder_24(const data_place *place) {
    return ladder(place, 0x1p24);
}

/* An accumulator of the type's own width never leaves its first element. */
static uint64_t data_stagnation(const data_place *place) {
    double value = place->k == 0 ? data_first_gap(place) : 1;
    return data_bits(place, data_sign(place) * value);
}

/* The table. */

#define BIT(type) (1u << CUMSUM_DATA_TYPE_##type)
#define FLOATS    (BIT(FLOAT32) | BIT(FLOAT16))
#define WIDE      (BIT(INT64) | BIT(UINT64))
#define INTEGERS  (BIT(INT32) | BIT(UINT32) | WIDE)

/* The members draws, placed and by_length. */
#define DRAWN           true, false, false
#define DRAWN_BY_LENGTH true, false, true
#define PLACED          false, true, true
#define DRAWN_PLACED    true, true, true
#define CONSTANT        false, false, false

/* A stream belongs to its name for ever and must not be used again. */
const distribution distribution_list[] = {
    /* 1 */
    {"ones", 1, FLOATS | INTEGERS, CONSTANT, data_ones},
    /* 0 or 1 */
    {"mask", 2, FLOATS | INTEGERS, DRAWN, data_mask},
    /* integers from -8 to 8 */
    {"small-integers", 3, FLOATS | INTEGERS, DRAWN, data_small_integers},
    /* 1, -1, 2, -2, ... 31, -31, and again */
    {"alternating", 4, FLOATS | INTEGERS, PLACED, data_alternating},
    /* integers from 1 to 2^24 (2^11) / the length of a line, negative in every other line: every
       wrong bit shows */
    {"distinct-sums", 26, FLOATS | INTEGERS, DRAWN_PLACED, data_distinct_sums},
    /* 0 up to 1, multiples of 2^-24 (2^-11) */
    {"uniform", 5, FLOATS, DRAWN, data_uniform},
    /* mean 0, variance 1 */
    {"normal", 6, FLOATS, DRAWN, data_normal},
    /* either sign, every exponent from the least subnormal to where a line could overflow */
    {"log-uniform", 7, FLOATS, DRAWN_BY_LENGTH, data_log_uniform},
    /* 0.1, which no type holds exactly */
    {"tenth", 8, FLOATS, CONSTANT, data_tenth},
    /* a large term, a uniform one, the large one taken away, a uniform one */
    {"cancelling", 9, FLOATS, DRAWN_PLACED, data_cancelling},
    /* 1.5 * 2^24 (2^11), then odd steps: every sum is a tie */
    {"ties", 10, FLOATS, DRAWN_PLACED, data_ties},
    /* steps of 1 over 2^11, and down again */
    {"ladder-11", 11, FLOATS, PLACED, data_ladder_11},
    /* steps of 1 over 2^24, and down again */
    {"ladder-24", 12, BIT(FLOAT32), PLACED, data_ladder_24},
    /* 2^24 (2^11), then ones */
    {"stagnation", 13, FLOATS, PLACED, data_stagnation},
    /* pairs of opposite sign, of half the largest number and more */
    {"near-overflow", 14, FLOATS, PLACED, data_near_overflow},
    /* in every other line 2^127 (60000) twice, and twice taken away; else ones */
    {"overflow", 15, FLOATS, PLACED, data_overflow},
    /* the largest number, and small steps over where sums round to infinity */
    {"overflow-edge", 25, FLOATS, PLACED, data_overflow_edge},
    /* +0 and -0; every other line is all -0 */
    {"zeros", 16, FLOATS, DRAWN_PLACED, data_zeros},
    /* subnormal numbers of either sign */
    {"subnormal", 17, FLOATS, DRAWN, data_subnormal},
    /* normal numbers whose sums are subnormal */
    {"subnormal-sums", 18, FLOATS, DRAWN_PLACED, data_subnormal_sums},
    /* small integers; in three of four lines a NaN, which must not reach outputs before it or other
       lines */
    {"nan-poison", 19, FLOATS, DRAWN_PLACED, data_nan_poison},
    /* the same with infinities; in one of four lines of both signs */
    {"infinity-poison", 20, FLOATS, DRAWN_PLACED, data_infinity_poison},
    /* all bits random */
    {"full-range", 21, INTEGERS, DRAWN, data_full_range},
    /* random, the low 16 bits 0xFF00 or more */
    {"carry-16", 22, INTEGERS, DRAWN, data_carry_16},
    /* random, the low 32 bits 0xFFFFFF00 or more */
    {"carry-32", 23, WIDE, DRAWN, data_carry_32},
    /* the ends of the signed and the unsigned range, and near 0 */
    {"extremes", 24, INTEGERS, DRAWN, data_extremes},
    {.name = NULL}};

const distribution *distribution_find(const char *name, size_t length) {
    for (const distribution *d = distribution_list; d->name; d++)
        if (strlen(d->name) == length && memcmp(d->name, name, length) == 0)
            return d;
    return NULL;
}

bool distribution_suits(const distribution *data, cumsum_data_type type) {
    return (data->types >> type & 1) != 0;
}
