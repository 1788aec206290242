/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on a panel, lanes being lines: LANES lines are scanned at once, each lane
 * adding up its own line one element after the other, so the bits are the reference's.
 *
 * Included once per lane width. Parameters:
 *   WIDTH, LANES, VECTOR   as in block_template.h
 */

#define PANEL_JOIN2(name, width) name##width
#define PANEL_JOIN(name, width)  PANEL_JOIN2(name, width)
#define FN(name)                 PANEL_JOIN(name, WIDTH)

/* Blocks that are written together: a chunk. So that no cache line is written in pieces, and as few
 * lines are under way as there are lanes: their cache lines have places enough in one set of the
 * first-level cache. */
#define PARTS (CHUNK_BYTES / (LANES * (WIDTH / 8)))

KERNEL_INLINE VECTOR FN(step)(element_kind kind, bool exclusive, VECTOR *v, VECTOR tally) {
    const VECTOR next = FN(add_elements)(kind, tally, *v);
    *v = exclusive ? tally : next;
    return next;
}

/* Adds up a block in the order of the line; v becomes the outputs. */
KERNEL_INLINE VECTOR FN(scan_block)(element_kind kind, bool reverse, bool exclusive,
                                    VECTOR v[LANES], VECTOR tally) {
    UNROLL
    for (unsigned j = 0; j < LANES; j++) {
        tally = FN(step)(kind, exclusive, &v[reverse ? LANES - 1 - j : j], tally);
    }
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

/* Says to compilers that do not see that it is loaded that a block is. */
KERNEL_INLINE void FN(clear_block)(VECTOR v[LANES]) {
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
}

/* `parts` blocks that are neighbours in the output. Where its lines lie side by side those are of
 * other lines, with a tally each. */
KERNEL_INLINE void FN(chunk)(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                             unsigned parts, bool is_short, uint64_t line, uint64_t k,
                             VECTOR *tally) {
    const bool along = out != WAY_SIDE, stream = w.stream && parts == PARTS;
    const uint64_t index = FN(lowest)(w, k, along ? parts * LANES : LANES);
    const unsigned char *from = w.input + FN(offset)(w.in, line, index);
    unsigned char *to = w.output + FN(offset)(w.out, line, index);
    VECTOR v[PARTS][LANES];
    FN(clear_block)(v[0]);
    UNROLL
    for (unsigned p = 0; p < parts; p++) {
        VECTOR *t = along ? tally : &tally[p];
        FN(load_block)
        (kind, w.in, in, from + FN(part_offset)(w.in, along, w.reverse, parts, p), v[p]);
        *t = is_short ? FN(scan_short)(kind, w, p * LANES, v[p], *t) : FN(scan)(kind, w, v[p], *t);
        FN(turn_block)(out, v[p]);
    }
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        UNROLL
    for (unsigned p = 0; p < parts; p++)
        FN(store_vector)
    (kind, w.out, out, to + FN(part_offset)(w.out, along, w.reverse, parts, p), stream, i, v[p][i]);
}

/* From position k on, where there are fewer lines or elements than lanes. */
KERNEL_INLINE void FN(rest)(element_kind kind, const panel_walk w, uint64_t line, unsigned lines,
                            uint64_t k, VECTOR tally) {
    for (; k < w.length; k += LANES) {
        const uint64_t left = w.length - k;
        const unsigned elements = left < LANES ? (unsigned)left : LANES;
        const uint64_t index = FN(lowest)(w, k, elements);
        VECTOR v[LANES];
        FN(load_part)(kind, w.in, w.input + FN(offset)(w.in, line, index), lines, elements, v);
        for (unsigned j = 0; j < elements; j++) {
            if (k + j && !((k + j) & (w.period - 1)))
                tally = FN(zero)();
            tally = FN(step)(kind, w.exclusive, &v[w.reverse ? elements - 1 - j : j], tally);
        }
        FN(store_part)(kind, w.out, w.output + FN(offset)(w.out, line, index), lines, elements, v);
    }
}

/* FN(rest) for one kind, out of line. */
typedef void FN(rest_function)(const panel_walk *w, uint64_t line, unsigned lines, uint64_t k,
                               VECTOR *tally);

/* Groups of LANES lines that advance together, so that rows of a side-by-side tensor are touched
 * some cache lines at a time. */
#define GROUPS (512 / LANES)

/* Lines from the group that is done to the one whose input is asked for. */
#define FETCH_LINES 32

/* Group number g of some groups is about to be done from position k on, `step` elements of it and
 * of those beside it that are written with it (`together`). Lines that advance together are too
 * many streams for memory to be read ahead by itself. */
KERNEL_INLINE void FN(fetch_ahead)(element_kind kind, const panel_walk w, panel_way in,
                                   uint64_t line, unsigned groups, unsigned g, unsigned together,
                                   uint64_t k, unsigned step) {
    unsigned next = g + FETCH_LINES / LANES;
    if (next >= groups) {
        next -= groups;
        k += step;
    }
    if (!w.ahead || next + together > groups || k + step > w.length)
        return;
    const uint64_t first = line + (uint64_t)next * LANES;
    const unsigned char *from = w.input + FN(offset)(w.in, first, FN(lowest)(w, k, step));
    if (in == WAY_LINE)
        for (unsigned i = 0; i < together * LANES; i++)
            prefetch_second(from + (int64_t)i * w.in.line);
    else if ((first - line) * kind_size(kind) % 64 == 0)
        for (unsigned i = 0; i < step; i++)
            prefetch(from + (int64_t)i * w.in.element);
}

/* `steps` blocks along some lines, one after the other: a cache line of the input is taken whole,
 * since it may be gone when its place in the cache was wanted by all other lines. */
KERNEL_INLINE void FN(steps)(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                             unsigned parts, unsigned steps, uint64_t line, uint64_t k,
                             VECTOR *tally) {
    for (unsigned i = 0; i < steps; i++)
        FN(chunk)(kind, w, in, out, parts, false, line, k + (uint64_t)i * LANES, tally);
}

/* The chunks of one step of all groups. Where lines lie side by side in the output, a chunk is of
 * some groups. */
KERNEL_INLINE void FN(chunks)(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                              unsigned parts, uint64_t line, unsigned groups, uint64_t k,
                              VECTOR *tally) {
    const unsigned together = out == WAY_SIDE ? parts : 1;
    unsigned g = 0;
    for (; g + together <= groups; g += together) {
        FN(fetch_ahead)(kind, w, in, line, groups, g, together, k, parts * LANES);
        FN(steps)(kind, w, in, out, parts, together, line + (uint64_t)g * LANES, k, &tally[g]);
    }
    for (; g < groups; g++)
        FN(steps)(kind, w, in, out, 1, parts, line + (uint64_t)g * LANES, k, &tally[g]);
}

KERNEL_INLINE void FN(groups)(element_kind kind, const panel_walk *w, panel_way in, panel_way out,
                              uint64_t line, unsigned groups, FN(rest_function) * rest) {
    const panel_walk walk = *w; /* a copy that no store can change */
    const uint64_t step = (uint64_t)PARTS * LANES;
    VECTOR tally[GROUPS];
    for (unsigned g = 0; g < groups; g++)
        tally[g] = FN(zero)();
    uint64_t k = 0;
    for (; k + step <= walk.length; k += step)
        FN(chunks)(kind, walk, in, out, PARTS, line, groups, k, tally);
    for (; k + LANES <= walk.length; k += LANES)
        for (unsigned g = 0; g < groups; g++)
            FN(chunk)(kind, walk, in, out, 1, false, line + (uint64_t)g * LANES, k, &tally[g]);
    for (unsigned g = 0; g < groups && k < walk.length; g++)
        rest(w, line + (uint64_t)g * LANES, LANES, k, &tally[g]);
}

/* Memory that is read as a stream is fetched ahead, but not from one line to the next: while chunk
 * number `chunk` of some lines is done, one of the first cache lines of the lines after them is
 * asked for. */
KERNEL_INLINE void FN(fetch_next_lines)(element_kind kind, const panel_walk w, uint64_t line,
                                        uint64_t chunk) {
    const uint64_t next = line + LANES + chunk % LANES;
    const uint64_t first = chunk / LANES * (64 / kind_size(kind));
    if (chunk < UINT64_C(8) * LANES && next < w.lines && first < w.length)
        prefetch(w.input + FN(offset)(w.in, next, w.reverse ? w.length - 1 - first : first));
}

/* All whole chunks of LANES lines whose elements are neighbours in both tensors: the usual case,
 * for which direction and kind of scan are constants. Answers the position after them. */
KERNEL_INLINE uint64_t FN(line_chunks)(element_kind kind, panel_walk w, bool reverse,
                                       bool exclusive, uint64_t line, VECTOR *tally) {
    const uint64_t step = (uint64_t)PARTS * LANES;
    uint64_t k = 0;
    w.reverse = reverse;
    w.exclusive = exclusive;
    VECTOR t = *tally;
    for (; k + step <= w.length; k += step) {
        FN(fetch_next_lines)(kind, w, line, k / step);
        FN(chunk)(kind, w, WAY_LINE, WAY_LINE, PARTS, false, line, k, &t);
    }
    *tally = t;
    return k;
}

KERNEL_INLINE void FN(lines)(element_kind kind, const panel_walk *w, uint64_t line,
                             FN(rest_function) * rest) {
    const panel_walk walk = *w; /* a copy that no store can change */
    VECTOR tally = FN(zero)();
    uint64_t k = 0;
    if (walk.period <= walk.length) {
        FN(chunk)(kind, walk, WAY_LINE, WAY_LINE, PARTS, true, line, 0, &tally);
        return;
    }
    if (walk.reverse)
        k = walk.exclusive ? FN(line_chunks)(kind, walk, true, true, line, &tally)
                           : FN(line_chunks)(kind, walk, true, false, line, &tally);
    else
        k = walk.exclusive ? FN(line_chunks)(kind, walk, false, true, line, &tally)
                           : FN(line_chunks)(kind, walk, false, false, line, &tally);
    for (; k + LANES <= walk.length; k += LANES)
        FN(chunk)(kind, walk, WAY_LINE, WAY_LINE, 1, false, line, k, &tally);
    if (k < walk.length)
        rest(w, line, LANES, k, &tally);
}

KERNEL_INLINE void FN(blocks_panel)(element_kind kind, const panel_walk *w,
                                    FN(rest_function) * rest) {
    uint64_t line = 0;
    if (w->in.way == WAY_LINE && w->out.way == WAY_LINE) {
        for (; line + LANES <= w->lines; line += LANES)
            FN(lines)(kind, w, line, rest);
    } else {
        while (line + LANES <= w->lines) {
            const uint64_t left = (w->lines - line) / LANES;
            const unsigned most = w->in.way == WAY_SIDE ? GROUPS : GROUPS / 2;
            const unsigned groups = left < most ? (unsigned)left : most;
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
    if (done_by_rows(w))
        FN(columns_panel)(kind, *w);
    else
        FN(blocks_panel)(kind, w, rest);
}

#undef FETCH_LINES
#undef GROUPS
#undef PARTS
#undef FN
#undef PANEL_JOIN
#undef PANEL_JOIN2
