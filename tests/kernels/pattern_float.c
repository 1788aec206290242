/* SPDX-License-Identifier: MIT */
/*
 * The patterns in binary32 and binary16. Values are composed of bits, without arithmetic that a
 * floating-point mode could change. Patterns that depend on a format's precision or range are
 * written once for each format; those in binary16 are made for running sums in binary32 and in
 * binary16 alike.
 */
#include "data_pattern.h"

/* A binary format, and what the patterns need to know of it. */
typedef struct binary_format {
    int sign;           /* its bit */
    int mantissa;       /* bits */
    int bias;           /* of the exponent */
    uint32_t infinite;  /* bits of infinity */
    uint32_t fraction;  /* mask */
    int smallest;       /* exponent of normal numbers */
    uint32_t exponents; /* how many of them WIDE uses */
    int large;          /* exponent of what ALTERNATING cancels */
    int growth;         /* exponents that GROWING goes through */
    int scales[8];      /* powers of two that a line of integers is multiplied with */
} binary_format;

static const binary_format binary32 = {.sign = 31,
                                       .mantissa = 23,
                                       .bias = 127,
                                       .infinite = UINT32_C(0x7F800000),
                                       .fraction = UINT32_C(0x007FFFFF),
                                       .smallest = -126,
                                       .exponents = 250,
                                       .large = 30,
                                       .growth = 200,
                                       .scales = {0, 0, 0, 0, -3, 7, -60, 60}};

static const binary_format binary16 = {.sign = 15,
                                       .mantissa = 10,
                                       .bias = 15,
                                       .infinite = UINT32_C(0x7C00),
                                       .fraction = UINT32_C(0x03FF),
                                       .smallest = -14,
                                       .exponents = 30,
                                       .large = 13,
                                       .growth = 28,
                                       .scales = {0, 0, -3, 3, 0, 0, -3, 3}};

static uint32_t random_bits(const binary_format *f, pattern_line *line) {
    return (uint32_t)(random_next(&line->random) >> (63 - f->sign));
}

static uint32_t random_sign(const binary_format *f, pattern_line *line) {
    return random_below(&line->random, 2) << f->sign;
}

/* 1.fraction * 2^exponent. */
static uint32_t number(const binary_format *f, uint32_t sign, int exponent, uint32_t fraction) {
    return sign | (uint32_t)(exponent + f->bias) << f->mantissa | (fraction & f->fraction);
}

/* magnitude * 2^scale, exactly; the magnitude has at most as many bits as the format's mantissa. */
static uint32_t integer(const binary_format *f, uint32_t sign, uint32_t magnitude, int scale) {
    if (magnitude == 0)
        return sign;
    int top = 0;
    while (magnitude >> (top + 1))
        top++;
    return number(f, sign, top + scale, magnitude << (f->mantissa - top));
}

static uint32_t moderate(const binary_format *f, pattern_line *line) {
    const uint32_t sign = random_sign(f, line);
    const uint32_t fraction = random_bits(f, line);
    return number(f, sign, (int)random_below(&line->random, 8) - 3, fraction);
}

static uint32_t wide(const binary_format *f, pattern_line *line) {
    const uint32_t sign = random_sign(f, line);
    const uint32_t fraction = random_bits(f, line);
    const int exponent = (int)random_below(&line->random, f->exponents) + f->smallest;
    return number(f, sign, exponent, fraction);
}

/* One power of two for the whole line: what is exact for integers is exact for their multiples. */
static int line_scale(const binary_format *f, const pattern_line *line) {
    return f->scales[line->scale % 8];
}

static uint32_t small_integer(const binary_format *f, pattern_line *line) {
    const uint32_t sign = random_sign(f, line);
    return integer(f, sign, random_below(&line->random, 9), line_scale(f, line));
}

/* The first number whose sum with those before it is not exact: too large, or too small. */
static uint32_t first_inexact(const binary_format *f, pattern_line *line) {
    const bool is_large = line->scale & 64;
    if (f == &binary16)
        return is_large ? number(f, 0, 15, f->fraction) : 1; /* 65504, or 2^-24 */
    return integer(f, random_sign(f, line), 1, line_scale(f, line) + (is_large ? 24 : -20));
}

