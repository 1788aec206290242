/* SPDX-License-Identifier: MIT */
/* The patterns in binary32. Values are composed of bits: no arithmetic that a mode could bend. */
#include "data_pattern.h"

enum {
    SIGN = 31,
    MANTISSA = 23,
    BIAS = 127
};

#define INFINITE UINT32_C(0x7F800000)
#define FRACTION UINT32_C(0x007FFFFF)

static uint32_t random_bits(pattern_line *line) {
    return (uint32_t)(random_next(&line->random) >> 32);
}

static uint32_t random_sign(pattern_line *line) {
    return random_below(&line->random, 2) << SIGN;
}

/* 1.fraction * 2^exponent. */
static uint32_t number(uint32_t sign, int exponent, uint32_t fraction) {
    return sign | (uint32_t)(exponent + BIAS) << MANTISSA | (fraction & FRACTION);
}

/* magnitude * 2^scale, exactly; magnitude below 2^24. */
static uint32_t integer(uint32_t sign, uint32_t magnitude, int scale) {
    if (magnitude == 0)
        return sign;
    int top = 0;
    while (magnitude >> (top + 1))
        top++;
    return number(sign, top + scale, magnitude << (MANTISSA - top));
}

static uint32_t moderate(pattern_line *line) {
    const uint32_t sign = random_sign(line);
    return number(sign, (int)random_below(&line->random, 8) - 3, random_bits(line));
}

/* One power of two for the whole line: what is exact for integers is exact for their multiples. */
static int line_scale(const pattern_line *line) {
    static const int scales[8] = {0, 0, 0, 0, -3, 7, -60, 60};
    return scales[line->scale % 8];
}

static uint32_t small_integer(pattern_line *line) {
    const uint32_t sign = random_sign(line);
    return integer(sign, random_below(&line->random, 9), line_scale(line));
}

static uint32_t exact_until(pattern_line *line, uint64_t k) {
    if (k < line->turn)
        return small_integer(line);
    if (k == line->turn)
        return integer(random_sign(line), 1, line_scale(line) + (line->scale & 64 ? 24 : -20));
    return random_once_in(&line->random, 4) ? moderate(line) : small_integer(line);
}

/* A number at most 4 below 2^24, or 2^24, among zeros and ones: sums pass 2^24 by very little, and
 * a sum of magnitudes may be rounded back to it. */
static uint32_t just_over_the_limit(pattern_line *line, uint64_t k) {
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(line);
    const uint32_t below = line->scale >> 24 & 7;
    if (k == line->turn)
        return below < 5 ? integer(sign, (1u << 24) - 1 - below, 0) : number(sign, 24, 0);
    const uint32_t ones = line->scale & 0x20000 ? 2 : 30; /* many, or few */
    return random_once_in(&line->random, ones) ? integer(sign, 1, 0) : 0;
}

/* Around 2^24 / 1, 4, 16, 256, 1024: a group of so many reaches the limit, or just does not. */
static uint32_t exact_limit(pattern_line *line, uint64_t k) {
    static const uint32_t shares[6] = {1, 4, 16, 64, 256, 1024};
    if (line->scale & 0x40000)
        return just_over_the_limit(line, k);
    const uint32_t limit = (UINT32_C(1) << 24) / shares[line->scale / 8 % 6];
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(line);
    const uint32_t magnitude = limit - random_below(&line->random, 3);
    return integer(sign, magnitude < (1u << 24) ? magnitude : (1u << 24) - 1, line_scale(line));
}

static uint32_t with_nan(pattern_line *line, uint64_t k) {
    if (k != line->turn)
        return moderate(line);
    return random_sign(line) | INFINITE | (1 + random_below(&line->random, FRACTION));
}

static uint32_t with_infinity(pattern_line *line, uint64_t k) {
    if (k == line->turn)
        return (line->scale & 1) << SIGN | INFINITE;
    const bool second = k > line->turn && random_once_in(&line->random, 16);
    return second ? random_sign(line) | INFINITE : moderate(line);
}

