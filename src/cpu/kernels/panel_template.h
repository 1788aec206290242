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

/* Loads `lines` x `elements` (at most LANES x LANES) from address on: v[j] lane l is element j of
 * line l. What is missing is 0. */
KERNEL_INLINE void FN(load_block)(element_kind kind, const panel_side side, panel_way way,
                                  const unsigned char *address, unsigned lines, unsigned elements,
                                  VECTOR v[LANES]) {
    const unsigned vectors = way == WAY_LINE ? lines : elements;
    const unsigned count = way == WAY_LINE ? elements : lines;
    const int64_t step = way == WAY_LINE ? side.line : side.element;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned char *from = address + (int64_t)i * step;
        if (i >= vectors)
            v[i] = FN(zero)();
        else if (way == WAY_FAR)
            v[i] = FN(gather)(kind, from, side.line, lines);
        else if (count < LANES)
            v[i] = FN(load_some)(kind, from, count);
        else
            v[i] = FN(load_elements)(kind, from);
    }
    if (way == WAY_LINE)
        FN(transpose)(v);
}

KERNEL_INLINE void FN(put)(element_kind kind, unsigned char *address, VECTOR v, unsigned count,
                           bool stream) {
    if (count < LANES)
        FN(store_some)(kind, address, v, count);
    else if (stream)
        FN(stream_elements)(kind, address, v);
    else
        FN(store_elements)(kind, address, v);
}

KERNEL_INLINE void FN(store_block)(element_kind kind, const panel_side side, panel_way way,
                                   unsigned char *address, unsigned lines, unsigned elements,
                                   bool stream, VECTOR v[LANES]) {
    const unsigned vectors = way == WAY_LINE ? lines : elements;
    const unsigned count = way == WAY_LINE ? elements : lines;
    const int64_t step = way == WAY_LINE ? side.line : side.element;
    if (way == WAY_LINE)
        FN(transpose)(v);
    for (unsigned i = 0; i < LANES; i++) {
        unsigned char *to = address + (int64_t)i * step;
        if (i >= vectors)
            continue;
        if (way == WAY_FAR)
            FN(scatter)(kind, to, side.line, lines, v[i]);
        else
            FN(put)(kind, to, v[i], count, stream);
    }
}

KERNEL_INLINE VECTOR FN(step)(element_kind kind, bool exclusive, VECTOR *v, VECTOR tally) {
    const VECTOR next = FN(add_elements)(kind, tally, *v);
    *v = exclusive ? tally : next;
    return next;
}

/* Adds up the block's elements in the order of the line; v becomes the outputs. */
KERNEL_INLINE VECTOR FN(scan_block)(element_kind kind, const panel_walk w, unsigned elements,
                                    VECTOR v[LANES], VECTOR tally) {
    if (w.reverse) {
        for (unsigned j = LANES; j-- > 0;)
            if (j < elements)
                tally = FN(step)(kind, w.exclusive, &v[j], tally);
    } else {
        for (unsigned j = 0; j < LANES; j++)
            if (j < elements)
                tally = FN(step)(kind, w.exclusive, &v[j], tally);
    }
    return tally;
}

/* How the two sides are read and written: constants where it pays. */
typedef struct FN(ways) {
    panel_way in;
    panel_way out;
} FN(ways);

/* One block: lines from `line` on, indices from `index` on. */
KERNEL_INLINE VECTOR FN(block)(element_kind kind, const panel_walk w, const FN(ways) ways,
                               uint64_t line, uint64_t index, unsigned lines, unsigned elements,
                               VECTOR tally) {
    VECTOR v[LANES];
    const int64_t l = (int64_t)line, j = (int64_t)index;
    FN(load_block)
    (kind, w.in, ways.in, w.in.low + l * w.in.line + j * w.in.element, lines, elements, v);
    tally = FN(scan_block)(kind, w, elements, v, tally);
    FN(store_block)
    (kind, w.out, ways.out, w.out.low + l * w.out.line + j * w.out.element, lines, elements,
     w.stream, v);
    return tally;
}

/* The index where block number b begins, in the order of the line: the last one may be short. */
KERNEL_INLINE uint64_t FN(block_index)(const panel_walk w, uint64_t b) {
    const uint64_t after = (b + 1) * LANES;
    if (!w.reverse)
        return b * LANES;
    return after < w.length ? w.length - after : 0;
}

/* Groups of LANES lines that advance together, so that rows of a side-by-side tensor are touched
 * some cache lines at a time. */
#define GROUPS 4

