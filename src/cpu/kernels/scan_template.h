/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on a block of LANES lines times LANES elements, lanes being lines, and where
 * the blocks of a chunk are.
 *
 * Included once per lane width. Parameters:
 *   WIDTH, LANES, VECTOR   as in block_template.h
 */

#define SCAN_JOIN2(name, width) name##width
#define SCAN_JOIN(name, width)  SCAN_JOIN2(name, width)
#define FN(name)                SCAN_JOIN(name, WIDTH)

/* Blocks that are written together: a chunk. So that no cache line is written in pieces, and as few
 * lines are under way as there are lanes: their cache lines have places enough in one set of the
 * first-level cache. */
KERNEL_INLINE unsigned FN(chunk_parts)(element_kind kind) {
    return FN(chunk_bytes)(kind) / (LANES * (unsigned)kind_size(kind));
}

/* In elements of a line. */
KERNEL_INLINE unsigned FN(chunk_length)(element_kind kind) {
    return FN(chunk_parts)(kind) * LANES;
}

KERNEL_INLINE VECTOR FN(step)(element_kind kind, bool exclusive, VECTOR *v, VECTOR tally) {
    const VECTOR next = FN(add_elements)(kind, tally, *v);
    *v = exclusive ? tally : next;
    return next;
}

/* Adds up a block in the order of the line; v becomes the outputs. */
KERNEL_INLINE VECTOR FN(scan_block)(element_kind kind, bool reverse, bool exclusive,
                                    VECTOR v[LANES], VECTOR tally) {
    UNROLL
    for (unsigned j = 0; j < LANES; j++)
        tally = FN(step)(kind, exclusive, &v[reverse ? LANES - 1 - j : j], tally);
    return tally;
}

/* Direction and kind of scan are decided once for a block, so that the loop has none of it. */
KERNEL_INLINE VECTOR FN(scan)(element_kind kind, const panel_walk w, VECTOR v[LANES],
                              VECTOR tally) {
    if (w.reverse)
        return w.exclusive ? FN(scan_block)(kind, true, true, v, tally)
                           : FN(scan_block)(kind, true, false, v, tally);
    return w.exclusive ? FN(scan_block)(kind, false, true, v, tally)
                       : FN(scan_block)(kind, false, false, v, tally);
}

/* The same for lines of `period` elements, a power of two, that lie end to end: each starts from
 * +0. `first` is the block's place in the chunk. */
KERNEL_INLINE VECTOR FN(scan_short)(element_kind kind, const panel_walk w, unsigned first,
                                    VECTOR v[LANES], VECTOR tally) {
    for (unsigned j = 0; j < LANES; j++) {
        if (!((first + j) & (w.period - 1)))
            tally = FN(zero)();
        tally = FN(step)(kind, w.exclusive, &v[w.reverse ? LANES - 1 - j : j], tally);
    }
    return tally;
}

/* The lowest index of the `count` elements from position k on, in the order of the line. */
KERNEL_INLINE uint64_t FN(lowest)(const panel_walk w, uint64_t k, unsigned count) {
    return w.reverse ? w.length - k - count : k;
}

KERNEL_INLINE int64_t FN(offset)(const panel_side side, uint64_t line, uint64_t index) {
    return (int64_t)line * side.line + (int64_t)index * side.element;
}

/* Bytes to part number p of a chunk: along the line, or along the lines. */
KERNEL_INLINE int64_t FN(part_offset)(const panel_side side, bool along, bool reverse,
                                      unsigned parts, unsigned p) {
    if (!along)
        return (int64_t)p * LANES * side.line;
    return (int64_t)(reverse ? parts - 1 - p : p) * LANES * side.element;
}

#undef FN
#undef SCAN_JOIN
#undef SCAN_JOIN2
