/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BLOCK_SCANS_H
#define CUMSUM_CPU_BLOCK_SCANS_H

/*
 * The scans in blocks of lines by lanes (block_scans.inl.h), as the other kernels call them: for a
 * walk with a contiguous operand, or with strided lines. AVX-512 has them in an object file of
 * their own, because their vectors are others.
 */

#include "panel_walk.h"

typedef struct block_scans {
    walk_function *sequential;
    walk_function *strided; /* lines_are_strided, in the sequential order; NULL for integers */
    walk_function *blocked; /* of kinds that has_blocked_blocks */
} block_scans;

/* By compiled_kind. */
extern const block_scans cumsum_avx512_blocks[];

#endif
