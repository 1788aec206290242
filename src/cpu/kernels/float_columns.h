/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_COLUMNS_H
#define CUMSUM_CPU_FLOAT_COLUMNS_H

/*
 * The blocked order, row by row (column_rows.h), lanes being lines. A block of 16 rows is four
 * quarters of ROWS rows. The network of a block (line_scan.inl.h) runs on a quarter at a time; what
 * one quarter gives to a later one is kept with the carries of each line.
 */

#include "lane_kernels.h"
#include "line_levels.h"

/* Lines of a strip: fewer than in the sequential order, because a line has a column_state, 20 bytes
 * and so 20 KiB per strip, in the place of an accumulator. That is also all that fits on the stack.
 * A line that is longer than a tile has levels besides, of 24 bytes each: they are in the panel's
 * scratch memory, or, if it has none, on the stack for fewer lines. */
#define BLOCKED_STRIP CUMSUM_SCRATCH_LINES

/* Of LANES32 lines. The letters are those of docs/numerics.md. */
typedef struct column_state {
    v32 half4; /* the last element of the lower half in the network's stages 4 and 8 */
    v32 half8;
    v32 tiles;    /* C[t] */
    v32 blocks;   /* c[b] */
    v32 previous; /* the last outputs of an inclusive scan */
} column_state;

/* One addition of the network for each row of a quarter, all with the same earlier row. */
KERNEL_INLINE void add_to_rows(kernel_kind kind, v32 sum, v32 x[ROWS]) {
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        x[r] = add_elements32(kind, x[r], sum);
}

/* The network on a quarter of a block. Stages 1 and 2 stay within it. Stage 4 adds the last row of
 * an even quarter to the odd one behind it, and stage 8 that of the first half of the block to the
 * second half. */
KERNEL_INLINE void network_of_rows(kernel_kind kind, column_state *s, unsigned quarter,
                                   v32 x[ROWS]) {
    x[1] = add_elements32(kind, x[1], x[0]);
    x[3] = add_elements32(kind, x[3], x[2]);
    x[2] = add_elements32(kind, x[2], x[1]);
    x[3] = add_elements32(kind, x[3], x[1]);
    if (quarter & 1)
        add_to_rows(kind, s->half4, x);
    else
        s->half4 = x[3];
    if (quarter & 2)
        add_to_rows(kind, s->half8, x);
    else if (quarter & 1)
        s->half8 = x[3];
}

/* Scans a quarter of a block in place. */
KERNEL_INLINE void scan_quarter(kernel_kind kind, unsigned quarter, bool exclusive, v32 x[ROWS],
                                column_state *s) {
    network_of_rows(kind, s, quarter, x);
    const v32 base = add_elements32(kind, s->tiles, s->blocks);
    if (quarter == LINE_BLOCK / ROWS - 1)
        s->blocks = add_elements32(kind, s->blocks, x[ROWS - 1]);
    v32 previous = s->previous;
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const v32 sum = add_elements32(kind, base, x[r]);
        x[r] = exclusive ? previous : sum;
        previous = sum;
    }
    s->previous = previous;
}

/* The vector of lines at `place`. All rows are loaded before the first is stored, so the scan may
 * be in place. Rows beyond rows.count are the end of the line, and nothing is computed from them.
 */
KERNEL_INLINE void blocked_column(kernel_kind kind, const column_rows rows, unsigned quarter,
                                  const column place, column_state *s) {
    v32 x[ROWS];
    load_column32(kind, rows, place, x);
    scan_quarter(kind, quarter, rows.exclusive, x, s);
    store_column32(kind, rows, place, x);
}

/* All columns of a quarter of a block. */
KERNEL_INLINE void blocked_columns(kernel_kind kind, const column_rows rows, unsigned quarter,
                                   size_t lines, column_state *s) {
    const size_t step = LANES32 * kind_size(kind), vectors = lines / LANES32;
    const unsigned tail = lines % LANES32;
    for (size_t i = 0; i < vectors; i++)
        blocked_column(kind, rows, quarter, (column){i * step, LANES32}, &s[i]);
    if (tail)
        blocked_column(kind, rows, quarter, (column){vectors * step, tail}, &s[vectors]);
}

/* The same with ROWS rows as a constant. */
KERNEL_INLINE void blocked_full_columns(kernel_kind kind, column_rows rows, unsigned quarter,
                                        size_t lines, column_state *s) {
    rows.count = ROWS;
    blocked_columns(kind, rows, quarter, lines, s);
}

KERNEL_INLINE void blocked_rows(kernel_kind kind, const column_rows rows, unsigned quarter,
                                size_t lines, column_state *s) {
    if (rows.count < ROWS)
        blocked_columns(kind, rows, quarter, lines, s);
    else
        blocked_full_columns(kind, rows, quarter, lines, s);
}

/* What is kept of some vectors of lines. */
typedef struct column_states {
    column_state *states; /* of each vector */
    cumsum_level *levels; /* `depth` of each line: none if the lines have one tile */
    unsigned depth;
} column_states;

