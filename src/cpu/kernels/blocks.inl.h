/* SPDX-License-Identifier: MIT */
/*
 * Blocks of LANES lines by LANES elements between memory and registers. In registers a vector holds
 * one element of each line: lane l of v[j] is element j of line l. An interleaved operand lies in
 * memory like that. A contiguous one has a line's elements as neighbours, and is transposed on the
 * way. Strided operands do not come here (column_scan.inl.h).
 *
 * Parameter: WIDTH (kernel_macros.h). lane_blocks.h includes this file.
 */
#include "elements.h"
#include "panel_walk.h"

#ifndef WIDTH
#error "blocks.inl.h: define WIDTH"
#endif

/* `pattern` is of.pattern where that is a constant to the caller. */
KERNEL_INLINE void FN(load_block)(kernel_kind kind, const operand of, access_pattern pattern,
                                  const unsigned char *address, VECTOR v[LANES]) {
    if (pattern == ACCESS_CONTIGUOUS) {
        FN(load_lines)(kind, address, of.line_step, v);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned char *from = address + (int64_t)i * of.element_step;
        v[i] = FN(load_elements)(kind, from);
    }
}

/* Makes a block ready for FN(store_vector): brings it into the order of memory. */
KERNEL_INLINE void FN(arrange_block)(kernel_kind kind, cumsum_half_store store,
                                     access_pattern pattern, VECTOR v[LANES]) {
    FN(finish_accumulators)(kind, store, v, LANES);
    if (pattern == ACCESS_CONTIGUOUS)
        FN(transpose)(v);
}

/* Stores vector number i of a block in the order of memory. */
KERNEL_INLINE void FN(store_vector)(kernel_kind kind, const operand of, access_pattern pattern,
                                    unsigned char *address, bool stream, unsigned i, VECTOR v) {
    const int64_t step = pattern == ACCESS_CONTIGUOUS ? of.line_step : of.element_step;
    unsigned char *to = address + (int64_t)i * step;
    if (stream)
        FN(stream_elements)(kind, to, v);
    else
        FN(store_elements)(kind, to, v);
}

/* For partial blocks, which are too rare to have the shuffles repeated at each use. */
KERNEL_OUTLINE void FN(transpose_outlined)(VECTOR v[LANES]) {
    FN(transpose)(v);
}

/* A block with fewer lines or elements. Touches nothing beyond them; the other lanes are 0. */
KERNEL_INLINE void FN(load_partial_block)(kernel_kind kind, const operand of,
                                          const unsigned char *address, unsigned lines,
                                          unsigned elements, VECTOR v[LANES]) {
    const partial_block block = partial_block_of(of, lines, elements);
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
    for (unsigned i = 0; i < block.vectors; i++)
        v[i] = FN(load_tail)(kind, address + (int64_t)i * block.step, block.count);
    if (of.pattern == ACCESS_CONTIGUOUS)
        FN(transpose_outlined)(v);
}

KERNEL_INLINE void FN(store_partial_block)(kernel_kind kind, cumsum_half_store store,
                                           const operand of, unsigned char *address, unsigned lines,
                                           unsigned elements, VECTOR v[LANES]) {
    const partial_block block = partial_block_of(of, lines, elements);
    FN(finish_accumulators)(kind, store, v, LANES);
    if (of.pattern == ACCESS_CONTIGUOUS)
        FN(transpose_outlined)(v);
    for (unsigned i = 0; i < block.vectors; i++)
        FN(store_tail)(kind, address + (int64_t)i * block.step, v[i], block.count);
}
