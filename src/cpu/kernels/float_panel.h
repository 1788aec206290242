/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_PANEL_H
#define CUMSUM_CPU_FLOAT_PANEL_H

/* The blocked order on a panel, lanes being lines: a block is 16 vectors, and its network, carries
 * and levels are vertical. */

typedef struct blocked_state {
    level levels[LEVELS];
    v32 tiles;         /* C[t] of each line */
    v32 blocks;        /* c[b] */
    v32 before;        /* the last outputs, for an exclusive scan */
    unsigned finished; /* blocks of the current tile */
} blocked_state;

/* A line of one tile needs no levels, and is over before they would be clear. */
static inline void clear_state(blocked_state *s, bool tiles) {
    for (unsigned i = 0; tiles && i < LEVELS; i++)
        clear_level(&s->levels[i]);
    s->tiles = s->blocks = s->before = zero32();
    s->finished = 0;
}

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
    const bool stream = w.stream && (w.out.way == WAY_LINE || LANES32 * kind_size(kind) == 64);
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

KERNEL_INLINE void finish_block(element_kind kind, const panel_walk w, blocked_state *s,
                                v32 v[LINE_BLOCK]) {
    const v32 base = add_elements32(kind, s->tiles, s->blocks);
    s->blocks = add_elements32(kind, s->blocks, v[LINE_BLOCK - 1]);
    for (unsigned i = 0; i < LINE_BLOCK; i++) {
        const v32 sum = add_elements32(kind, base, v[i]);
        v[i] = w.exclusive ? s->before : sum;
        s->before = sum;
    }
    if (++s->finished == LINE_TILE / LINE_BLOCK && w.length > LINE_TILE) {
        s->tiles = push_level(kind, s->levels, 0, s->blocks);
        s->blocks = zero32();
        s->finished = 0;
    }
}

/* One block of up to LANES32 lines. */
KERNEL_INLINE void blocked_block(element_kind kind, const panel_walk w, uint64_t line, uint64_t k,
                                 unsigned lines, unsigned count, blocked_state *s) {
    const uint64_t index = w.reverse ? w.length - k - count : k;
    v32 v[LINE_BLOCK];
    load_lines(kind, w, w.input + offset32(w.in, line, index), lines, count, v);
    scan_vectors(kind, v);
    finish_block(kind, w, s, v);
    store_lines(kind, w, w.output + offset32(w.out, line, index), lines, count, v);
}

/* As many lines as advance together, so that rows of a side-by-side tensor are touched some cache
 * lines at a time. */
#define BLOCKED_LINES (16 * LANES32)

KERNEL_INLINE void blocked_lines(element_kind kind, const panel_walk w, uint64_t line,
                                 unsigned lines) {
    blocked_state states[BLOCKED_LINES / LANES32];
    for (unsigned g = 0; g * LANES32 < lines; g++)
        clear_state(&states[g], w.length > LINE_TILE);
    for (uint64_t k = 0; k < w.length; k += LINE_BLOCK) {
        const unsigned count = w.length - k < LINE_BLOCK ? (unsigned)(w.length - k) : LINE_BLOCK;
        for (unsigned g = 0; g * LANES32 < lines; g++) {
            const unsigned left = lines - g * LANES32;
            const uint64_t first = line + (uint64_t)g * LANES32;
            if (left >= LANES32 && count == LINE_BLOCK)
                blocked_block(kind, w, first, k, LANES32, LINE_BLOCK, &states[g]);
            else
                blocked_block(kind, w, first, k, left < LANES32 ? left : LANES32, count,
                              &states[g]);
        }
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
    const unsigned together = line_by_line ? LANES32 : BLOCKED_LINES;
    for (uint64_t i = 0; i < w->lines; i += together) {
        const uint64_t left = w->lines - i;
        blocked_lines(kind, *w, i, left < together ? (unsigned)left : together);
    }
}

#endif
