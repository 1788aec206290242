/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_COLUMN_STATE_H
#define CUMSUM_CPU_COLUMN_STATE_H

/*
 * What the scans keep of lines whose lanes are lines, row by row (column_scan.inl.h) and in blocks
 * (block_scan.inl.h): an accumulator of each line, or, in the blocked order, a column_state. A
 * block of 16 elements is then four quarters of ROWS elements. The network of a block
 * (line_scan.inl.h) runs on a quarter at a time, without shuffles; what one quarter gives to a
 * later one is kept with the carries of each line.
 */

#include "line_levels.h"

/* Elements of a line that are taken together: a divisor of the blocked order's block of 16. */
#define ROWS 4

typedef enum lanes_order {
    LANES_SEQUENTIAL,
    LANES_JOINED, /* the same, from +0 again at each multiple of w->period (join_short_lines) */
    LANES_BLOCKED
} lanes_order;

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

/* Vectors that are kept of a vector of lines. */
#define MOST_STATE_VECTORS (sizeof(column_state) / sizeof(v32))

KERNEL_INLINE unsigned state_vectors(lanes_order order) {
    return order == LANES_BLOCKED ? MOST_STATE_VECTORS : 1;
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

#endif
