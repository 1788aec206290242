/* SPDX-License-Identifier: MIT */
/* The patterns in binary16, made for tallies in binary32 and in binary16 alike. */
#include "data_pattern.h"

enum {
    SIGN = 15,
    MANTISSA = 10,
    BIAS = 15
};

#define INFINITE UINT32_C(0x7C00)
#define FRACTION UINT32_C(0x03FF)

static uint32_t random_bits(pattern_line *line) {
    return (uint32_t)(random_next(&line->random) >> 48);
}

static uint32_t random_sign(pattern_line *line) {
    return random_below(&line->random, 2) << SIGN;
}

/* 1.fraction * 2^exponent, exponent from -14 to 15. */
static uint32_t number(uint32_t sign, int exponent, uint32_t fraction) {
    return sign | (uint32_t)(exponent + BIAS) << MANTISSA | (fraction & FRACTION);
}

/* magnitude * 2^scale, exactly; magnitude below 2^11. */
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

static int line_scale(const pattern_line *line) {
    static const int scales[4] = {0, 0, -3, 3};
    return scales[line->scale % 4];
}

static uint32_t small_integer(pattern_line *line) {
    const uint32_t sign = random_sign(line);
    return integer(sign, random_below(&line->random, 9), line_scale(line));
}

static uint32_t exact_until(pattern_line *line, uint64_t k) {
    if (k < line->turn)
        return small_integer(line);
    if (k == line->turn)
        return line->scale & 64 ? number(0, 15, FRACTION) : 1; /* 65504, or 2^-24 */
    return random_once_in(&line->random, 4) ? moderate(line) : small_integer(line);
}

/* Around 2^11 / 1, 4, 16, 64; or, for binary32 tallies, large and small together: 2^24 apart. */
static uint32_t exact_limit(pattern_line *line) {
    static const uint32_t shares[4] = {1, 4, 16, 64};
    const uint32_t sign = line->scale & 0x10000 ? 0 : random_sign(line);
    if (line->scale & 0x20000)
        return random_once_in(&line->random, 2) ? number(sign, 15, random_bits(line))
                                                : number(sign, 1, random_bits(line));
    const uint32_t limit = (UINT32_C(1) << 11) / shares[line->scale / 4 % 4];
    const uint32_t magnitude = limit - random_below(&line->random, 3);
    return integer(sign, magnitude < (1u << 11) ? magnitude : (1u << 11) - 1, line_scale(line));
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
    return sign | (random_bits(line) & FRACTION) >> random_below(&line->random, 10);
}

static uint32_t near_subnormal(pattern_line *line, uint64_t k) {
    const uint32_t sign = (uint32_t)(k & 1) << SIGN;
    return number(sign, -14, random_bits(line) >> (6 + random_below(&line->random, 10)));
}

/* A power of two from 2^11 to 2^15, then odd multiples of half the distance of its neighbours. */
static uint32_t ties(pattern_line *line, uint64_t k) {
    const int exponent = 11 + (int)(line->scale % 5);
    if (k % 64 == 0)
        return number(k & 64 ? UINT32_C(1) << SIGN : 0, exponent, 0);
    const uint32_t sign = random_sign(line);
    return integer(sign, 1 + 2 * random_below(&line->random, 2), exponent - 11);
}

/* Back and forth about 65504 and 65520: by the distance of halves there, by parts of it, by 1/16;
 * and now and then over and out of range by far. */
static uint32_t overflow(pattern_line *line, uint64_t k) {
    static const uint32_t steps[10] = {0x4C00, 0x4B80, 0x4A00, 0x4800, 0x3C00,
                                       0x3800, 0x2C00, 0x1400, 0x5000, 0x0001};
    const uint32_t all = line->scale & 1 ? UINT32_C(1) << SIGN : 0;
    if (k == 0)
        return all | (INFINITE - 1);
    if (random_once_in(&line->random, 100))
        return random_sign(line) | (INFINITE - 1);
    return random_sign(line) | steps[random_below(&line->random, 10)];
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
    return number((uint32_t)(k % 3) << SIGN, 13, line->scale);
}

static uint32_t growing(pattern_line *line, uint64_t k) {
    const int step = (int)(k % 28);
    const uint32_t sign = random_sign(line);
    return number(sign, line->scale & 1 ? step - 14 : 13 - step, random_bits(line));
}

uint32_t pattern_float16(pattern_line *line, uint64_t k) {
    switch (line->pattern) {
    case PATTERN_MODERATE:
        return moderate(line);
    case PATTERN_WIDE: {
        const uint32_t sign = random_sign(line);
        return number(sign, (int)random_below(&line->random, 30) - 14, random_bits(line));
    }
    case PATTERN_SMALL_INTEGERS:
        return small_integer(line);
    case PATTERN_MASK:
        return integer(0, random_below(&line->random, 2), 0);
    case PATTERN_EXACT_UNTIL:
        return exact_until(line, k);
    case PATTERN_EXACT_LIMIT:
        return exact_limit(line);
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
        return overflow(line, k);
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
