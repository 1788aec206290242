/* SPDX-License-Identifier: MIT */
/* The patterns for integers of 64 bits; 32-bit elements are their low halves. Patterns that are
 * about floating point give integers of a random magnitude. */
#include "data_pattern.h"

static uint64_t of_any_magnitude(pattern_line *line) {
    const uint64_t bits = random_next(&line->random);
    return bits >> random_below(&line->random, 64);
}

static uint64_t small(pattern_line *line) {
    return (uint64_t)random_below(&line->random, 17) - 8;
}

/* Numbers whose sums cross 2^31, 2^32 and 2^63, up and down. */
static uint64_t carry(pattern_line *line) {
    static const uint64_t numbers[8] = {UINT64_C(0xFFFFFFFF),         UINT64_C(1),
                                        UINT64_C(0x80000000),         UINT64_C(0x7FFFFFFF),
                                        UINT64_C(0x100000000),        UINT64_C(0xFFFFFFFFFFFFFFFF),
                                        UINT64_C(0x7FFFFFFFFFFFFFFF), UINT64_C(0x8000000000000000)};
    return numbers[random_below(&line->random, 8)];
}

static uint64_t runs(pattern_line *line) {
    if (line->left == 0) {
        line->left = 1 + random_below(&line->random, 60);
        line->repeated = of_any_magnitude(line);
    }
    line->left--;
    return line->repeated;
}

uint64_t pattern_integer(pattern_line *line, uint64_t k) {
    switch (line->pattern) {
    case PATTERN_BITS:
        return random_next(&line->random);
    case PATTERN_SMALL_INTEGERS:
        return small(line);
    case PATTERN_MASK:
        return random_below(&line->random, 2);
    case PATTERN_EXACT_UNTIL:
        return k < line->change ? small(line) : random_next(&line->random);
    case PATTERN_OVERFLOW:
    case PATTERN_CARRY:
        return carry(line);
    case PATTERN_RUNS:
        return runs(line);
    case PATTERN_ALTERNATING:
        return k & 1 ? (uint64_t)0 - line->scale : line->scale;
    case PATTERN_SPIKE:
        return k == line->change ? random_next(&line->random) : 0;
    default:
        return of_any_magnitude(line);
    }
}
