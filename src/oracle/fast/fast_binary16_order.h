/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_BINARY16_ORDER_H
#define CUMSUM_ORACLE_FAST_BINARY16_ORDER_H

/*
 * Named orders of FLOAT16, many outputs at once: docs/oracle.md, "Fast path". fast_binary16_order.c
 * is compiled once for each instruction set, with the same results. Stored running sums are
 * compared with outputs: +0 equals -0, and a NaN equals nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a running sum is formed, and stored as an output. */
typedef enum accumulator_format {
    IN_BINARY32, /* binary32, and the store that is given */
    IN_BINARY64, /* binary64, rounded to binary32, and the store that is given */
    IN_EXACT,    /* binary64 as long as that is exact, rounded once */
    IN_BINARY16  /* binary16: the output is the running sum */
} accumulator_format;

typedef struct binary16_sequence {
    accumulator_format accumulator;
    int store;  /* a cumsum_half_store */
    double sum; /* the running sum before the first term; on return, that behind the last one */
    bool
        unknown; /* on return: NaN, infinities or large sums, which are not compared rightly here */
} binary16_sequence;

/* How many outputs are looked at together, at most. */
#define HALVES 512

/* Are n outputs the running sums behind n terms? */
bool cumsum_binary16_in_sequence_baseline(binary16_sequence *s, const uint16_t *x,
                                          const uint16_t *y, size_t n);
bool cumsum_binary16_in_sequence_avx2(binary16_sequence *s, const uint16_t *x, const uint16_t *y,
                                      size_t n);
bool cumsum_binary16_in_sequence_avx512(binary16_sequence *s, const uint16_t *x, const uint16_t *y,
                                        size_t n);

/* The values of n finite numbers; false if one is not finite. */
bool cumsum_binary16_values_baseline(const uint16_t *bits, float *values, size_t n);
bool cumsum_binary16_values_avx2(const uint16_t *bits, float *values, size_t n);
bool cumsum_binary16_values_avx512(const uint16_t *bits, float *values, size_t n);

/* Are n outputs these finite running sums, stored? */
bool cumsum_binary16_stored_baseline(const float *running, const uint16_t *y, size_t n, int store);
bool cumsum_binary16_stored_avx2(const float *running, const uint16_t *y, size_t n, int store);
bool cumsum_binary16_stored_avx512(const float *running, const uint16_t *y, size_t n, int store);

#endif
