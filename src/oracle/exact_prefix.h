/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_EXACT_PREFIX_H
#define CUMSUM_ORACLE_EXACT_PREFIX_H

/* A prefix of a line, summed exactly: the superaccumulator of the oracle. */

#include "binary_format.h"

typedef struct exact_prefix {
    const binary_format *format; /* of the terms; sums are in units of its quantum */
    uint64_t terms;              /* m, whatever they are */
    wide sum;                    /* S: of the finite terms */
    wide magnitude;              /* A: of their absolute values */
    unsigned lowest;             /* position of the lowest bit set in any finite term */
    bool nan;
    bool positive_infinity;
    bool negative_infinity;
} exact_prefix;

static inline exact_prefix exact_prefix_empty(const binary_format *format) {
    return (exact_prefix){.format = format, .lowest = ~0u};
}

void cumsum_exact_prefix_add(exact_prefix *p, uint32_t bits);

/* True where every sum of some of the terms is a number of `precision` bits, so that no order of
 * additions rounds anything: all of them are multiples of 2^lowest, and of at most 2^precision
 * times that in magnitude. (Overflow is another matter.) */
bool cumsum_exact_prefix_never_rounds(const exact_prefix *p, int precision);

/* The sum, rounded once to the format of the terms. */
static inline uint32_t cumsum_exact_prefix_round(const exact_prefix *p) {
    return cumsum_format_round(p->format, &p->sum, p->format->quantum);
}

#endif
