/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_HALF_ORDER_H
#define CUMSUM_ORACLE_FAST_HALF_ORDER_H

/*
 * Named orders of FLOAT16, many outputs at once: docs/oracle.md, "Fast path". fast_half_order.c is
 * compiled once for each instruction set, with the same results. Stored tallies are compared with
 * outputs: +0 equals -0, and a NaN equals nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a tally is formed, and stored as an output. */
typedef enum half_tally {
    HALF_BINARY32, /* binary32, and the store that is given */
    HALF_BINARY64, /* binary64, rounded to binary32, and the store that is given */
    HALF_EXACT,    /* binary64 as long as that is exact, rounded once */
    HALF_BINARY16  /* binary16: the output is the tally */
} half_tally;

typedef struct half_sequence {
    half_tally tally;
    int store;  /* a cumsum_half_store */
    double sum; /* the tally before the first term; on return, that behind the last one */
    bool
        unknown; /* on return: NaN, infinities or large sums, which are not compared rightly here */
} half_sequence;

/* How many outputs are looked at together, at most. */
#define HALVES 512

/* Are n outputs the tallies behind n terms? */
bool cumsum_half_in_sequence_baseline(half_sequence *s, const uint16_t *x, const uint16_t *y,
                                      size_t n);
bool cumsum_half_in_sequence_avx2(half_sequence *s, const uint16_t *x, const uint16_t *y, size_t n);
bool cumsum_half_in_sequence_avx512(half_sequence *s, const uint16_t *x, const uint16_t *y,
                                    size_t n);

/* Lines whose tallies are followed at the same time, since an addition waits for the one before. */
#define HALF_LINES 4

/* The same for HALF_LINES lines of n terms with binary32 tallies, from 0. False too if a term or an
 * output is not finite. */
bool cumsum_half_lines_in_sequence_baseline(const uint16_t *const x[HALF_LINES],
                                            const uint16_t *const y[HALF_LINES], size_t n,
                                            int store);
bool cumsum_half_lines_in_sequence_avx2(const uint16_t *const x[HALF_LINES],
                                        const uint16_t *const y[HALF_LINES], size_t n, int store);
bool cumsum_half_lines_in_sequence_avx512(const uint16_t *const x[HALF_LINES],
                                          const uint16_t *const y[HALF_LINES], size_t n, int store);

/* The values of n finite numbers; false if one is not finite. */
bool cumsum_half_values_baseline(const uint16_t *bits, float *values, size_t n);
bool cumsum_half_values_avx2(const uint16_t *bits, float *values, size_t n);
bool cumsum_half_values_avx512(const uint16_t *bits, float *values, size_t n);

/* Are n outputs these finite tallies, stored? */
bool cumsum_half_stored_baseline(const float *tallies, const uint16_t *y, size_t n, int store);
bool cumsum_half_stored_avx2(const float *tallies, const uint16_t *y, size_t n, int store);
bool cumsum_half_stored_avx512(const float *tallies, const uint16_t *y, size_t n, int store);

#endif