static uint32_t exact_until(const binary_format *f, pattern_line *line, uint64_t k) {
    if (k < line->change)
        return small_integer(f, line);
    if (k == line->change)
        return first_inexact(f, line);
    return random_once_in(&line->random, 4) ? moderate(f, line) : small_integer(f, line);
}

/* A number at most 4 below 2^24, or 2^24, among zeros and ones: sums pass 2^24 by very little, and
 * a sum of magnitudes may be rounded back to it. */
static uint32_t just_over_the_limit(const binary_format *f, pattern_line *line, uint64_t k) {
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(f, line);
    const uint32_t below = line->scale >> 24 & 7;
    if (k == line->change)
        return below < 5 ? integer(f, sign, (1u << 24) - 1 - below, 0) : number(f, sign, 24, 0);
    const uint32_t ones = line->scale & 0x20000 ? 2 : 30; /* many, or few */
    return random_once_in(&line->random, ones) ? integer(f, sign, 1, 0) : 0;
}

/* Integers of which a group of 1 to 1024 reaches 2^24, or just does not. */
static uint32_t exact_limit_32(pattern_line *line, uint64_t k) {
    static const uint32_t shares[6] = {1, 4, 16, 64, 256, 1024};
    const binary_format *f = &binary32;
    if (line->scale & 0x40000)
        return just_over_the_limit(f, line, k);
    const uint32_t limit = (UINT32_C(1) << 24) / shares[line->scale / 8 % 6];
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(f, line);
    const uint32_t magnitude = limit - random_below(&line->random, 3);
    return integer(f, sign, magnitude < (1u << 24) ? magnitude : (1u << 24) - 1,
                   line_scale(f, line));
}

/* The same with 2^11, for running sums in binary16; or, for those in binary32, large and small
 * numbers together, 2^24 apart. */
static uint32_t exact_limit_16(pattern_line *line) {
    static const uint32_t shares[4] = {1, 4, 16, 64};
    const binary_format *f = &binary16;
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(f, line);
    if (line->scale & 0x20000) {
        const int exponent = random_once_in(&line->random, 2) ? 15 : 1;
        return number(f, sign, exponent, random_bits(f, line));
    }
    const uint32_t limit = (UINT32_C(1) << 11) / shares[line->scale / 4 % 4];
    const uint32_t magnitude = limit - random_below(&line->random, 3);
    return integer(f, sign, magnitude < (1u << 11) ? magnitude : (1u << 11) - 1,
                   line_scale(f, line));
}

static uint32_t with_nan(const binary_format *f, pattern_line *line, uint64_t k) {
    if (k != line->change)
        return moderate(f, line);
    return random_sign(f, line) | f->infinite | (1 + random_below(&line->random, f->fraction));
}

/* The other infinity may be in the same vector, or thousands of finite elements later. */
static uint32_t with_infinity(const binary_format *f, pattern_line *line, uint64_t k) {
    if (k == line->change)
        return (line->scale & 1) << f->sign | f->infinite;
    const uint32_t finite = line->scale & 2 ? 4096 : 16;
    const bool second = k > line->change && random_once_in(&line->random, finite);
    return second ? random_sign(f, line) | f->infinite : moderate(f, line);
}

static uint32_t zeros(const binary_format *f, pattern_line *line) {
    if (random_once_in(&line->random, 40))
        return random_once_in(&line->random, 2) ? small_integer(f, line) : moderate(f, line);
    return random_once_in(&line->random, 4) ? 0 : UINT32_C(1) << f->sign;
}

static uint32_t subnormal(const binary_format *f, pattern_line *line) {
    const uint32_t sign = random_sign(f, line);
    const uint32_t fraction = random_bits(f, line) & f->fraction;
    return sign | fraction >> random_below(&line->random, (uint32_t)f->mantissa);
}

static uint32_t near_subnormal(const binary_format *f, pattern_line *line, uint64_t k) {
    const uint32_t sign = (uint32_t)(k & 1) << f->sign;
    const uint32_t bits = random_bits(f, line);
    const uint32_t shift =
        (uint32_t)(f->sign + 1 - f->mantissa) + random_below(&line->random, (uint32_t)f->mantissa);
    return number(f, sign, f->smallest, bits >> shift);
}

