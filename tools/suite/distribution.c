/* SPDX-License-Identifier: MIT */
/* The table of distributions: name, types, dependence on places, and the data of each. */
#include "distribution.h"

#include <string.h>

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
    {"ones", 1, FLOATS | INTEGERS, CONSTANT, "1", data_ones},
    {"mask", 2, FLOATS | INTEGERS, DRAWN, "0 or 1", data_mask},
    {"small-integers", 3, FLOATS | INTEGERS, DRAWN, "integers from -8 to 8", data_small_integers},
    {"alternating", 4, FLOATS | INTEGERS, PLACED, "1, -1, 2, -2, ... 31, -31, and again",
     data_alternating},
    {"uniform", 5, FLOATS, DRAWN, "0 up to 1, multiples of 2^-24 (2^-11)", data_uniform},
    {"normal", 6, FLOATS, DRAWN, "mean 0, variance 1", data_normal},
    {"log-uniform", 7, FLOATS, DRAWN_BY_LENGTH,
     "either sign, every exponent from the least subnormal to where a line could overflow",
     data_log_uniform},
    {"tenth", 8, FLOATS, CONSTANT, "0.1, which no type holds exactly", data_tenth},
    {"cancelling", 9, FLOATS, DRAWN_PLACED,
     "a large term, a uniform one, the large one taken away, a uniform one", data_cancelling},
    {"ties", 10, FLOATS, DRAWN_PLACED, "1.5 * 2^24 (2^11), then odd steps: every sum is a tie",
     data_ties},
    {"ladder-11", 11, FLOATS, PLACED, "steps of 1 over 2^11, and down again", data_ladder_11},
    {"ladder-24", 12, BIT(FLOAT32), PLACED, "steps of 1 over 2^24, and down again", data_ladder_24},
    {"stagnation", 13, FLOATS, PLACED, "2^24 (2^11), then ones", data_stagnation},
    {"near-overflow", 14, FLOATS, PLACED,
     "pairs of opposite sign, of half the largest number and more", data_near_overflow},
    {"overflow", 15, FLOATS, PLACED,
     "in every other line 2^127 (60000) twice, and twice taken away; else ones", data_overflow},
    {"overflow-edge", 25, FLOATS, PLACED,
     "the largest number, and small steps over where sums round to infinity", data_overflow_edge},
    {"zeros", 16, FLOATS, DRAWN_PLACED, "+0 and -0; every other line is all -0", data_zeros},
    {"subnormal", 17, FLOATS, DRAWN, "subnormal numbers of either sign", data_subnormal},
    {"subnormal-sums", 18, FLOATS, DRAWN_PLACED, "normal numbers whose sums are subnormal",
     data_subnormal_sums},
    {"nan-poison", 19, FLOATS, DRAWN_PLACED,
     "small integers; in three of four lines a NaN, which must not reach outputs before it or "
     "other lines",
     data_nan_poison},
    {"infinity-poison", 20, FLOATS, DRAWN_PLACED,
     "the same with infinities; in one of four lines of both signs", data_infinity_poison},
    {"full-range", 21, INTEGERS, DRAWN, "all bits random", data_full_range},
    {"carry-16", 22, INTEGERS, DRAWN, "random, the low 16 bits 0xFF00 or more", data_carry_16},
    {"carry-32", 23, WIDE, DRAWN, "random, the low 32 bits 0xFFFFFF00 or more", data_carry_32},
    {"extremes", 24, INTEGERS, DRAWN, "the ends of the signed and the unsigned range, and near 0",
     data_extremes},
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
