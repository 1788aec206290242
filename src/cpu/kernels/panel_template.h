/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on a panel, lanes being lines: LANES lines are scanned at once, each lane
 * adding up its own line one element after the other, so the bits are the reference's.
 *
 * Included once per lane width. Parameters:
 *   WIDTH   32 or 64, bits of a lane
 *   LANES   lanes of a vector
 *   VECTOR  its type
 */

#define PANEL_JOIN2(name, width) name##width
#define PANEL_JOIN(name, width)  PANEL_JOIN2(name, width)
#define FN(name)                 PANEL_JOIN(name, WIDTH)

/* A vector of one element of `lines` lines that are `step` bytes apart. */
KERNEL_INLINE VECTOR FN(gather)(element_kind kind, const unsigned char *address, int64_t step,
                                unsigned lines) {
    const size_t size = kind_size(kind);
    unsigned char packed[LANES * 8] = {0};
    for (unsigned l = 0; l < lines; l++)
        memcpy(packed + l * size, address + (int64_t)l * step, size);
    return FN(load_elements)(kind, packed);
}

KERNEL_INLINE void FN(scatter)(element_kind kind, unsigned char *address, int64_t step,
                               unsigned lines, VECTOR v) {
    const size_t size = kind_size(kind);
    unsigned char packed[LANES * 8];
    FN(store_elements)(kind, packed, v);
    for (unsigned l = 0; l < lines; l++)
        memcpy(address + (int64_t)l * step, packed + l * size, size);
}

