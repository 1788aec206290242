/* SPDX-License-Identifier: MIT */
/*
 * The scans in blocks of the AVX-512 kernels: AVX2's vector operations in the 32 registers of
 * AVX-512. Blocks of 8 lines take less time than those of 16, measured on Zen 4 by a factor of 1.3
 * in cache, and on Sapphire Rapids of 1.1 to 1.2 in long rows:
 * - a transposition of 8 lanes takes three rounds of shuffles instead of four, of vectors that two
 *   ports can shuffle at once;
 * - if lines are a power of two apart, the first-level cache has one set for their cache lines,
 *   which holds 8 to 12.
 * Exports only its table.
 */
#include "vector_ops_avx2.h"

#define BLOCK_SCANS cumsum_avx512_blocks
#define BLOCK_SCANS_STATIC
#include "block_scans.inl.h"
