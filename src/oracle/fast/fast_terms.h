/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_TERMS_H
#define CUMSUM_ORACLE_FAST_TERMS_H

/*
 * The terms of a line, a block at a time, and how far their prefix sums range. fast_terms.c is
 * compiled once for each instruction set, with the same results: eight sums are kept at a time,
 * whatever the width of the vectors is.
 *
 * Each prefix sum is the one of eight terms before, and a window of eight: a sum of neighbours in
 * binary64. With R the range of the exact prefix sums of n terms, it is within R ((1 + 2^-53)^n -
 * 1) of the exact sum (docs/oracle.md, "Not by neighbours").
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TERMS_BLOCK = 256,
    TERMS_LANES = 8
};

typedef struct fast_terms {
    /* The terms of a block, with zeros before the first and behind the last one. */
    double value[TERMS_LANES + TERMS_BLOCK];
    double pairs[TERMS_LANES + TERMS_BLOCK];
    double quads[TERMS_LANES + TERMS_BLOCK];
    size_t count;
    bool special;   /* a term is an infinity or a NaN: what follows is of no use */
    bool off_grid;  /* adding `grid` to a term and taking it away again changes the term */
    bool small;     /* a term other than 0 is below `least` in magnitude */
    size_t nonzero; /* terms */
    double largest; /* the greatest magnitude */
    double total;   /* of the magnitudes */
    double sum;     /* of the terms before the block; on return, and those of the block */
    double top;     /* the greatest and the least prefix sum so far */
    double bottom;
} fast_terms;

/* Makes `count` elements, `step` bytes apart, the terms of the block. `precision` tells the type.
 */
void cumsum_terms_load_baseline(fast_terms *t, const unsigned char *base, int64_t step,
                                size_t count, int precision);
void cumsum_terms_load_avx2(fast_terms *t, const unsigned char *base, int64_t step, size_t count,
                            int precision);
void cumsum_terms_load_avx512(fast_terms *t, const unsigned char *base, int64_t step, size_t count,
                              int precision);

/* Fills in the rest. */
void cumsum_terms_add_baseline(fast_terms *t, double grid, double least);
void cumsum_terms_add_avx2(fast_terms *t, double grid, double least);
void cumsum_terms_add_avx512(fast_terms *t, double grid, double least);

#endif