/* Loads LANES x LANES elements from address on: v[j] lane l is element j of line l. */
KERNEL_INLINE void FN(load_block)(element_kind kind, const panel_side side, panel_way way,
                                  const unsigned char *address, VECTOR v[LANES]) {
    const int64_t step = way == WAY_LINE ? side.line : side.element;
    if (way == WAY_FAR) {
        for (unsigned j = 0; j < LANES; j++)
            v[j] = FN(gather)(kind, address + (int64_t)j * step, side.line, LANES);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(load_elements)(kind, address + (int64_t)i * step);
    if (way == WAY_LINE)
        FN(transpose)(v);
}

KERNEL_INLINE void FN(store_block)(element_kind kind, const panel_side side, panel_way way,
                                   unsigned char *address, bool stream, VECTOR v[LANES]) {
    const int64_t step = way == WAY_LINE ? side.line : side.element;
    if (way == WAY_FAR) {
        for (unsigned j = 0; j < LANES; j++)
            FN(scatter)(kind, address + (int64_t)j * step, side.line, LANES, v[j]);
        return;
    }
    if (way == WAY_LINE)
        FN(transpose)(v);
    if (stream) {
        UNROLL
        for (unsigned i = 0; i < LANES; i++)
            FN(stream_elements)(kind, address + (int64_t)i * step, v[i]);
    } else {
        UNROLL
        for (unsigned i = 0; i < LANES; i++)
            FN(store_elements)(kind, address + (int64_t)i * step, v[i]);
    }
}

/* In memory, for what is not worth a copy of the code. */
KERNEL_OUTLINE void FN(transpose_part)(VECTOR v[LANES]) {
    FN(transpose)(v);
}

/* The same for fewer lines or elements. Nothing beyond them is touched; what is missing is 0. */
KERNEL_INLINE void FN(load_part)(element_kind kind, const panel_side side,
                                 const unsigned char *address, unsigned lines, unsigned elements,
                                 VECTOR v[LANES]) {
    const bool by_line = side.way == WAY_LINE;
    const unsigned vectors = by_line ? lines : elements, count = by_line ? elements : lines;
    const int64_t step = by_line ? side.line : side.element;
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
    for (unsigned i = 0; i < vectors; i++) {
        const unsigned char *from = address + (int64_t)i * step;
        v[i] = side.way == WAY_FAR ? FN(gather)(kind, from, side.line, lines)
                                   : FN(load_some)(kind, from, count);
    }
    if (by_line)
        FN(transpose_part)(v);
}

KERNEL_INLINE void FN(store_part)(element_kind kind, const panel_side side, unsigned char *address,
                                  unsigned lines, unsigned elements, VECTOR v[LANES]) {
    const bool by_line = side.way == WAY_LINE;
    const unsigned vectors = by_line ? lines : elements, count = by_line ? elements : lines;
    const int64_t step = by_line ? side.line : side.element;
    if (by_line)
        FN(transpose_part)(v);
    for (unsigned i = 0; i < vectors; i++) {
        unsigned char *to = address + (int64_t)i * step;
        if (side.way == WAY_FAR)
            FN(scatter)(kind, to, side.line, lines, v[i]);
        else
            FN(store_some)(kind, to, v[i], count);
    }
}

KERNEL_INLINE VECTOR FN(step)(element_kind kind, bool exclusive, VECTOR *v, VECTOR tally) {
    const VECTOR next = FN(add_elements)(kind, tally, *v);
    *v = exclusive ? tally : next;
    return next;
}

/* Adds up a block in the order of the line; v becomes the outputs. A line of `period` elements, a
 * power of two below LANES, ends within the block, and the next one starts from +0. */
KERNEL_INLINE VECTOR FN(scan_block)(element_kind kind, bool reverse, bool exclusive,
                                    unsigned period, VECTOR v[LANES], VECTOR tally) {
    UNROLL
    for (unsigned j = 0; j < LANES; j++) {
        if (j && !(j & (period - 1)))
            tally = FN(zero)();
        tally = FN(step)(kind, exclusive, &v[reverse ? LANES - 1 - j : j], tally);
    }
    return tally;
}

/* The index where block number b begins, in the order of the line: the last one may be short. */
KERNEL_INLINE uint64_t FN(block_index)(const panel_walk w, uint64_t b) {
    const uint64_t after = (b + 1) * LANES;
    if (!w.reverse)
        return b * LANES;
    return after < w.length ? w.length - after : 0;
}

KERNEL_INLINE int64_t FN(offset)(const panel_side side, uint64_t line, uint64_t index) {
    return (int64_t)line * side.line + (int64_t)index * side.element;
}

/* One whole block. Direction and kind of scan are decided once for it, so that the loops have none
 * of it. */
KERNEL_INLINE VECTOR FN(block)(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                               uint64_t line, uint64_t index, VECTOR tally) {
    VECTOR v[LANES];
    FN(load_block)(kind, w.in, in, w.input + FN(offset)(w.in, line, index), v);
    if (w.reverse)
        tally = w.exclusive ? FN(scan_block)(kind, true, true, w.period, v, tally)
                            : FN(scan_block)(kind, true, false, w.period, v, tally);
    else
        tally = w.exclusive ? FN(scan_block)(kind, false, true, w.period, v, tally)
                            : FN(scan_block)(kind, false, false, w.period, v, tally);
    FN(store_block)(kind, w.out, out, w.output + FN(offset)(w.out, line, index), w.stream, v);
    return tally;
}

/* The blocks from number `first` on, where there are fewer lines or elements than lanes. */
KERNEL_INLINE void FN(rest)(element_kind kind, const panel_walk w, uint64_t line, unsigned lines,
                            uint64_t first, VECTOR tally) {
    for (uint64_t b = first; b * LANES < w.length; b++) {
        const uint64_t left = w.length - b * LANES, index = FN(block_index)(w, b);
        const unsigned elements = left < LANES ? (unsigned)left : LANES;
        VECTOR v[LANES];
        FN(load_part)(kind, w.in, w.input + FN(offset)(w.in, line, index), lines, elements, v);
        for (unsigned j = 0; j < elements; j++) {
            if (j && !(j & (w.period - 1)))
                tally = FN(zero)();
            tally = FN(step)(kind, w.exclusive, &v[w.reverse ? elements - 1 - j : j], tally);
        }
        FN(store_part)(kind, w.out, w.output + FN(offset)(w.out, line, index), lines, elements, v);
    }
}

/* FN(rest) for one kind, out of line. */
typedef void FN(rest_function)(const panel_walk *w, uint64_t line, unsigned lines, uint64_t first,
                               VECTOR *tally);

/* Groups of LANES lines that advance together, so that rows of a side-by-side tensor are touched
 * some cache lines at a time. */
#define GROUPS 16

KERNEL_INLINE void FN(groups)(element_kind kind, const panel_walk *w, panel_way in, panel_way out,
                              uint64_t line, unsigned groups, FN(rest_function) * rest) {
    const panel_walk walk = *w; /* a copy that no store can change */
    const uint64_t blocks = walk.length / LANES;
    VECTOR tally[GROUPS];
    for (unsigned g = 0; g < groups; g++)
        tally[g] = FN(zero)();
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t index = FN(block_index)(walk, b);
        for (unsigned g = 0; g < groups; g++)
            tally[g] = FN(block)(kind, walk, in, out, line + (uint64_t)g * LANES, index, tally[g]);
    }
    if (walk.length % LANES)
        for (unsigned g = 0; g < groups; g++)
            rest(w, line + (uint64_t)g * LANES, LANES, blocks, &tally[g]);
}

/* Line by line on both sides is the usual case, and gets code of its own. */
KERNEL_INLINE void FN(blocks_panel)(element_kind kind, const panel_walk *w,
                                    FN(rest_function) * rest) {
    uint64_t line = 0;
    if (w->in.way == WAY_LINE && w->out.way == WAY_LINE) {
        for (; line + LANES <= w->lines; line += LANES)
            FN(groups)(kind, w, WAY_LINE, WAY_LINE, line, 1, rest);
    } else {
        while (line + LANES <= w->lines) {
            const unsigned groups = w->lines - line < (uint64_t)GROUPS * LANES ? 1 : GROUPS;
            FN(groups)(kind, w, w->in.way, w->out.way, line, groups, rest);
            line += (uint64_t)groups * LANES;
        }
    }
    if (line < w->lines) {
        VECTOR tally = FN(zero)();
        rest(w, line, (unsigned)(w->lines - line), 0, &tally);
    }
}

KERNEL_INLINE void FN(sequential_panel)(element_kind kind, const panel_walk *w,
                                        FN(rest_function) * rest) {
    if (w->in.way == WAY_SIDE && w->out.way == WAY_SIDE)
        FN(columns_panel)(kind, *w);
    else
        FN(blocks_panel)(kind, w, rest);
}

#undef GROUPS
#undef FN
#undef PANEL_JOIN
#undef PANEL_JOIN2
