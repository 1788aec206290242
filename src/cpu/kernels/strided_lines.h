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

/* A line is one segment, whose carry-in is that of the start of a line. */
KERNEL_INLINE void blocked_strided_lines(kernel_kind kind, const panel_walk *w) {
    const unsigned lines = lines_in_turn(w);
    for (uint64_t i = 0; i < all_lines(w); i += lines) {
        cumsum_blocked_carry carry[FEW_GATHERED];
        memset(carry, 0, sizeof carry);
        for (uint64_t k = 0; k < w->length; k += piece_length(w, k)) {
            for (unsigned l = 0; l < lines; l++) {
                const panel_walk piece = line_piece(w, line_at(w, i + l), k, piece_length(w, k));
                blocked_write(kind, &piece, NULL, &carry[l], (prefetch_range){0});
            }
        }
    }
}

/* Line after line in the blocked order. */
KERNEL_INLINE void blocked_one_by_one(kernel_kind kind, const panel_walk *w) {
    if (!both_contiguous(w)) {
        blocked_strided_lines(kind, w);
        return;
    }
    for (uint64_t i = 0; i < w->lines; i++)
        blocked_line(kind, line_of32(*w, line_at(w, i)));
}

/* One line in the sequential order: where it lies if it is contiguous, otherwise tile by tile. */
KERNEL_INLINE void sequential_line(kernel_kind kind, const panel_walk *w, sequential_state *state) {
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
    const unsigned lines = lines_are_strided(w) ? lines_in_turn(w) : 1;
    float *const accumulator = w->carry;
    for (uint64_t i = 0; i < all_lines(w); i += lines) {
        sequential_state state[FEW_GATHERED];
        for (unsigned l = 0; l < FEW_GATHERED; l++)
            state[l] = SEQUENTIAL_START;
        if (accumulator)
            state[0].accumulator = *accumulator;
        for (uint64_t k = 0; k < w->length; k += piece_length(w, k)) {
            for (unsigned l = 0; l < lines; l++) {
                const panel_walk piece = line_piece(w, line_at(w, i + l), k, piece_length(w, k));
                sequential_line(kind, &piece, &state[l]);
            }
        }
        if (accumulator)
            *accumulator = state[0].accumulator;
    }
}

#endif
