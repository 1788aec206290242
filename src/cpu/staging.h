/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_STAGING_H
#define CUMSUM_CPU_STAGING_H

/*
 * Short lines that lie badly: in small groups, or neither contiguous nor interleaved. Many of them
 * are copied into scratch memory, side by side, scanned there, and copied to where they belong. The
 * copies go through memory in the order of the operand, whatever the order of the lines is.
 */

#include "plan.h"

/* A dimension of a copy, the axis included: steps in bytes. */
typedef struct cumsum_copy_dimension {
    uint64_t size;
    int64_t from_step;
    int64_t to_step;
} cumsum_copy_dimension;

/* Copies elements of `size` bytes along two dimensions. */
void cumsum_copy_plane(uint32_t size, unsigned char *to, const unsigned char *from,
                       cumsum_copy_dimension inner, cumsum_copy_dimension outer);

/* Bytes of scratch memory of a plan that stages its lines: they stay in a first-level cache. */
#define CUMSUM_STAGE_BYTES 32768

/* Decides whether a plan stages its lines, and chooses the function that then computes them. The
 * plan's shape and arithmetic are set. */
void cumsum_plan_choose_staging(cumsum_plan *plan);

/* cumsum_plan_compute_lines, of such a plan. */
void cumsum_plan_compute_staged(const cumsum_plan *plan, const cumsum_binding *binding,
                                uint64_t first, uint64_t count, void *scratch);

#endif
