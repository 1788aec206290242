/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_PANEL_H
#define CUMSUM_CPU_FLOAT_PANEL_H

/* The blocked order on a panel, lanes being lines: a block is 16 vectors, and its network, carries
 * and levels are vertical. */

/* Between the order of memory and the order of the line. */
KERNEL_INLINE void turn(v32 v[LINE_BLOCK], unsigned count) {
    for (unsigned i = 0; i < count / 2; i++) {
        const v32 kept = v[i];
        v[i] = v[count - 1 - i];
        v[count - 1 - i] = kept;
    }
}

/* count elements of up to LANES32 lines, in the order of the line; what is missing is 0. */
KERNEL_INLINE void load_lines(element_kind kind, const panel_walk w, const unsigned char *from,
                              unsigned lines, unsigned count, v32 v[LINE_BLOCK]) {
    const bool whole = lines == LANES32 && count == LINE_BLOCK;
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32) {
        const unsigned rest = i < count ? count - i : 0;
        const unsigned char *part = from + (int64_t)i * w.in.element;
        if (whole)
            load_block32(kind, w.in, w.in.way, part, v + i);
        else
            load_part32(kind, w.in, part, lines, rest < LANES32 ? rest : LANES32, v + i);
    }
    if (w.reverse)
        turn(v, count);
}

/* Whole vectors. A block is a cache line of the output where a line's elements are neighbours, and
 * is written as one. */
KERNEL_INLINE void store_whole_lines(element_kind kind, const panel_walk w, unsigned char *to,
                                     v32 v[LINE_BLOCK]) {
    unsigned count = LINE_BLOCK;
    if (w.out.way == WAY_SIDE)
        count = LANES32;
    const bool stream = w.stream && count * kind_size(kind) == 64; /* whole cache lines only */
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        turn_block32(w.out.way, v + i);
    UNROLL
    for (unsigned l = 0; l < LANES32; l++)
        UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        store_vector32(kind, w.out, w.out.way, to + (int64_t)i * w.out.element, stream, l,
                       v[i + l]);
}

KERNEL_INLINE void store_lines(element_kind kind, const panel_walk w, unsigned char *to,
                               unsigned lines, unsigned count, v32 v[LINE_BLOCK]) {
    if (w.reverse)
        turn(v, count);
    if (lines == LANES32 && count == LINE_BLOCK) {
        store_whole_lines(kind, w, to, v);
        return;
    }
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32) {
        const unsigned rest = i < count ? count - i : 0;
        store_part32(kind, w.out, to + (int64_t)i * w.out.element, lines,
                     rest < LANES32 ? rest : LANES32, v + i);
    }
}

/* Elements of the block at position k. */
KERNEL_INLINE unsigned short_block(const panel_walk w, uint64_t k) {
    return w.length - k < LINE_BLOCK ? (unsigned)(w.length - k) : LINE_BLOCK;
}

KERNEL_INLINE void finish_block(element_kind kind, const panel_walk w, column_state *s,
                                v32 v[LINE_BLOCK]) {
    const v32 base = add_elements32(kind, s->tiles, s->blocks);
    s->blocks = add_elements32(kind, s->blocks, v[LINE_BLOCK - 1]);
    for (unsigned i = 0; i < LINE_BLOCK; i++) {
        const v32 sum = add_elements32(kind, base, v[i]);
        v[i] = w.exclusive ? s->before : sum;
        s->before = sum;
    }
}

/* One block of up to LANES32 lines. */
KERNEL_INLINE void blocked_block(element_kind kind, const panel_walk w, uint64_t line, uint64_t k,
                                 unsigned lines, unsigned count, column_state *s) {
    const uint64_t index = lowest32(w, k, count);
    v32 v[LINE_BLOCK];
    load_lines(kind, w, w.input + offset32(w.in, line, index), lines, count, v);
    scan_vectors(kind, v);
    finish_block(kind, w, s, v);
    store_lines(kind, w, w.output + offset32(w.out, line, index), lines, count, v);
}

