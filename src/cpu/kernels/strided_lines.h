/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_STRIDED_LINES_H
#define CUMSUM_CPU_STRIDED_LINES_H

/*
 * Floats in lines whose elements are apart in an operand, but nearer to each other than lines are
 * (lines_are_strided in panel_walk.h), one after the other: each line is read and written a tile at
 * a time by way of a small buffer, in which its elements are neighbours. In the sequential order
 * that is for very few lines, or a single one; the others are in block_scans.inl.h.
 */

#include "blocked_segments.h"
#include "float_line.h"
#include "lane_kernels.h"

/* A line, or a piece of one, in the blocked order: a segment. */
KERNEL_INLINE void blocked_line_from(kernel_kind kind, const panel_walk *w, void *carry) {
    blocked_write(kind, w, NULL, carry, (prefetch_range){0});
}

/* Line after line in the blocked order. */
KERNEL_INLINE void blocked_one_by_one(kernel_kind kind, const panel_walk *w) {
    cumsum_blocked_carry carries[MOST_IN_TURN];
    if (!both_contiguous(w))
        scan_in_turn(kind, w, blocked_line_from, carries, sizeof *carries);
    for (uint64_t i = 0; both_contiguous(w) && i < w->lines; i++)
        blocked_line(kind, line_of32(*w, line_at(w, i)));
}

/* One line in the sequential order: where it lies if it is contiguous, otherwise tile by tile. */
KERNEL_INLINE void sequential_line(kernel_kind kind, const panel_walk *w, void *state) {
    line32 piece = line_of32(*w, 0);
    tile_copy32 copy;
    for (uint64_t k = 0; k < w->length; k += piece.length) {
        if (!both_contiguous(w))
            piece = tile_of32(kind, w, k, tile_count32(w, k), &copy);
        sequential_elements(kind, piece, state);
        tile_done32(kind, w, k, (unsigned)piece.length, &copy);
    }
}

/* Line after line; for very few lines, or a single one, which may have a carry. */
KERNEL_INLINE void sequential_one_by_one(kernel_kind kind, const panel_walk *w) {
    sequential_state states[MOST_IN_TURN];
    float *const accumulator = w->carry;
    if (accumulator) {
        states[0] = (sequential_state){.accumulator = *accumulator};
        sequential_line(kind, w, &states[0]);
        *accumulator = states[0].accumulator;
    } else {
        scan_in_turn(kind, w, sequential_line, states, sizeof *states);
    }
}

#endif
