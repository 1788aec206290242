/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_REACHABLE_H
#define CUMSUM_ORACLE_REACHABLE_H

/*
 * Every order of additions of a few terms: docs/oracle.md, "Short prefixes". An order is a binary
 * tree whose leaves are the terms, in any sequence. Its nodes add in the arithmetic of a model.
 * Values travel as binary64, which holds the numbers of every format.
 *
 * A zero is returned as +0: additions of a zero change nothing but the sign of another zero.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "binary_format.h"

/* The terms that are tried always, and on request. Terms that are zero do not count. */
enum {
    REACH_ALWAYS = 4,
    REACH_MOST = 8
};

/* The values that are kept for REACH_MOST terms. No arithmetic that does not flush can need
 * more: k terms have 1 * 3 * ... * (2k - 3) trees, which adds up to 123,008 for all subsets. */
#define REACH_ROOM ((size_t)1 << 20)

typedef enum reach_arithmetic {
    REACH_BINARY32,
    REACH_BINARY32_FLUSH, /* any subnormal term and sum may be replaced by a zero, or kept */
    REACH_BINARY16,
    REACH_BINARY16_TRUNCATING, /* from 65536 on infinity */
    REACH_BINARY16_SATURATING, /* truncating; from 65536 on 65504 */
    REACH_BFLOAT16,
    REACH_BINARY64,
    REACH_BINARY64_FLUSH /* as REACH_BINARY32_FLUSH */
} reach_arithmetic;

typedef struct reach_answer {
    bool complete;  /* false: the room was not enough, so that nothing is known */
    uint32_t found; /* bit k: y is reached, by store k of cumsum_half_store; bit 0 alone where the
                       output has more than 16 bits */
    double lower;   /* if bits are missing: the least and the greatest sum, NaN left out; */
    double upper;   /* lower > upper if there is none */
} reach_answer;

/*
 * Which outputs do all orders of the terms give, and is y among them?
 *
 * terms, count   numbers of the output's format, infinities or NaNs; at most REACH_MOST
 * output         the format into which a sum is rounded
 * y              the bits of the output
 * values         room for REACH_ROOM values; NULL for at most REACH_ALWAYS terms
 */
reach_answer cumsum_reach(const double *terms, unsigned count, reach_arithmetic how,
                          const binary_format *output, uint64_t y, double *values);

/* Is called with a sum of all terms; returns false once no other one is asked for. */
typedef bool reach_visit(void *context, double sum);

/* Calls visit for the sum of each order of the terms, for equal ones perhaps more than once.
 * Returns false if the room was not enough, so that some are missing. */
bool cumsum_reach_each(const double *terms, unsigned count, reach_arithmetic how, double *values,
                       reach_visit *visit, void *context);

/* Does this arithmetic perhaps replace the value by a zero? */
bool cumsum_reach_flushes(double value, reach_arithmetic how);

/* The sum of the terms from the first to the last, one after the other. */
double cumsum_reach_in_sequence(const double *terms, unsigned count, reach_arithmetic how);

/* The sum of aligned blocks, the largest first, as parallel scans form it; of 1 term or more. */
double cumsum_reach_in_blocks(const double *terms, unsigned count, reach_arithmetic how);

#endif