/* Up to LANES32 lines. */
KERNEL_INLINE void blocked_lines(element_kind kind, const panel_walk w, uint64_t line,
                                 unsigned lines) {
    column_state s;
    level levels[1][CUMSUM_BLOCKED_LEVELS];
    clear_columns(w.length, 1, &s, levels);
    for (uint64_t k = 0; k < w.length; k += LINE_BLOCK) {
        if (k && k % LINE_TILE == 0)
            finish_tiles(kind, 1, &s, levels);
        if (lines == LANES32 && w.length - k >= LINE_BLOCK)
            blocked_block(kind, w, line, k, LANES32, LINE_BLOCK, &s);
        else
            blocked_block(kind, w, line, k, lines, short_block(w, k), &s);
    }
}

/* Lines of w->period elements, fewer than a block, that lie end to end: a block is some of them. */
KERNEL_INLINE void blocked_short_lines(element_kind kind, const panel_walk *w) {
    line32 all = line_of32(*w, 0);
    all.length = w->lines * w->length;
    uint32_t first[LINE_BLOCK]; /* of a line: lanes of 0 */
    for (unsigned i = 0; i < LINE_BLOCK; i++)
        first[i] = i % (unsigned)w->period ? UINT32_MAX : 0;
    for (uint64_t k = 0; k < all.length; k += LINE_BLOCK) {
        v32 v[LINE_BLOCK / LANES32], before = zero32();
        load_run32(kind, all, k, LINE_BLOCK, v);
        stages32(kind, (unsigned)w->period, v);
        UNROLL
        for (size_t r = 0; r < LINE_BLOCK / LANES32; r++) {
            const v32 sums = add_elements32(kind, zero32(), v[r]);
            if (all.exclusive)
                v[r] = and32(shift_in32(sums, before), load32(first + r * LANES32));
            else
                v[r] = sums;
            before = sums;
        }
        store_run32(kind, all, k, LINE_BLOCK, v);
    }
}

/* Groups of LANES32 lines whose elements of one index are a cache line, and written as one. */
#define BLOCKED_TOGETHER (CHUNK_BYTES / (LANES32 * 4))

/* LANES32 elements of as many lines; `first` is their place in the order's block. Taken by parts,
 * all of it stays in registers. */
KERNEL_INLINE void scan_part(element_kind kind, bool exclusive, unsigned first, v32 v[LANES32],
                             column_state *s) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i += ROWS)
        scan_group(kind, (first + i) / ROWS, exclusive, v + i, s);
}

/* The block at `from` of LANES32 lines: outputs, as they are stored. A cache line of the input is
 * taken whole, since it may be gone when its place in the cache was wanted by all other lines. */
KERNEL_INLINE void scan_whole_block(element_kind kind, const panel_walk w, panel_way in,
                                    panel_way out, const unsigned char *from, v32 v[LINE_BLOCK],
                                    column_state *s) {
    column_state t = *s;
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32) {
        load_block32(kind, w.in, in, from + (int64_t)i * w.in.element, v + i);
        if (!w.reverse && !w.exclusive)
            scan_part(kind, false, i, v + i, &t);
    }
    if (w.reverse)
        turn(v, LINE_BLOCK);
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        if (w.reverse || w.exclusive)
            scan_part(kind, w.exclusive, i, v + i, &t);
    if (w.reverse)
        turn(v, LINE_BLOCK);
    *s = t;
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        turn_block32(out, v + i);
}

/* The block at position k of some groups that are written together. */
KERNEL_INLINE void blocked_chunk(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                                 unsigned together, uint64_t line, uint64_t k, column_state *s) {
    const bool whole = out == WAY_LINE || together == BLOCKED_TOGETHER;
    const bool stream = w.stream && whole && !is_half(kind);
    const uint64_t index = lowest32(w, k, LINE_BLOCK);
    unsigned char *to = w.output + offset32(w.out, line, index);
    v32 v[BLOCKED_TOGETHER][LINE_BLOCK];
    for (unsigned g = 0; g < together; g++)
        scan_whole_block(kind, w, in, out,
                         w.input + offset32(w.in, line + (uint64_t)g * LANES32, index), v[g],
                         &s[g]);
    const unsigned parts = out == WAY_LINE ? LINE_BLOCK / LANES32 : together;
    const unsigned vectors = LINE_BLOCK * together / parts;
    UNROLL
    for (unsigned i = 0; i < vectors; i++)
        UNROLL
    for (unsigned p = 0; p < parts; p++)
        store_vector32(kind, w.out, out,
                       to + (int64_t)p * LANES32 * (out == WAY_LINE ? w.out.element : w.out.line),
                       stream, i, out == WAY_LINE ? v[0][p * LANES32 + i] : v[p][i]);
}

