/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_STAGING_H
#define CUMSUM_CPU_STAGING_H

/*
 * Short lines that lie badly: in small groups, or neither contiguous nor interleaved. Many of them
 * are copied into scratch memory, side by side, scanned there, and copied to where they belong. The
 * copies go through memory in the order of the operand, whatever the order of the lines is.
 */

#include "copy_plane.h"
#include "plan.h"

/* Bytes of scratch memory of a plan that stages its lines: they stay in a first-level cache. */
#define CUMSUM_STAGE_BYTES 32768

/* Decides whether a plan stages its lines, and chooses the function that then computes them. The
 * plan's shape and arithmetic are set. */
void cumsum_plan_choose_staging(cumsum_plan *plan);

/* cumsum_plan_compute_lines, of such a plan. */
void cumsum_plan_compute_staged(const cumsum_plan *plan, const cumsum_binding *binding,
                                uint64_t first, uint64_t count, void *scratch);

#endif