static uint32_t zeros(pattern_line *line) {
    if (random_once_in(&line->random, 40))
        return random_once_in(&line->random, 2) ? small_integer(line) : moderate(line);
    return random_once_in(&line->random, 4) ? 0 : UINT32_C(1) << SIGN;
}

static uint32_t subnormal(pattern_line *line) {
    const uint32_t sign = random_sign(line);
    return sign | (random_bits(line) & FRACTION) >> random_below(&line->random, 23);
}

static uint32_t near_subnormal(pattern_line *line, uint64_t k) {
    const uint32_t sign = (uint32_t)(k & 1) << SIGN;
    return number(sign, -126, random_bits(line) >> (9 + random_below(&line->random, 23)));
}

/* 2^24, whose neighbours are 2 apart, then odd numbers; at any scale. */
static uint32_t ties(pattern_line *line, uint64_t k) {
    if (k % 64 == 0)
        return integer(k & 64 ? random_sign(line) : 0, 1, line_scale(line) + 24);
    const uint32_t sign = random_sign(line);
    return integer(sign, 1 + 2 * random_below(&line->random, 2), line_scale(line));
}

/* The largest number, halves of its last place (2^103), and what lies about them. */
static uint32_t overflow(pattern_line *line) {
    const uint32_t sign = random_sign(line);
    switch (random_below(&line->random, 5)) {
    case 0:
        return sign | (INFINITE - 1);
    case 1:
        return number(sign, 103, random_below(&line->random, 2));
    case 2:
        return number(sign, 102, FRACTION);
    case 3:
        return number(sign, 127, random_bits(line));
    default:
        return number(sign, 104, 0);
    }
}

static uint32_t runs(pattern_line *line) {
    if (line->left == 0) {
        line->left = 1 + random_below(&line->random, 60);
        line->held = random_once_in(&line->random, 3) ? small_integer(line) : moderate(line);
    }
    line->left--;
    return (uint32_t)line->held;
}

static uint32_t alternating(pattern_line *line, uint64_t k) {
    if (k % 3 == 2)
        return moderate(line);
    return number((uint32_t)(k % 3) << SIGN, 30, line->scale);
}

static uint32_t growing(pattern_line *line, uint64_t k) {
    const int step = (int)(k % 200);
    const uint32_t sign = random_sign(line);
    return number(sign, line->scale & 1 ? step - 100 : 100 - step, random_bits(line));
}

uint32_t pattern_float32(pattern_line *line, uint64_t k) {
    switch (line->pattern) {
    case PATTERN_MODERATE:
        return moderate(line);
    case PATTERN_WIDE: {
        const uint32_t sign = random_sign(line);
        return number(sign, (int)random_below(&line->random, 250) - 126, random_bits(line));
    }
    case PATTERN_SMALL_INTEGERS:
        return small_integer(line);
    case PATTERN_MASK:
        return integer(0, random_below(&line->random, 2), 0);
    case PATTERN_EXACT_UNTIL:
        return exact_until(line, k);
    case PATTERN_EXACT_LIMIT:
        return exact_limit(line, k);
    case PATTERN_NAN:
        return with_nan(line, k);
    case PATTERN_INFINITY:
        return with_infinity(line, k);
    case PATTERN_ZEROS:
        return zeros(line);
    case PATTERN_SUBNORMAL:
        return subnormal(line);
    case PATTERN_NEAR_SUBNORMAL:
        return near_subnormal(line, k);
    case PATTERN_TIES:
        return ties(line, k);
    case PATTERN_OVERFLOW:
        return overflow(line);
    case PATTERN_RUNS:
        return runs(line);
    case PATTERN_ALTERNATING:
        return alternating(line, k);
    case PATTERN_GROWING:
        return growing(line, k);
    case PATTERN_SPIKE:
        return k == line->turn ? moderate(line) : 0;
    default:
        return random_bits(line);
    }
}
