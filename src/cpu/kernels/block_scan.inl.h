/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on a block of LANES lines by LANES elements (blocks.inl.h). Lanes are lines,
 * so each lane adds up its own line one element after the other, and the bits are those of the
 * reference. The order of a line's elements among the vectors of a block is that of memory; a
 * reversed scan takes the vectors from the last to the first.
 *
 * Also here: chunks. A chunk is the blocks that are written together. It is a cache line wide where
 * the vector operations say so (CHUNK_BYTES), so that no cache line is written in pieces; and it
 * has no more lines than lanes, because the cache lines of more would evict each other from one set
 * of the first-level cache when lines are a power of two apart.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_blocks.h includes this file.
 */
#include "elements.h"
#include "panel_walk.h"

#ifndef WIDTH
#error "block_scan.inl.h: define WIDTH"
#endif

KERNEL_INLINE unsigned FN(chunk_blocks)(kernel_kind kind) {
    return FN(chunk_bytes)(kind) / (LANES * (unsigned)kind_size(kind));
}

/* Elements of a line in a chunk. */
KERNEL_INLINE unsigned FN(chunk_length)(kernel_kind kind) {
    return FN(chunk_blocks)(kind) * LANES;
}

/* Adds one element of each line to the accumulator and makes it that element's output. */
KERNEL_INLINE VECTOR FN(step)(kernel_kind kind, bool exclusive, VECTOR *v, VECTOR accumulator) {
    const VECTOR next = FN(add_elements)(kind, accumulator, *v);
    *v = exclusive ? accumulator : next;
    return next;
}

/* Scans a block in place and returns the new accumulator. */
KERNEL_INLINE VECTOR FN(scan_block_as)(kernel_kind kind, bool reversed, bool exclusive,
                                       VECTOR v[LANES], VECTOR accumulator) {
    UNROLL
    for (unsigned j = 0; j < LANES; j++)
        accumulator = FN(step)(kind, exclusive, &v[reversed ? LANES - 1 - j : j], accumulator);
    return accumulator;
}

/* Tests direction and exclusivity once per block, so that they are constants in its loop. */
KERNEL_INLINE VECTOR FN(scan_block)(kernel_kind kind, const panel_walk w, VECTOR v[LANES],
                                    VECTOR accumulator) {
    if (w.reversed)
        return w.exclusive ? FN(scan_block_as)(kind, true, true, v, accumulator)
                           : FN(scan_block_as)(kind, true, false, v, accumulator);
    return w.exclusive ? FN(scan_block_as)(kind, false, true, v, accumulator)
                       : FN(scan_block_as)(kind, false, false, v, accumulator);
}

/* The same for joined lines of `period` elements (join_short_lines): the accumulator is +0 again
 * where one begins. `first` is the block's first position in the chunk. */
KERNEL_INLINE VECTOR FN(scan_joined_block_as)(kernel_kind kind, bool reversed, bool exclusive,
                                              uint64_t period, unsigned first, VECTOR v[LANES],
                                              VECTOR accumulator) {
    UNROLL
    for (unsigned j = 0; j < LANES; j++) {
        if (!((first + j) & (period - 1)))
            accumulator = FN(zero)();
        accumulator = FN(step)(kind, exclusive, &v[reversed ? LANES - 1 - j : j], accumulator);
    }
    return accumulator;
}

KERNEL_INLINE VECTOR FN(scan_joined_block)(kernel_kind kind, const panel_walk w, unsigned first,
                                           VECTOR v[LANES], VECTOR accumulator) {
    const uint64_t period = w.period;
    if (w.reversed)
        return w.exclusive
                   ? FN(scan_joined_block_as)(kind, true, true, period, first, v, accumulator)
                   : FN(scan_joined_block_as)(kind, true, false, period, first, v, accumulator);
    return w.exclusive
               ? FN(scan_joined_block_as)(kind, false, true, period, first, v, accumulator)
               : FN(scan_joined_block_as)(kind, false, false, period, first, v, accumulator);
}

/* The lowest index of the `count` elements that the scan visits from position k on. */
KERNEL_INLINE uint64_t FN(lowest)(const panel_walk w, uint64_t k, unsigned count) {
    return w.reversed ? w.length - k - count : k;
}

KERNEL_INLINE int64_t FN(offset)(const operand of, uint64_t line, uint64_t index) {
    return (int64_t)line * of.line_step + (int64_t)index * of.element_step;
}

/* Bytes from the start of a chunk to its block number b in the order of the scan. The blocks of a
 * chunk follow each other along the lines (`along`) or lie side by side, each of other lines. */
KERNEL_INLINE int64_t FN(block_offset)(const operand of, bool along, bool reversed, unsigned blocks,
                                       unsigned b) {
    if (!along)
        return (int64_t)b * LANES * of.line_step;
    return (int64_t)(reversed ? blocks - 1 - b : b) * LANES * of.element_step;
}