/* Memory on the stack, as vectors: for the states of so many lines, and so many levels of each. */
#define COLUMN_MEMORY(lines, depth)                                                                \
    ((lines) / LANES32 * (sizeof(column_state) + (size_t)(depth)*LANES32 * sizeof(cumsum_level)) / \
     sizeof(v32))

/* Places the states of `vectors` vectors in `memory`, and their levels behind them, or in
 * `scratch`. The half4 and half8 of a block are set before they are read. */
KERNEL_INLINE column_states clear_columns(uint64_t length, size_t vectors, v32 *memory,
                                          void *scratch) {
    column_states all = {.states = (column_state *)(void *)memory,
                         .levels = scratch,
                         .depth = cumsum_blocked_depth(length)};
    if (!scratch)
        all.levels = (cumsum_level *)(void *)(all.states + vectors);
    for (size_t i = 0; i < vectors; i++)
        all.states[i].tiles = all.states[i].blocks = all.states[i].previous = zero32();
    if (all.depth)
        memset(all.levels, 0, vectors * LANES32 * all.depth * sizeof(cumsum_level));
    return all;
}

/* The end of the tile before position k, but not of the last tile of a line: nothing reads that
 * one's total. */
KERNEL_INLINE void finish_tiles(kernel_kind kind, uint64_t k, size_t vectors,
                                const column_states *all) {
    for (size_t i = 0; i < vectors; i++) {
        column_state *s = &all->states[i];
        float totals[LANES32];
        store32(totals, s->blocks);
        for (size_t l = 0; l < LANES32; l++)
            totals[l] = push_line_total(kind, all->levels + (i * LANES32 + l) * all->depth, 0,
                                        k / LINE_TILE - 1, totals[l]);
        s->tiles = load32(totals);
        s->blocks = zero32();
    }
}

/* A strip of lines, from the first row to the last. All lines of a strip reach the end of a tile
 * together, because ROWS divides a tile. A crossed strip has all that it keeps in scratch memory,
 * if there is any, others only the levels. */
KERNEL_INLINE void blocked_strip(kernel_kind kind, const column_strip *strip) {
    const panel_walk *w = strip->walk;
    const size_t size = kind_size(kind);
    union {
        v32 strip[COLUMN_MEMORY(BLOCKED_STRIP, 0)];
        struct {
            v32 columns[COLUMN_MEMORY(STAGED_STRIP, 1)];
            unsigned char stage[STAGE_BYTES];
        } staged;
    } memory;
    const column_stage stage = stage_of(strip, size, memory.staged.stage);
    v32 *const columns = stage.bytes ? memory.staged.columns : memory.strip;
    const size_t vectors = (stage.lines + LANES32 - 1) / LANES32;
    const column_states all = clear_columns(w->length, stage.parts * vectors,
                                            is_crossed(w) && w->scratch ? w->scratch : columns,
                                            stage.bytes ? NULL : w->scratch);
    for (uint64_t k = 0; k < w->length; k += stage.rows) {
        const column_rows rows = column_rows_at(strip, k, stage.rows, stage.lines * size);
        const column_rows local = stage_rows(strip, &stage, size, rows, k);
        for (unsigned r = 0; r < rows.count; r += ROWS) {
            if (k + r && (k + r) % LINE_TILE == 0)
                finish_tiles(kind, k + r, stage.parts * vectors, &all);
            prefetch_rows(strip, k + r);
            const unsigned quarter = (unsigned)((k + r) / ROWS % (LINE_BLOCK / ROWS));
            for (uint64_t p = 0; p < stage.parts; p++) {
                const column_rows part = some_rows(strip, &stage, local, r, p);
                blocked_rows(kind, part, quarter, stage.lines, all.states + p * vectors);
            }
        }
        if (stage.scatters)
            scatter_rows(strip, &stage, size, k);
    }
}

/* Lines of a strip with one level, two and three on the stack, which take no more of it than the
 * states of 1024 lines, or, if they are staged, than 256 lines with one level. */
KERNEL_INLINE uint64_t blocked_strip_lines(const panel_walk *w, size_t element) {
    const uint64_t narrower[] = {BLOCKED_STRIP, 384, 128, 64};
    const uint64_t fits = narrower[cumsum_blocked_depth(w->length)];
    const uint64_t size = strip_lines(w, w->scratch ? BLOCKED_STRIP : fits, element);
    uint64_t most = needs_stage(w) ? fits : size;
    if (is_crossed(w))
        most = w->scratch ? BLOCKED_STRIP : narrower[CUMSUM_BLOCKED_LEVELS];
    return size < most ? size : most;
}

KERNEL_INLINE void blocked_column_panel(kernel_kind kind, const panel_walk *w) {
    const uint64_t size = blocked_strip_lines(w, kind_size(kind));
    column_strip strip = {.next_line = 0};
    while (next_strip(w, size, kind_size(kind), &strip))
        blocked_strip(kind, &strip);
}

#endif
