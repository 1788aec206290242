/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_PANEL_H
#define CUMSUM_CPU_FLOAT_PANEL_H

/*
 * The blocked order on a panel, lanes being lines: a block of the order is 16 vectors, and its
 * network, carries and levels have no shuffles. The shapes follow panel_scan.inl.h: bundles of
 * LANES32 lines that advance together if one operand is interleaved, LANES32 short contiguous
 * lines, and partial blocks for the tails.
 *
 * A block of the order is LINE_BLOCK elements, and has LINE_BLOCK / LANES32 square blocks of memory
 * (blocks.inl.h). The network needs all of it at once. Where that is more than there are registers,
 * a quarter at a time (float_columns.h) is faster; the tails, which are rare, take the short way.
 */

#include "float_columns.h"
#include "lane_blocks.h"

/* Between the order of memory and the order of a reversed scan. */
KERNEL_INLINE void reverse_vectors(v32 v[LINE_BLOCK], unsigned count) {
    for (unsigned i = 0; i < count / 2; i++) {
        const v32 kept = v[i];
        v[i] = v[count - 1 - i];
        v[count - 1 - i] = kept;
    }
}

/* Elements of a block of `count` that are in its LANES32 elements from `first` on. */
KERNEL_INLINE unsigned elements_from(unsigned count, unsigned first) {
    const unsigned remaining = first < count ? count - first : 0;
    return remaining < LANES32 ? remaining : LANES32;
}

/* A block of up to LANES32 lines in the order of the scan; elements that it lacks are 0. */
KERNEL_INLINE void load_blocked_block(kernel_kind kind, const panel_walk w,
                                      const unsigned char *from, unsigned lines, unsigned count,
                                      v32 v[LINE_BLOCK]) {
    const bool whole = lines == LANES32 && count == LINE_BLOCK;
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32) {
        const unsigned char *square = from + (int64_t)i * w.in.element_step;
        if (whole)
            load_block32(kind, w.in, w.in.pattern, square, v + i);
        else
            load_partial_block32(kind, w.in, square, lines, elements_from(count, i), v + i);
    }
    if (w.reversed)
        reverse_vectors(v, count);
}

/* A whole block of LANES32 lines. If the output is contiguous, a line's 16 elements are written
 * together, because they may be a whole cache line; only then do they bypass the caches. */
KERNEL_INLINE void store_whole_block(kernel_kind kind, const panel_walk w, unsigned char *to,
                                     v32 v[LINE_BLOCK]) {
    unsigned count = LINE_BLOCK;
    if (w.out.pattern == ACCESS_INTERLEAVED)
        count = LANES32;
    const bool stream = w.stream && count * kind_size(kind) == 64;
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        arrange_block32(kind, w.store, w.out.pattern, v + i);
    UNROLL
    for (unsigned l = 0; l < LANES32; l++) {
        UNROLL
        for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
            store_vector32(kind, w.out, w.out.pattern, to + (int64_t)i * w.out.element_step, stream,
                           l, v[i + l]);
    }
}

/* The counterpart of load_blocked_block. */
KERNEL_INLINE void store_blocked_block(kernel_kind kind, const panel_walk w, unsigned char *to,
                                       unsigned lines, unsigned count, v32 v[LINE_BLOCK]) {
    if (w.reversed)
        reverse_vectors(v, count);
    if (lines == LANES32 && count == LINE_BLOCK) {
        store_whole_block(kind, w, to, v);
        return;
    }
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        store_partial_block32(kind, w.store, w.out, to + (int64_t)i * w.out.element_step, lines,
                              elements_from(count, i), v + i);
}

/* Elements of the block at position k. */
KERNEL_INLINE unsigned block_count(const panel_walk w, uint64_t k) {
    return w.length - k < LINE_BLOCK ? (unsigned)(w.length - k) : LINE_BLOCK;
}

/* Bundles of LANES32 lines that are written together: a cache line of an interleaved output. */
#define BLOCKED_TOGETHER (CHUNK_BYTES / (LANES32 * 4))

/* Scans LANES32 elements of as many lines, from number `first` of the order's block on. A quarter
 * at a time, so that everything stays in registers. */
