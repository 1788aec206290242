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
#if WIDTH == 32
    if (takes_pairs(kind) && parts > 1) {
        half_chunk(kind, w, in, out, is_short, line, k, tally);
        return;
    }
#endif
    const bool along = out != WAY_SIDE,
               stream = w.stream && parts == FN(chunk_parts)(kind) && !is_half(kind);
    const uint64_t index = FN(lowest)(w, k, along ? parts * LANES : LANES);
    const unsigned char *from = w.input + FN(offset)(w.in, line, index);
    unsigned char *to = w.output + FN(offset)(w.out, line, index);
    VECTOR v[CHUNK_BYTES / (LANES * (WIDTH / 8))][LANES];
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

KERNEL_INLINE void FN(groups_as)(element_kind kind, const panel_walk *w, const panel_walk walk,
                                 panel_way in, panel_way out, uint64_t line, unsigned groups,
                                 FN(rest_function) * rest) {
    const uint64_t step = FN(chunk_length)(kind);
    VECTOR tally[GROUPS];
    for (unsigned g = 0; g < groups; g++)
        tally[g] = FN(zero)();
    uint64_t k = 0;
    for (; k + step <= walk.length; k += step)
        FN(chunks)(kind, walk, in, out, FN(chunk_parts)(kind), line, groups, k, tally);
    for (; k + LANES <= walk.length; k += LANES)
        for (unsigned g = 0; g < groups; g++)
            FN(chunk)(kind, walk, in, out, 1, false, line + (uint64_t)g * LANES, k, &tally[g]);
    for (unsigned g = 0; g < groups && k < walk.length; g++)
        rest(w, line + (uint64_t)g * LANES, LANES, k, &tally[g]);
}

/* Direction and kind of scan are constants in the usual case. */
KERNEL_INLINE void FN(groups)(element_kind kind, const panel_walk *w, panel_way in, panel_way out,
                              uint64_t line, unsigned groups, FN(rest_function) * rest) {
    panel_walk walk = *w; /* a copy that no store can change */
    if (takes_pairs(kind) && FN(chunk_parts)(kind) > 1 && !walk.reverse && !walk.exclusive) {
        walk.reverse = walk.exclusive = false;
        FN(groups_as)(kind, w, walk, in, out, line, groups, rest);
    } else {
        FN(groups_as)(kind, w, walk, in, out, line, groups, rest);
    }
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
    const uint64_t step = FN(chunk_length)(kind);
    uint64_t k = 0;
    w.reverse = reverse;
    w.exclusive = exclusive;
    VECTOR t = *tally;
    for (; k + step <= w.length; k += step) {
        FN(fetch_next_lines)(kind, w, line, k / step);
        FN(chunk)(kind, w, WAY_LINE, WAY_LINE, FN(chunk_parts)(kind), false, line, k, &t);
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
        FN(chunk)(kind, walk, WAY_LINE, WAY_LINE, FN(chunk_parts)(kind), true, line, 0, &tally);
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
#undef FN
#undef PANEL_JOIN
#undef PANEL_JOIN2
