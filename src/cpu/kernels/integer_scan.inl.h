/* SPDX-License-Identifier: MIT */
/*
 * Integers, in every order at once: addition modulo 2^WIDTH is associative, so all groupings give
 * the same bits, and the running sums of line_scan.inl.h serve whatever order is asked for. Long
 * lines are scanned one by one; the others are scanned with a line per lane. Segments of a
 * line (segment.h) carry one number, the accumulator.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file after line_scan.inl.h.
 */
#include "elements.h"
#include "panel_walk.h"

#ifndef WIDTH
#error "integer_scan.inl.h: define WIDTH"
#endif

#define BLOCK_VECTORS (LINE_BLOCK / LANES)

/* A lane as an unsigned integer, which C adds modulo 2^WIDTH. */
#if WIDTH == 32
typedef uint32_t FN(lane);
#else
typedef uint64_t FN(lane);
#endif

/* The accumulator of a segment, modulo 2^WIDTH, in all lanes. */
KERNEL_INLINE VECTOR FN(all_lanes_integer)(uint64_t value) {
    FN(lane) lanes[LANES];
    for (size_t i = 0; i < LANES; i++)
        lanes[i] = (FN(lane))value;
    return FN(load)(lanes);
}

/* The sum of a tile, spread over the lanes in any way. */
KERNEL_INLINE VECTOR FN(tile_sum)(kernel_kind kind, const LINE line) {
    VECTOR v[BLOCK_VECTORS], sum[BLOCK_VECTORS];
    unsigned k = 0;
    UNROLL
    for (size_t r = 0; r < BLOCK_VECTORS; r++)
        sum[r] = FN(zero)();
    for (; k + LINE_BLOCK <= line.length; k += LINE_BLOCK) {
        FN(load_line_block)(kind, line, k, LINE_BLOCK, v);
        UNROLL
        for (size_t r = 0; r < BLOCK_VECTORS; r++)
            sum[r] = FN(add_elements)(kind, sum[r], v[r]);
    }
    if (k < line.length) {
        FN(load_line_block)(kind, line, k, (unsigned)line.length - k, v);
        for (size_t r = 0; r < BLOCK_VECTORS; r++)
            sum[r] = FN(add_elements)(kind, sum[r], v[r]);
    }
    for (size_t r = 1; r < BLOCK_VECTORS; r++)
        sum[0] = FN(add_elements)(kind, sum[0], sum[r]);
    return sum[0];
}

/* The `reduce` of cumsum_segment_functions. */
KERNEL_INLINE void FN(integer_reduce)(kernel_kind kind, const panel_walk *w,
                                      cumsum_segment_sums *sums) {
    VECTOR sum = FN(zero)();
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        TILE_COPY copy;
        const LINE line = FN(tile_input)(kind, w, k, FN(tile_count)(w, k), &copy);
        sum = FN(add_elements)(kind, sum, FN(tile_sum)(kind, line));
    }
    FN(lane) lanes[LANES], total = 0;
    FN(store)(lanes, sum);
    for (size_t i = 0; i < LANES; i++)
        total += lanes[i];
    sums->integer = total;
}

/* The `write` of cumsum_segment_functions: from the carry on, which moves on; or, where that is
 * NULL, from before->integer on. */
KERNEL_INLINE void FN(integer_write)(kernel_kind kind, const panel_walk *w,
                                     const cumsum_segment_sums *before, void *carry,
                                     const prefetch_range next) {
    FN(lane) *const sum = carry;
    const VECTOR accumulator = FN(all_lanes_integer)(sum ? *sum : before->integer);
    LINE_CARRY c = {FN(zero)(), accumulator, accumulator};
    for (uint64_t k = 0; k < w->length; k += LINE_TILE) {
        const unsigned count = FN(tile_count)(w, k);
        TILE_COPY copy;
        FN(scan_tile)(kind, FN(tile_of)(kind, w, k, count, &copy), next, k, &c);
        FN(tile_done)(kind, w, k, count, &copy);
    }
    if (sum) {
        FN(lane) lanes[LANES];
        FN(store)(lanes, c.blocks);
        *sum = lanes[0];
    }
}

/* Contiguous lines, one by one. The carry over the blocks need not stop at tiles. */
KERNEL_INLINE void FN(integer_contiguous_lines)(kernel_kind kind, const panel_walk *w) {
    for (uint64_t i = 0; i < w->lines; i++) {
        const LINE line = FN(line_of)(*w, line_at(w, i));
        LINE_CARRY c = {FN(zero)(), FN(zero)(), FN(zero)()};
        FN(scan_line)(kind, line, 0, line.length, &c);
    }
}

/* A line, or a piece of one: a segment. */
KERNEL_INLINE void FN(integer_line)(kernel_kind kind, const panel_walk *w, void *carry) {
    FN(integer_write)(kind, w, NULL, carry, (prefetch_range){0});
}

KERNEL_INLINE void FN(integer_one_by_one)(kernel_kind kind, const panel_walk *w) {
    FN(lane) carries[MOST_IN_TURN];
    if (both_contiguous(w))
        FN(integer_contiguous_lines)(kind, w);
    else
        scan_in_turn(kind, w, FN(integer_line), carries, sizeof *carries);
}

#undef BLOCK_VECTORS