KERNEL_INLINE void FN(full_groups)(element_kind kind, const panel_walk w, const FN(ways) ways,
                                   uint64_t line, unsigned groups) {
    VECTOR tally[GROUPS];
    for (unsigned g = 0; g < groups; g++)
        tally[g] = FN(zero)();
    const uint64_t blocks = w.length / LANES;
    for (uint64_t b = 0; b < blocks; b++)
        for (unsigned g = 0; g < groups; g++)
            tally[g] = FN(block)(kind, w, ways, line + (uint64_t)g * LANES, FN(block_index)(w, b),
                                 LANES, LANES, tally[g]);
    const unsigned rest = (unsigned)(w.length % LANES);
    if (rest)
        for (unsigned g = 0; g < groups; g++)
            FN(block)
    (kind, w, ways, line + (uint64_t)g * LANES, FN(block_index)(w, blocks), LANES, rest, tally[g]);
}

/* Fewer lines than lanes. */
KERNEL_INLINE void FN(few_lines)(element_kind kind, const panel_walk w, const FN(ways) ways,
                                 uint64_t line, unsigned lines) {
    VECTOR tally = FN(zero)();
    const uint64_t blocks = w.length / LANES;
    for (uint64_t b = 0; b < blocks; b++)
        tally = FN(block)(kind, w, ways, line, FN(block_index)(w, b), lines, LANES, tally);
    const unsigned rest = (unsigned)(w.length % LANES);
    if (rest)
        FN(block)(kind, w, ways, line, FN(block_index)(w, blocks), lines, rest, tally);
}

KERNEL_INLINE void FN(blocks)(element_kind kind, const panel_walk w, const FN(ways) ways,
                              unsigned groups) {
    uint64_t line = 0;
    for (; line + (uint64_t)groups * LANES <= w.lines; line += (uint64_t)groups * LANES)
        FN(full_groups)(kind, w, ways, line, groups);
    for (; groups > 1 && line + LANES <= w.lines; line += LANES)
        FN(full_groups)(kind, w, ways, line, 1);
    if (line < w.lines)
        FN(few_lines)(kind, w, ways, line, (unsigned)(w.lines - line));
}

/* Line by line on both sides is the usual case, and gets code of its own. */
KERNEL_INLINE void FN(blocks_panel)(element_kind kind, const panel_walk w) {
    const FN(ways) line_by_line = {WAY_LINE, WAY_LINE}, any = {w.in.way, w.out.way};
    if (w.in.way == WAY_LINE && w.out.way == WAY_LINE)
        FN(blocks)(kind, w, line_by_line, 1);
    else
        FN(blocks)(kind, w, any, GROUPS);
}

/* Lines side by side in both tensors: row after row at the speed of a copy, the tallies of a strip
 * of lines in the first-level cache. */
#define STRIP 1024

KERNEL_INLINE void FN(column)(element_kind kind, const unsigned char *in, unsigned char *out,
                              VECTOR *tally, unsigned count, bool exclusive, bool stream) {
    const VECTOR before = *tally;
    const VECTOR x = count < LANES ? FN(load_some)(kind, in, count) : FN(load_elements)(kind, in);
    *tally = FN(add_elements)(kind, before, x);
    FN(put)(kind, out, exclusive ? before : *tally, count, stream);
}

KERNEL_INLINE void FN(strip)(element_kind kind, const panel_walk w, uint64_t line, unsigned lines) {
    const size_t size = kind_size(kind);
    VECTOR tally[STRIP / LANES];
    const unsigned vectors = lines / LANES, rest = lines % LANES;
    for (unsigned i = 0; i < STRIP / LANES; i++)
        tally[i] = FN(zero)();
    for (uint64_t k = 0; k < w.length; k++) {
        const int64_t index = (int64_t)(w.reverse ? w.length - 1 - k : k);
        const unsigned char *in = w.in.low + index * w.in.element + line * size;
        unsigned char *out = w.out.low + index * w.out.element + line * size;
        for (unsigned i = 0; i < vectors; i++)
            FN(column)
        (kind, in + i * LANES * size, out + i * LANES * size, &tally[i], LANES, w.exclusive,
         w.stream);
        if (rest)
            FN(column)
        (kind, in + vectors * LANES * size, out + vectors * LANES * size, &tally[vectors], rest,
         w.exclusive, false);
    }
}

KERNEL_INLINE void FN(columns_panel)(element_kind kind, const panel_walk w) {
    uint64_t line = 0;
    for (; line + STRIP <= w.lines; line += STRIP)
        FN(strip)(kind, w, line, STRIP);
    if (line < w.lines)
        FN(strip)(kind, w, line, (unsigned)(w.lines - line));
}

KERNEL_INLINE void FN(sequential_panel)(element_kind kind, const panel_walk w) {
    if (w.in.way == WAY_SIDE && w.out.way == WAY_SIDE)
        FN(columns_panel)(kind, w);
    else
        FN(blocks_panel)(kind, w);
}

#undef STRIP
#undef GROUPS
#undef FN
#undef PANEL_JOIN
#undef PANEL_JOIN2