/* The block at position k of all groups. */
KERNEL_INLINE void blocked_step(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                                uint64_t line, unsigned groups, uint64_t k, column_state *s) {
    const unsigned together = out == WAY_SIDE ? BLOCKED_TOGETHER : 1;
    unsigned g = 0;
    for (; g + together <= groups; g += together) {
        fetch_ahead32(kind, w, in, line, groups, g, together, k, LINE_BLOCK);
        blocked_chunk(kind, w, in, out, together, line + (uint64_t)g * LANES32, k, &s[g]);
    }
    for (; g < groups; g++)
        blocked_chunk(kind, w, in, out, 1, line + (uint64_t)g * LANES32, k, &s[g]);
}

/* As many lines as advance together, so that rows of a side-by-side tensor are touched some cache
 * lines at a time. */
#define BLOCKED_GROUPS (512 / LANES32)

KERNEL_INLINE void blocked_group(element_kind kind, const panel_walk w, panel_way in, panel_way out,
                                 uint64_t line, unsigned groups) {
    column_state states[BLOCKED_GROUPS];
    level levels[BLOCKED_GROUPS][CUMSUM_BLOCKED_LEVELS];
    clear_columns(w.length, groups, states, levels);
    for (uint64_t k = 0; k < w.length; k += LINE_BLOCK) {
        if (k && k % LINE_TILE == 0)
            finish_tiles(kind, groups, states, levels);
        if (w.length - k >= LINE_BLOCK)
            blocked_step(kind, w, in, out, line, groups, k, states);
        else
            for (unsigned g = 0; g < groups; g++)
                blocked_block(kind, w, line + (uint64_t)g * LANES32, k, LANES32, short_block(w, k),
                              &states[g]);
    }
}

/* One side's lines are neighbours, the other one's elements: all lines but the last few. Answers
 * how many. */
KERNEL_INLINE uint64_t blocked_groups(element_kind kind, const panel_walk *w) {
    const unsigned most = w->in.way == WAY_SIDE ? BLOCKED_GROUPS : BLOCKED_GROUPS / 2;
    uint64_t line = 0;
    while (line + LANES32 <= w->lines) {
        const uint64_t left = (w->lines - line) / LANES32;
        const unsigned groups = left < most ? (unsigned)left : most;
        if (w->in.way == WAY_SIDE)
            blocked_group(kind, *w, WAY_SIDE, WAY_LINE, line, groups);
        else
            blocked_group(kind, *w, WAY_LINE, WAY_SIDE, line, groups);
        line += (uint64_t)groups * LANES32;
    }
    return line;
}

KERNEL_INLINE void blocked_panel(element_kind kind, const panel_walk *w, rest_function32 *rest) {
    const bool line_by_line = w->in.way == WAY_LINE && w->out.way == WAY_LINE;
    (void)rest;
    if (done_by_rows(w)) {
        blocked_columns_panel(kind, *w);
        return;
    }
    if (w->period <= w->length) {
        blocked_short_lines(kind, w);
        return;
    }
    /* A line by itself needs no transposition, but a while to get going. */
    if (line_by_line && (w->lines < LANES32 || w->length >= UINT64_C(4) * LINE_BLOCK)) {
        for (uint64_t i = 0; i < w->lines; i++)
            blocked_line(kind, line_of32(*w, line_at(w, i)));
        return;
    }
    uint64_t line = 0;
    if (!line_by_line)
        line = blocked_groups(kind, w);
    for (; line < w->lines; line += LANES32) {
        const uint64_t left = w->lines - line;
        blocked_lines(kind, *w, line, left < LANES32 ? (unsigned)left : LANES32);
    }
}

#endif
