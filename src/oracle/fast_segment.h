/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_SEGMENT_H
#define CUMSUM_ORACLE_FAST_SEGMENT_H

/*
 * Many outputs of a FLOAT32 line at once: docs/oracle.md, "Fast path". fast_segment.c is compiled
 * once for each instruction set, with the same results; fast_judge.c prepares its calls and proves
 * what follows from them.
 *
 * The sums of a segment are formed on a grid, the multiples of a power of two g. Each term x is
 * split into h, the nearest multiple of g, and x - h. As long as the magnitudes add up to at most
 * 2^51 g, sums of h are exact in binary64, in any order. `grid` is 1.5 * 2^52 g: adding it to a
 * number and taking it away again rounds the number to a multiple of g.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most terms of a segment. */
#define FAST_SEGMENT 512

typedef struct fast_segment {
    const unsigned char *terms; /* the first term, and the output that it completes */
    const unsigned char *outputs;
    int64_t term_step; /* bytes from one to the next */
    int64_t output_step;
    size_t count;

    double grid;
    double coefficient; /* an output is accepted if |y - P| <= coefficient * Q; */
    bool rounding; /* and, where this is asked for, if P - doubt and P + doubt both round to y */
    double doubt;
    bool no_minus_zero; /* and, where this is asked for, if it is not -0 */

    /* The multiples of g that the sums start from; on return, with all h added. P is the sum and Q
     * that of the magnitudes, of the terms up to this output; Q may leave out the last ones. */
    double sum;
    double magnitude;

    uint64_t zeros; /* on return: terms that are zero */
    bool off_grid;  /* on return: some term is not its h */
} fast_segment;

/* Are all outputs accepted? The other members are right only then. A NaN or an infinity among the
 * terms makes the magnitude a NaN or an infinity, and one among the outputs is not accepted. */
bool cumsum_fast_accept_baseline(fast_segment *s);
bool cumsum_fast_accept_avx2(fast_segment *s);
bool cumsum_fast_accept_avx512(fast_segment *s);

/* The sums of x - h and of |x| - |h|. They are exact if each is a multiple of a finer g, whose
 * `grid` is given; false if not. */
typedef struct fast_rest {
    double grid;
    double sum;
    double magnitude;
} fast_rest;

bool cumsum_fast_rest_baseline(const fast_segment *s, fast_rest *rest);
bool cumsum_fast_rest_avx2(const fast_segment *s, fast_rest *rest);
bool cumsum_fast_rest_avx512(const fast_segment *s, fast_rest *rest);

#endif