KERNEL_INLINE void scan_quarters(kernel_kind kind, bool exclusive, unsigned first, v32 v[LANES32],
                                 column_state *s) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i += ROWS)
        scan_quarter(kind, (first + i) / ROWS, exclusive, v + i, s);
}

/* `count` elements of up to LANES32 lines, at position k. */
KERNEL_INLINE void blocked_block(kernel_kind kind, const panel_walk w, uint64_t line, uint64_t k,
                                 unsigned lines, unsigned count, column_state *s) {
    const uint64_t index = lowest32(w, k, count);
    v32 v[LINE_BLOCK];
    load_blocked_block(kind, w, w.input + offset32(w.in, line, index), lines, count, v);
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        scan_quarters(kind, w.exclusive, i, v + i, s);
    store_blocked_block(kind, w, w.output + offset32(w.out, line, index), lines, count, v);
}

/* From the block at `from` of LANES32 lines to its outputs in the order of memory. All of a
 * contiguous line's 16 elements are loaded at once, while no other line can evict them. */
KERNEL_INLINE void scan_whole_block(kernel_kind kind, const panel_walk w, access_pattern in,
                                    access_pattern out, const unsigned char *from,
                                    v32 v[LINE_BLOCK], column_state *s) {
    column_state t = *s;
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32) {
        load_block32(kind, w.in, in, from + (int64_t)i * w.in.element_step, v + i);
        if (!w.reversed && !w.exclusive)
            scan_quarters(kind, false, i, v + i, &t);
    }
    if (w.reversed)
        reverse_vectors(v, LINE_BLOCK);
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        if (w.reversed || w.exclusive)
            scan_quarters(kind, w.exclusive, i, v + i, &t);
    if (w.reversed)
        reverse_vectors(v, LINE_BLOCK);
    *s = t;
    UNROLL
    for (unsigned i = 0; i < LINE_BLOCK; i += LANES32)
        arrange_block32(kind, w.store, out, v + i);
}

/* The block at position k of `together` bundles: of an interleaved output, a row of them is a cache
 * line; of a contiguous one, a line's block is. */
KERNEL_INLINE void blocked_chunk(kernel_kind kind, const panel_walk w, access_pattern in,
                                 access_pattern out, unsigned together, uint64_t line, uint64_t k,
                                 column_state *s) {
    const bool contiguous = out == ACCESS_CONTIGUOUS, stream = w.stream && !is_half(kind);
    const uint64_t index = lowest32(w, k, LINE_BLOCK);
    unsigned char *to = w.output + offset32(w.out, line, index);
    v32 v[BLOCKED_TOGETHER][LINE_BLOCK];
    for (unsigned i = 0; i < together; i++)
        scan_whole_block(kind, w, in, out,
                         w.input + offset32(w.in, line + (uint64_t)i * LANES32, index), v[i],
                         &s[i]);
    const unsigned blocks = contiguous ? LINE_BLOCK / LANES32 : together;
    const unsigned vectors = LINE_BLOCK * together / blocks;
    const int64_t step = LANES32 * (contiguous ? w.out.element_step : w.out.line_step);
    UNROLL
    for (unsigned i = 0; i < vectors; i++) {
        UNROLL
        for (unsigned b = 0; b < blocks; b++)
            store_vector32(kind, w.out, out, to + (int64_t)b * step, stream, i,
                           contiguous ? v[0][b * LANES32 + i] : v[b][i]);
    }
}

/* All bundles advance by the block at position k. */
KERNEL_INLINE void advance_blocked_bundles(kernel_kind kind, const panel_walk w, uint64_t line,
                                           unsigned bundles, uint64_t k, column_state *s) {
    const bool across = w.out.pattern == ACCESS_INTERLEAVED;
    const unsigned together = across ? BLOCKED_TOGETHER : 1;
    for (unsigned i = 0; i < bundles; i += together) {
        const uint64_t first = line + (uint64_t)i * LANES32;
        prefetch_bundles32(kind, w, w.in.pattern, line, bundles, i, together, k, LINE_BLOCK);
        if (across)
            blocked_chunk(kind, w, ACCESS_CONTIGUOUS, ACCESS_INTERLEAVED, BLOCKED_TOGETHER, first,
                          k, &s[i]);
        else
            blocked_chunk(kind, w, ACCESS_INTERLEAVED, ACCESS_CONTIGUOUS, 1, first, k, &s[i]);
    }
}