/* 2^24, whose neighbours are 2 apart, then odd numbers; at any scale. */
static uint32_t ties_32(pattern_line *line, uint64_t k) {
    const binary_format *f = &binary32;
    const int scale = line_scale(f, line);
    if (k % 64 == 0)
        return integer(f, k & 64 ? random_sign(f, line) : 0, 1, scale + 24);
    const uint32_t sign = random_sign(f, line);
    return integer(f, sign, 1 + 2 * random_below(&line->random, 2), scale);
}

/* A power of two from 2^11 to 2^15, then odd multiples of half the distance of its neighbours. */
static uint32_t ties_16(pattern_line *line, uint64_t k) {
    const binary_format *f = &binary16;
    const int exponent = 11 + (int)(line->scale % 5);
    if (k % 64 == 0)
        return number(f, k & 64 ? UINT32_C(1) << f->sign : 0, exponent, 0);
    const uint32_t sign = random_sign(f, line);
    return integer(f, sign, 1 + 2 * random_below(&line->random, 2), exponent - 11);
}

/* The largest number, halves of its last place (2^103), and numbers near these. */
static uint32_t overflow_32(pattern_line *line) {
    const binary_format *f = &binary32;
    const uint32_t sign = random_sign(f, line);
    switch (random_below(&line->random, 5)) {
    case 0:
        return sign | (f->infinite - 1);
    case 1:
        return number(f, sign, 103, random_below(&line->random, 2));
    case 2:
        return number(f, sign, 102, f->fraction);
    case 3:
        return number(f, sign, 127, random_bits(f, line));
    default:
        return number(f, sign, 104, 0);
    }
}

/* Back and forth about 65504 and 65520, by the distance of binary16 numbers there, by fractions of
 * it, and by 1/16; and now and then far out of range. */
static uint32_t overflow_16(pattern_line *line, uint64_t k) {
    static const uint32_t steps[10] = {0x4C00, 0x4B80, 0x4A00, 0x4800, 0x3C00,
                                       0x3800, 0x2C00, 0x1400, 0x5000, 0x0001};
    const binary_format *f = &binary16;
    if (k == 0)
        return (line->scale & 1) << f->sign | (f->infinite - 1);
    if (random_once_in(&line->random, 100))
        return random_sign(f, line) | (f->infinite - 1);
    const uint32_t sign = random_sign(f, line);
    return sign | steps[random_below(&line->random, 10)];
}

static uint32_t runs(const binary_format *f, pattern_line *line) {
    if (line->left == 0) {
        line->left = 1 + random_below(&line->random, 60);
        line->repeated =
            random_once_in(&line->random, 3) ? small_integer(f, line) : moderate(f, line);
    }
    line->left--;
    return (uint32_t)line->repeated;
}

static uint32_t alternating(const binary_format *f, pattern_line *line, uint64_t k) {
    if (k % 3 == 2)
        return moderate(f, line);
    return number(f, (uint32_t)(k % 3) << f->sign, f->large, line->scale);
}

static uint32_t growing(const binary_format *f, pattern_line *line, uint64_t k) {
    const int step = (int)(k % (uint64_t)f->growth);
    const int half = f->growth / 2;
    const uint32_t sign = random_sign(f, line);
    const int down = f == &binary16 ? half - 1 - step : half - step;
    return number(f, sign, line->scale & 1 ? step - half : down, random_bits(f, line));
}

/*
 * A number at the lower or the upper end of a binade, or anywhere in it, and then multiples of a
 * quarter of its last place: all, or odd multiples of half of it, which are ties. Elements are
 * small, or large enough to leave the binade now and then; a line may have one sign. For binary16
 * the last place is that of a running sum in binary32 or in binary16.
 */
static uint32_t binade(const binary_format *f, pattern_line *line, uint64_t k) {
    const uint32_t choice = line->scale;
    const bool is_half = f == &binary16, narrow = choice & 1;
    const int exponent =
        is_half ? 11 + (int)((choice >> 8 & 63) % 5) : (int)(choice >> 8 & 63) - 30;
    const int quarter = exponent - (is_half && narrow ? 10 : 23) - 2;
    if (k == 0) {
        const uint32_t near = choice >> 16 & 7;
        const uint32_t ends[4] = {near, f->fraction - near, random_bits(f, line), 0};
        return number(f, (choice >> 1 & 1) << f->sign, exponent, ends[choice >> 2 & 3]);
    }
    if (k == line->change && choice & 0x30)
        return number(f, random_sign(f, line), exponent, random_bits(f, line));
    const uint32_t sign = choice & 0x40 ? 0 : random_sign(f, line);
    const uint32_t most = choice & 0x80 ? 200 : 10;
    const uint32_t multiple = random_below(&line->random, most);
    return integer(f, sign, choice & 0x4000 ? 4 * multiple + 2 : multiple, quarter);
}

