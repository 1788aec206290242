/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DATA_PATTERN_H
#define CUMSUM_TESTS_DATA_PATTERN_H

/* Patterns of data that a wrong kernel fails on. Values that are rare in random numbers are common
 * here. */

#include "splitmix64.h"

#include <cumsum/cumsum.h>

typedef enum data_pattern {
    PATTERN_BITS,           /* any bits: NaN, infinities and subnormals among them */
    PATTERN_MODERATE,       /* random signs, a few binades, no sum of them exact */
    PATTERN_WIDE,           /* random signs and exponents, finite */
    PATTERN_SMALL_INTEGERS, /* sums are exact in every order */
    PATTERN_MASK,           /* zeros and ones */
    PATTERN_EXACT_UNTIL,    /* small integers up to some element, then fractions as well */
    PATTERN_EXACT_LIMIT,    /* integers whose sums just reach the end of the mantissa */
    PATTERN_NAN,            /* a NaN, of any sign and payload, somewhere in the line */
    PATTERN_INFINITY,       /* an infinity, and soon or much later perhaps the other one */
    PATTERN_ZEROS,          /* zeros of both signs, seldom something else */
    PATTERN_SUBNORMAL,      /* subnormals of both signs */
    PATTERN_NEAR_SUBNORMAL, /* normal numbers whose sums are subnormal or zero */
    PATTERN_TIES,           /* every other sum is half way between two numbers */
    PATTERN_OVERFLOW,       /* sums around the largest number, on both sides of each threshold */
    PATTERN_RUNS,           /* the same number again and again, then another one */
    PATTERN_ALTERNATING,    /* large numbers that cancel, and small ones that get lost */
    PATTERN_GROWING,        /* each number as large as all before it, up or down */
    PATTERN_SPIKE,          /* zeros, and one number at or beside a multiple of 16 */
    PATTERN_CARRY,          /* integers: sums that cross 2^31, 2^32, 2^63; floats: as BITS */
    PATTERN_BINADE,         /* a sum near an end of its binade; quarters of its last place */
    PATTERN_GRIDS,          /* large numbers, halves of their last place, and far smaller ones */
    PATTERN_COUNT
} data_pattern;

/* "nan", "exact-until". */
const char *data_pattern_name(data_pattern pattern);

/* The state of the generator of a line's elements. Each line has its own. */
typedef struct pattern_line {
    data_pattern pattern;
    uint64_t random;
    uint64_t length;
    uint64_t change;   /* the element at which the line changes its character */
    uint32_t scale;    /* a random number, one for the whole line */
    uint64_t repeated; /* RUNS: the current number */
    uint32_t left;     /* RUNS: how many more times it is repeated */
} pattern_line;

/* The elements depend on the pattern, the seed, the number of the line and its length alone. */
void pattern_line_begin(pattern_line *line, data_pattern pattern, uint64_t seed, uint64_t number,
                        uint64_t length);

/* The bits of element k. Call it for k = 0, 1, 2, ... in order. */
uint32_t pattern_float32(pattern_line *line, uint64_t k);
uint32_t pattern_float16(pattern_line *line, uint64_t k);
uint64_t pattern_integer(pattern_line *line, uint64_t k);

/* Packs the elements of a line. */
void pattern_fill(pattern_line *line, cumsum_data_type type, unsigned char *elements);

#endif
