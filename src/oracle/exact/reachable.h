/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_REACHABLE_H
#define CUMSUM_ORACLE_REACHABLE_H

/*
 * Every order of additions of a few terms: docs/oracle.md, "Short prefixes". An order is a binary
 * tree whose leaves are the terms, in any sequence. Its nodes add in the arithmetic of a model.
 * Values travel as binary64, which holds the numbers of every format.
 *
 * A zero is returned as +0. Terms that are zero are leaves too, but they count only where flushing
 * must: docs/oracle.md, "Zeros that flush".
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arithmetic.h"

/* The terms other than zeros that are tried always, and on request. */
enum {
    REACH_ALWAYS = 4,
    REACH_MOST = 8
};

/* The values that are kept for REACH_MOST terms. No arithmetic that has one result for each
 * addition can need more: k terms have 1 * 3 * ... * (2k - 3) trees, which adds up to 123,008 for
 * all subsets. */
#define REACH_ROOM ((size_t)1 << 20)

/* A few terms in the sequence of the line. */
typedef struct reach_terms {
    unsigned count;            /* terms that are not zero */
    double values[REACH_MOST]; /* numbers of the output's format, infinities or NaNs */
    uint32_t zeros;            /* bit k: a zero stands directly after the first k values */
} reach_terms;

typedef struct reach_answer {
    bool complete;  /* false: the room was not enough, so that nothing is known */
    bool infinite;  /* a sum of some terms is not finite; known if the arithmetic has no such */
    uint32_t found; /* bit k: y is reached, by store k of cumsum_half_store, whichever of them the
                       arithmetic has; bit 0 alone where sums are stored as they are rounded */
    double lower; /* if bits are missing: the least and the greatest output, or sum before such a */
    double upper; /* store, NaN left out; lower > upper if there is none */
} reach_answer;

/*
 * Which outputs do all orders of the terms give, and is y among them?
 *
 * output         the format into which a sum is rounded
 * y              the bits of the output
 * values         room for REACH_ROOM values; NULL for at most REACH_ALWAYS terms
 */
reach_answer cumsum_reach(const reach_terms *terms, const arithmetic *how,
                          const binary_format *output, uint64_t y, double *values);

/* The sum of the terms from the first to the last, one after the other, without flushing. */
double cumsum_reach_in_sequence(const double *terms, unsigned count, const arithmetic *how);

/* The sum of aligned blocks, the largest first, as parallel scans form it; of 1 term or more. */
double cumsum_reach_in_blocks(const double *terms, unsigned count, const arithmetic *how);

#endif