/* A number of this exponent, or the smallest one that is normal. */
static uint32_t deep(const binary_format *f, uint32_t sign, int exponent, uint32_t fraction) {
    return number(f, sign, exponent > f->smallest ? exponent : f->smallest, fraction);
}

/*
 * A power of two and its opposite, ties of sums near it, and numbers that decide these ties from as
 * far below as the line says: inside of two binary64, at their end, or beyond. In some lines these
 * stop, so that only the sum still has their bits. In others all but these cancel.
 */
static uint32_t grids(const binary_format *f, pattern_line *line, uint64_t k) {
    static const int depths[8] = {25, 30, 45, 54, 64, 69, 71, 90};
    const bool is_half = f == &binary16;
    const int top = is_half ? 5 + (int)(line->scale >> 8 & 7) : (int)(line->scale >> 8 & 127) - 20;
    const int depth = depths[line->scale & 7] + (int)random_below(&line->random, 3) - 1;
    const bool large_only = line->scale & 16 && k >= line->change, cancels = line->scale & 32;
    const uint32_t opposite = UINT32_C(1) << f->sign, sign = random_sign(f, line);
    const uint32_t lowest = deep(f, sign, top - depth, line->scale & 8 ? random_bits(f, line) : 0);
    switch (cancels ? k % 6 : random_below(&line->random, large_only ? 4 : 8)) {
    case 0:
        return number(f, cancels ? 0 : sign, top, 0);
    case 1:
        line->repeated = deep(f, sign, top - 30, random_bits(f, line));
        return (uint32_t)line->repeated;
    case 2:
        return cancels ? lowest : deep(f, sign, top - f->mantissa - 1, 0);
    case 3:
        return number(f, cancels ? opposite : sign, top, 0);
    case 4:
        return cancels ? (uint32_t)line->repeated ^ opposite : 0;
    default:
        return lowest;
    }
}

static uint32_t pattern_value(const binary_format *f, pattern_line *line, uint64_t k) {
    const bool is_half = f == &binary16;
    switch (line->pattern) {
    case PATTERN_MODERATE:
        return moderate(f, line);
    case PATTERN_WIDE:
        return wide(f, line);
    case PATTERN_SMALL_INTEGERS:
        return small_integer(f, line);
    case PATTERN_MASK:
        return integer(f, 0, random_below(&line->random, 2), 0);
    case PATTERN_EXACT_UNTIL:
        return exact_until(f, line, k);
    case PATTERN_EXACT_LIMIT:
        return is_half ? exact_limit_16(line) : exact_limit_32(line, k);
    case PATTERN_NAN:
        return with_nan(f, line, k);
    case PATTERN_INFINITY:
        return with_infinity(f, line, k);
    case PATTERN_ZEROS:
        return zeros(f, line);
    case PATTERN_SUBNORMAL:
        return subnormal(f, line);
    case PATTERN_NEAR_SUBNORMAL:
        return near_subnormal(f, line, k);
    case PATTERN_TIES:
        return is_half ? ties_16(line, k) : ties_32(line, k);
    case PATTERN_OVERFLOW:
        return is_half ? overflow_16(line, k) : overflow_32(line);
    case PATTERN_RUNS:
        return runs(f, line);
    case PATTERN_ALTERNATING:
        return alternating(f, line, k);
    case PATTERN_GROWING:
        return growing(f, line, k);
    case PATTERN_BINADE:
        return binade(f, line, k);
    case PATTERN_GRIDS:
        return grids(f, line, k);
    case PATTERN_SPIKE:
        return k == line->change ? moderate(f, line) : 0;
    default:
        return random_bits(f, line);
    }
}

uint32_t pattern_float32(pattern_line *line, uint64_t k) {
    return pattern_value(&binary32, line, k);
}

uint32_t pattern_float16(pattern_line *line, uint64_t k) {
    return pattern_value(&binary16, line, k);
}