/* Bundles that advance together, as in the sequential order (panel_scan.inl.h), but half as many if
 * their levels are on the stack. There are two of them at most: 256 lines of more than 2^30
 * elements are more than a tensor has. */
KERNEL_INLINE unsigned most_blocked_bundles(const panel_walk *w) {
    const bool on_stack = !w->scratch && cumsum_blocked_depth(w->length) > 0;
    return (on_stack || w->in.pattern != ACCESS_INTERLEAVED ? 256 : 512) / LANES32;
}

/* Some bundles, from end to end. All of them reach the end of a tile together. The block that the
 * end of the lines cuts short goes bundle by bundle. */
KERNEL_INLINE void scan_blocked_bundles(kernel_kind kind, const panel_walk w, uint64_t line,
                                        unsigned bundles) {
    v32 memory[COLUMN_MEMORY(256, 2)];
    const column_states all = clear_columns(w.length, bundles, memory, w.scratch);
    for (uint64_t k = 0; k < w.length; k += LINE_BLOCK) {
        if (k && k % LINE_TILE == 0)
            finish_tiles(kind, k, bundles, &all);
        if (w.length - k >= LINE_BLOCK)
            advance_blocked_bundles(kind, w, line, bundles, k, all.states);
        else
            for (unsigned i = 0; i < bundles; i++)
                blocked_block(kind, w, line + (uint64_t)i * LANES32, k, LANES32, block_count(w, k),
                              &all.states[i]);
    }
}

/* Whole bundles of a panel with one interleaved and one contiguous operand, as many as are written
 * together. Returns the number of lines that they are. */
KERNEL_INLINE uint64_t blocked_transposition(kernel_kind kind, const panel_walk *w) {
    const unsigned together = w->out.pattern == ACCESS_INTERLEAVED ? BLOCKED_TOGETHER : 1;
    const unsigned most = most_blocked_bundles(w);
    uint64_t line = 0;
    while (line + (uint64_t)together * LANES32 <= w->lines) {
        const uint64_t remaining = (w->lines - line) / LANES32 / together * together;
        const unsigned bundles = remaining < most ? (unsigned)remaining : most;
        scan_blocked_bundles(kind, *w, line, bundles);
        line += (uint64_t)bundles * LANES32;
    }
    return line;
}

/* Up to LANES32 lines, from end to end. */
KERNEL_INLINE void blocked_lines(kernel_kind kind, const panel_walk w, uint64_t line,
                                 unsigned lines) {
    v32 memory[COLUMN_MEMORY(LANES32, CUMSUM_BLOCKED_LEVELS)];
    const column_states all = clear_columns(w.length, 1, memory, NULL);
    const bool whole = lines == LANES32 && both_contiguous(&w);
    for (uint64_t k = 0; k < w.length; k += LINE_BLOCK) {
        if (k && k % LINE_TILE == 0)
            finish_tiles(kind, k, 1, &all);
        if (whole && w.length - k >= LINE_BLOCK)
            blocked_chunk(kind, w, ACCESS_CONTIGUOUS, ACCESS_CONTIGUOUS, 1, line, k, all.states);
        else
            blocked_block(kind, w, line, k, lines, block_count(w, k), all.states);
    }
}

/* The panels of block_scans.h. */
KERNEL_INLINE void blocked_panel_blocks(kernel_kind kind, const panel_walk *w) {
    uint64_t line = 0;
    if (!both_contiguous(w))
        line = blocked_transposition(kind, w);
    for (; line < w->lines; line += LANES32) {
        const uint64_t remaining = w->lines - line;
        blocked_lines(kind, *w, line, remaining < LANES32 ? (unsigned)remaining : LANES32);
    }
}

#undef BLOCKED_TOGETHER

#endif
