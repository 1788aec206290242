/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_ORDER_H
#define CUMSUM_ORACLE_FAST_ORDER_H

/*
 * Named orders of FLOAT32, many outputs at once: docs/oracle.md, "Fast path". fast_order.c is
 * compiled once for each instruction set, with the same results. Values are compared: +0 equals -0,
 * and a NaN equals nothing.
 */

#include <stdbool.h>
#include <stddef.h>

/* Is y[k] == y[k - 1] + x[k] for k in [0, n)? Reads y[-1]. */
bool cumsum_fast_in_sequence_baseline(const float *x, const float *y, size_t n);
bool cumsum_fast_in_sequence_avx2(const float *x, const float *y, size_t n);
bool cumsum_fast_in_sequence_avx512(const float *x, const float *y, size_t n);

/* The terms of a tile of the blocked order. */
#define FAST_TILE 1024

/* Is y the blocked scan of a tile of n terms, behind tiles with this sum? Sets *total to the sum of
 * the tile, if n is FAST_TILE. */
bool cumsum_fast_tile_baseline(const float *x, const float *y, size_t n, float carry_in,
                               float *total);
bool cumsum_fast_tile_avx2(const float *x, const float *y, size_t n, float carry_in, float *total);
bool cumsum_fast_tile_avx512(const float *x, const float *y, size_t n, float carry_in,
                             float *total);

/* Sets sums to the blocked scan of a tile of n terms, behind tiles with this sum. Returns the sum
 * of the tile, if n is FAST_TILE. */
float cumsum_fast_scan_tile_baseline(const float *x, float *sums, size_t n, float carry_in);
float cumsum_fast_scan_tile_avx2(const float *x, float *sums, size_t n, float carry_in);
float cumsum_fast_scan_tile_avx512(const float *x, float *sums, size_t n, float carry_in);

/* Replace v by its scan in the Hillis-Steele order. history has room for n floats. */
void cumsum_fast_hillis_steele_baseline(float *v, float *history, size_t n);
void cumsum_fast_hillis_steele_avx2(float *v, float *history, size_t n);
void cumsum_fast_hillis_steele_avx512(float *v, float *history, size_t n);

/* Replace v by its scan in these orders. */
void cumsum_fast_sklansky_baseline(float *v, size_t n);
void cumsum_fast_sklansky_avx2(float *v, size_t n);
void cumsum_fast_sklansky_avx512(float *v, size_t n);
void cumsum_fast_blelloch_baseline(float *v, size_t n);
void cumsum_fast_blelloch_avx2(float *v, size_t n);
void cumsum_fast_blelloch_avx512(float *v, size_t n);

#endif
