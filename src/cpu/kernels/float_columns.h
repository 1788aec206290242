/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FLOAT_COLUMNS_H
#define CUMSUM_CPU_FLOAT_COLUMNS_H

/* The blocked order on lines that lie side by side, lanes being lines: a block of 16 rows is four
 * groups of ROWS, and what its network hands from one group to the next is kept beside the
 * carries. */

/* Fewer lines than the sequential order takes: there is more to keep of each. */
#define BLOCKED_STRIP 1024

typedef struct column_state {
    v32 half4; /* the last element of the lower half in the network's stages 4 and 8 */
    v32 half8;
    v32 base;   /* fl(C[t] + c[b]) */
    v32 tiles;  /* C[t] */
    v32 blocks; /* c[b] */
    v32 before; /* the last outputs, for an exclusive scan */
} column_state;

KERNEL_INLINE void add_to_rows(element_kind kind, v32 sum, v32 x[ROWS]) {
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        x[r] = add_elements32(kind, x[r], sum);
}

/* The network on group number `group` of a block. The stages 1 and 2 stay within it. */
KERNEL_INLINE void network_of_rows(element_kind kind, column_state *s, unsigned group,
                                   v32 x[ROWS]) {
    x[1] = add_elements32(kind, x[1], x[0]);
    x[3] = add_elements32(kind, x[3], x[2]);
    x[2] = add_elements32(kind, x[2], x[1]);
    x[3] = add_elements32(kind, x[3], x[1]);
    if (group & 1)
        add_to_rows(kind, s->half4, x);
    else
        s->half4 = x[3];
    if (group & 2)
        add_to_rows(kind, s->half8, x);
    else if (group & 1)
        s->half8 = x[3];
}

/* Group number `group` of a block becomes outputs. */
KERNEL_INLINE void scan_group(element_kind kind, unsigned group, bool exclusive, v32 x[ROWS],
                              column_state *s) {
    network_of_rows(kind, s, group, x);
    if (group == 0)
        s->base = add_elements32(kind, s->tiles, s->blocks);
    if (group == LINE_BLOCK / ROWS - 1)
        s->blocks = add_elements32(kind, s->blocks, x[ROWS - 1]);
    const v32 base = s->base;
    v32 before = s->before;
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const v32 sum = add_elements32(kind, base, x[r]);
        x[r] = exclusive ? before : sum;
        before = sum;
    }
    s->before = before;
}

KERNEL_INLINE void blocked_column(element_kind kind, const column_rows rows, unsigned group,
                                  const column_place place, column_state *s) {
    v32 x[ROWS];
    load_rows32(kind, rows, place, x);
    scan_group(kind, group, rows.exclusive, x, s);
    store_rows32(kind, rows, place, x);
}

KERNEL_INLINE void blocked_columns(element_kind kind, const column_rows rows, unsigned group,
                                   size_t lines, column_state *s) {
    const size_t step = LANES32 * kind_size(kind), vectors = lines / LANES32;
    const unsigned rest = lines % LANES32;
    for (size_t i = 0; i < vectors; i++)
        blocked_column(kind, rows, group, (column_place){i * step, LANES32}, &s[i]);
    if (rest)
        blocked_column(kind, rows, group, (column_place){vectors * step, rest}, &s[vectors]);
}

/* The same, with all rows there: a constant. */
KERNEL_INLINE void whole_blocked_columns(element_kind kind, column_rows rows, unsigned group,
                                         size_t lines, column_state *s) {
    rows.count = ROWS;
    blocked_columns(kind, rows, group, lines, s);
}

KERNEL_INLINE void blocked_rows(element_kind kind, const column_rows rows, unsigned group,
                                size_t lines, column_state *s) {
    if (rows.count < ROWS)
        blocked_columns(kind, rows, group, lines, s);
    else
        whole_blocked_columns(kind, rows, group, lines, s);
}

/* The end of a tile that is not the line's last one. */
KERNEL_INLINE void finish_tiles(element_kind kind, size_t vectors, column_state *s,
                                level (*levels)[CUMSUM_BLOCKED_LEVELS]) {
    for (size_t i = 0; i < vectors; i++) {
        s[i].tiles = push_level(kind, levels[i], 0, s[i].blocks);
        s[i].blocks = zero32();
    }
}

KERNEL_INLINE void clear_columns(uint64_t length, size_t vectors, column_state *s,
                                 level (*levels)[CUMSUM_BLOCKED_LEVELS]) {
    for (size_t i = 0; i < vectors; i++) {
        s[i].tiles = s[i].blocks = s[i].before = zero32();
        for (unsigned d = 0; d < CUMSUM_BLOCKED_LEVELS && length > LINE_TILE; d++)
            clear_level(&levels[i][d]);
    }
}

KERNEL_INLINE void blocked_strip(element_kind kind, const panel_walk w, uint64_t line,
                                 size_t lines) {
    column_state states[BLOCKED_STRIP / LANES32];
    level levels[BLOCKED_STRIP / LANES32][CUMSUM_BLOCKED_LEVELS];
    column_stage stage;
    const bool far = is_far(&w);
    const size_t vectors = (lines + LANES32 - 1) / LANES32;
    clear_columns(w.length, vectors, states, levels);
    for (uint64_t k = 0; k < w.length; k += ROWS) {
        const column_rows rows = column_rows_at(w, line, k);
        if (k && k % LINE_TILE == 0)
            finish_tiles(kind, vectors, states, levels);
        blocked_rows(kind, far ? stage_rows(&w, kind_size(kind), rows, lines, &stage) : rows,
                     k / ROWS % (LINE_BLOCK / ROWS), lines, states);
        if (far)
            unstage_rows(&w, kind_size(kind), rows, lines, &stage);
    }
}

KERNEL_INLINE void blocked_columns_panel(element_kind kind, const panel_walk w) {
    const uint64_t strip = strip_lines(&w, BLOCKED_STRIP), rows = strip_rows(&w, strip);
    for (uint64_t row = 0; w.rows > 1 && row < w.rows; row += rows) {
        const uint64_t left = w.rows - row;
        const panel_walk some = rows_of(&w, row, left < rows ? left : rows);
        blocked_strip(kind, some, 0, (size_t)all_lines(&some));
    }
    for (uint64_t line = 0; w.rows == 1 && line < w.lines; line += strip) {
        const uint64_t left = w.lines - line;
        blocked_strip(kind, w, line, (size_t)(left < strip ? left : strip));
    }
}

#endif
