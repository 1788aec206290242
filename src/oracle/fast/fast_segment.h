/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_SEGMENT_H
#define CUMSUM_ORACLE_FAST_SEGMENT_H

/*
 * Many outputs of a FLOAT32 line at once: docs/oracle.md, "Fast path". fast_segment.c is compiled
 * once for each instruction set, with the same results; fast_line.c prepares its calls. The proof
 * is in docs/oracle.md, "Fast path".
 *
 * The sums of a segment are formed on a grid, the multiples of a power of two g. Each term x is
 * split into c, the nearest multiple of g, and x - c. As long as the magnitudes add up to at most
 * 2^51 g, sums of c are exact in binary64, in any order. `grid` is 1.5 * 2^52 g: adding it to a
 * number and taking it away again rounds the number to a multiple of g.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^exponent, for the exponents of normal numbers. */
static inline double fast_power(int exponent) {
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* `grid` for g = 2^exponent. */
static inline double fast_grid(int exponent) {
    return 1.5 * fast_power(52 + exponent);
}

static inline double fast_rounded(double value, double grid) {
    return (value + grid) - grid;
}

/* The e for which a normal, positive number is in [2^e, 2^(e + 1)). */
static inline int fast_exponent(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

/* The most terms of a segment. */
#define FAST_SEGMENT 512

/* How an output is compared with the magnitudes. */
typedef enum fast_bound {
    FAST_STEPS,   /* sequential outputs: |y - P| before some of them, and the most that their
                     roundings add to it, with the magnitude before them. It may be refused.
                     `rounded` must be false, and there may be at most two grids */
    FAST_NEAR,    /* with the magnitude of some of its last terms left out: it may be refused */
    FAST_PRODUCT, /* |y - P| <= largest u Q */
    FAST_QUOTIENT /* |y - P| / (u Q) <= largest */
} fast_bound;

/* The grids on which sums are formed: that of g only; a finer one for the rests as well; and the
 * finest one for what the rests leave. */
typedef enum fast_grids {
    FAST_ONE_GRID,
    FAST_TWO_GRIDS,
    FAST_THREE_GRIDS
} fast_grids;

/* The finer ones are multiples of g times 2^-43 and 2^-54. */
#define FAST_FINE   43
#define FAST_FINEST 54

typedef struct fast_segment {
    const unsigned char *terms; /* the first term, and the output that it completes */
    const unsigned char *outputs;
    int64_t term_step; /* bytes from one to the next */
    int64_t output_step;
    size_t count;

    double grid; /* of g */
    double fine_grid;
    double finest_grid;
    double largest; /* the error, in units of u Q, up to which an output is accepted */
    fast_bound bound;
    fast_grids grids;
    bool rounded;       /* must each output be the sum, rounded once? */
    bool no_minus_zero; /* is -0 refused? */
    bool sequential; /* is each output the one before it plus its term? Taken back if not, and not
                        looked at if it is false. A NaN is nothing's sum. */

    /* The sum P and the magnitude Q that the segment starts from; on return, after its last term.
     * Both are multiples of g. The rests, x - c and |x| - |c|, are added on the finer grids. */
    double sum;
    double magnitude;
    double sum_rest;
    double magnitude_rest;
    double sum_remainder; /* what is not on the finer grid, if there is a finest one */
    double magnitude_remainder;

    double error;  /* y - S of the output before the segment */
    double errors; /* on return: |y - P| is at most this, */
    double jumps;  /* and differs by at most this from one output to the next. Both are not looked
                      for where each output must be the sum, rounded. */
    double top;    /* on return: the greatest and the least of some of the sums P */
    double bottom;
    uint64_t zeros; /* on return: terms that are zero */
    bool off_grid;  /* on return: some term is not on the grids */
} fast_segment;

/* Are all outputs accepted? The sums on return are those of the terms, if the magnitude is at most
 * 2^51 g. A NaN or an infinity among the terms makes the magnitude a NaN or an infinity; one among
 * the outputs is not accepted. */
bool cumsum_fast_accept_baseline(fast_segment *s);
bool cumsum_fast_accept_avx2(fast_segment *s);
bool cumsum_fast_accept_avx512(fast_segment *s);

/* Adds all terms on two grids, without looking at outputs: c, |c| and the rests. */
void cumsum_fast_sums_baseline(fast_segment *s);
void cumsum_fast_sums_avx2(fast_segment *s);
void cumsum_fast_sums_avx512(fast_segment *s);

/* The terms of a group, between which a loop over single terms settles its sums (line_sum.h). */
#define FAST_GROUP 8

/* The sums before each group, and about the largest |y - S| / (u A) of its outputs. */
typedef struct fast_groups {
    double sum[FAST_SEGMENT / FAST_GROUP];
    double magnitude[FAST_SEGMENT / FAST_GROUP];
    double sum_rest[FAST_SEGMENT / FAST_GROUP];
    double magnitude_rest[FAST_SEGMENT / FAST_GROUP];
    double sum_remainder[FAST_SEGMENT / FAST_GROUP];
    double magnitude_remainder[FAST_SEGMENT / FAST_GROUP];
    double error[FAST_SEGMENT / FAST_GROUP];
} fast_groups;

/* The groups of a segment that is accepted. */
void cumsum_fast_look_baseline(const fast_segment *s, fast_groups *groups);
void cumsum_fast_look_avx2(const fast_segment *s, fast_groups *groups);
void cumsum_fast_look_avx512(const fast_segment *s, fast_groups *groups);

/* The least magnitude of a term that is not zero, and the greatest one, as bits. */
typedef struct fast_extent {
    uint32_t least; /* above all numbers, if there are only zeros */
    uint32_t greatest;
} fast_extent;

fast_extent cumsum_fast_extent_baseline(const fast_segment *s);
fast_extent cumsum_fast_extent_avx2(const fast_segment *s);
fast_extent cumsum_fast_extent_avx512(const fast_segment *s);

#endif
