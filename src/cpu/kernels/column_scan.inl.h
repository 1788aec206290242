/* SPDX-License-Identifier: MIT */
/*
 * The sequential and the blocked order, row by row (column_rows.h): lanes are lines, and what is
 * kept of a vector of lines (column_state.h) moves from row to row. In the sequential order each
 * lane adds up its own line one element after the other, so the bits are those of the reference.
 * Integers come here too.
 *
 * The loops, from the outside: strips of lines, ROWS rows of a strip, vectors of lines (columns),
 * rows of a column. The innermost loop has the state in registers, and the loop around it is a
 * stream through ROWS rows at once.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file.
 */
#include "column_rows.h"
#include "column_state.h"
#include "elements.h"

#ifndef WIDTH
#error "column_scan.inl.h: define WIDTH"
#endif

/* The state of vector number i of some lines. Lanes of 64 bits have no blocked order. */
KERNEL_INLINE VECTOR *FN(state_of)(lanes_order order, VECTOR *states, size_t i) {
    return states + i * state_vectors(order);
}

/* A column's elements. Rows beyond rows.count are 0 and are not read. */
KERNEL_INLINE void FN(load_column)(kernel_kind kind, const column_rows rows, const column place,
                                   VECTOR x[ROWS]) {
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const unsigned char *from = rows.in + (int64_t)r * rows.in_step + place.offset;
        if (r >= rows.count)
            x[r] = FN(zero)();
        else if (place.lanes == LANES)
            x[r] = FN(load_elements)(kind, from);
        else
            x[r] = FN(load_tail)(kind, from, place.lanes);
    }
}

/* Cache-bypassing stores need whole vectors, and the caller has checked that these are aligned. */
KERNEL_INLINE void FN(store_row)(kernel_kind kind, const column_rows rows, const column place,
                                 unsigned r, VECTOR x) {
    unsigned char *to = rows.out + (int64_t)r * rows.out_step + place.offset;
    if (place.lanes < LANES)
        FN(store_tail)(kind, to, x, place.lanes);
    else if (place.offset < rows.streamed)
        FN(stream_elements)(kind, to, x);
    else
        FN(store_elements)(kind, to, x);
}

KERNEL_INLINE void FN(store_column)(kernel_kind kind, const column_rows rows, const column place,
                                    VECTOR x[ROWS]) {
    FN(finish_accumulators)(kind, rows.store, x, ROWS);
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        if (r < rows.count)
            FN(store_row)(kind, rows, place, r, x[r]);
}

/* All rows are loaded before the first is stored, so the scan may be in place. Additions of the
 * rows beyond rows.count are harmless: they come last, and their sums are not stored. `quarter` of
 * a block: of the blocked order. */
KERNEL_INLINE void FN(scan_column)(kernel_kind kind, lanes_order order, const column_rows rows,
                                   unsigned quarter, const column place, VECTOR *state) {
    VECTOR x[ROWS], t = *state;
    FN(load_column)(kind, rows, place, x);
    if (order == LANES_BLOCKED)
        scan_quarter(kind, quarter, rows.exclusive, (v32 *)(void *)x,
                     (column_state *)(void *)state);
    UNROLL
    for (unsigned r = 0; r < ROWS && order != LANES_BLOCKED; r++) {
        const VECTOR next = FN(add_elements)(kind, t, x[r]);
        x[r] = rows.exclusive ? t : next;
        t = next;
    }
    if (order != LANES_BLOCKED)
        *state = t;
    FN(store_column)(kind, rows, place, x);
}

/* All columns of some rows. */
KERNEL_INLINE void FN(scan_columns)(kernel_kind kind, lanes_order order, const column_rows rows,
                                    unsigned quarter, size_t lines, VECTOR *states) {
    const size_t step = LANES * kind_size(kind), vectors = lines / LANES;
    const unsigned tail = lines % LANES;
    for (size_t i = 0; i < vectors; i++)
        FN(scan_column)
    (kind, order, rows, quarter, (column){i * step, LANES}, FN(state_of)(order, states, i));
    if (tail)
        FN(scan_column)
    (kind, order, rows, quarter, (column){vectors * step, tail},
     FN(state_of)(order, states, vectors));
}

/* The same with ROWS rows and, in the sequential order, with exclusivity as a constant, so that the
 * loop tests neither. */
KERNEL_INLINE void FN(scan_full_columns)(kernel_kind kind, lanes_order order, column_rows rows,
                                         bool exclusive, unsigned quarter, size_t lines,
                                         VECTOR *states) {
    rows.count = ROWS;
    rows.exclusive = exclusive;
    FN(scan_columns)(kind, order, rows, quarter, lines, states);
}

/* The rows from position k on. Fewer than ROWS rows are the last ones of a strip. */
KERNEL_INLINE void FN(scan_rows)(kernel_kind kind, lanes_order order, const column_rows rows,
                                 uint64_t k, size_t lines, VECTOR *states) {
    const unsigned quarter = (unsigned)(k / ROWS % (LINE_BLOCK / ROWS));
    if (rows.count < ROWS)
        FN(scan_columns)(kind, order, rows, quarter, lines, states);
    else if (order == LANES_BLOCKED)
        FN(scan_full_columns)(kind, order, rows, rows.exclusive, quarter, lines, states);
    else if (rows.exclusive)
        FN(scan_full_columns)(kind, order, rows, true, quarter, lines, states);
    else
        FN(scan_full_columns)(kind, order, rows, false, quarter, lines, states);
}

/* Begins lines, `lines` from number `line` on, in `vectors` vectors: from 0, or from the
 * accumulators of a carry. `levels`: of the blocked order, memory for levels; NULL: behind the
 * states. */
KERNEL_INLINE column_states FN(begin_lines)(lanes_order order, const panel_walk *w, uint64_t line,
                                            size_t lines, size_t vectors, VECTOR *states,
                                            void *levels) {
    const unsigned char *from = w->carry;
    if (order == LANES_BLOCKED)
        return clear_columns(w->length, vectors, (v32 *)(void *)states, levels);
    for (size_t i = 0; i < vectors; i++)
        states[i] = FN(zero)();
    if (from)
        memcpy(states, from + line * (WIDTH / 8), lines * (WIDTH / 8));
    return (column_states){.depth = 0};
}

/* Gives the carry its accumulators back. */
KERNEL_INLINE void FN(end_lines)(const panel_walk *w, uint64_t line, size_t lines,
                                 const VECTOR *states) {
    unsigned char *to = w->carry;
    if (to)
        memcpy(to + line * (WIDTH / 8), states, lines * (WIDTH / 8));
}

/* Vectors of lines of one element, `rows` being a vector apart. */
KERNEL_INLINE void FN(single_vectors)(kernel_kind kind, const column_rows rows,
                                      const column place) {
    VECTOR x[ROWS];
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        x[r] = FN(zero)();
    if (!rows.exclusive)
        FN(load_column)(kind, rows, place, x);
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        x[r] = FN(add_elements)(kind, x[r], FN(zero)());
    FN(store_column)(kind, rows, place, x);
}

/* A row of lines of one element: ROWS vectors at a time, and the others. */
KERNEL_INLINE void FN(single_row)(kernel_kind kind, column_rows row, size_t lines) {
    const size_t step = LANES * kind_size(kind), vectors = lines / LANES;
    size_t i = 0;
    row.in_step = row.out_step = (int64_t)step;
    row.streamed = row.streamed / (ROWS * step) * (ROWS * step);
    row.count = ROWS;
    for (; i + ROWS <= vectors; i += ROWS)
        FN(single_vectors)(kind, row, (column){i * step, LANES});
    row.count = 1;
    for (; i < vectors; i++)
        FN(single_vectors)(kind, row, (column){i * step, LANES});
    if (lines % LANES)
        FN(single_vectors)(kind, row, (column){i * step, lines % LANES});
}

/* ROWS rows of all parts of a strip, from position k on: of `rows`, from number r on. */
KERNEL_INLINE void FN(scan_parts)(kernel_kind kind, lanes_order order, const column_strip *strip,
                                  const column_stage *stage, const column_rows rows, uint64_t k,
                                  unsigned r, VECTOR *states) {
    const panel_walk *w = strip->walk;
    const size_t vectors = (stage->lines + LANES - 1) / LANES;
    for (uint64_t p = 0; p < stage->parts; p++) {
        const column_rows part = some_rows(strip, stage, rows, r, p);
        if (order != LANES_BLOCKED && w->length == 1 && !w->carry)
            FN(single_row)(kind, part, stage->lines);
        else
            FN(scan_rows)
        (kind, order, part, k + r, stage->lines, FN(state_of)(order, states, p * vectors));
    }
}

/* A strip of lines, from the first row to the last. All lines reach the end of a tile together,
 * because ROWS divides a tile. A crossed strip in the blocked order has all that it keeps in
 * scratch memory, if there is any, others only the levels, unless they are staged. */
KERNEL_INLINE void FN(scan_strip)(kernel_kind kind, lanes_order order, const column_strip *strip) {
    const panel_walk *w = strip->walk;
    const size_t size = kind_size(kind);
    VECTOR memory[STRIP_BYTES / sizeof(VECTOR)];
    const column_stage stage = stage_of(strip, size, (unsigned char *)memory);
    const size_t vectors = stage.parts * ((stage.lines + LANES - 1) / LANES);
    VECTOR *states = stage.bytes ? memory + (size_t)STAGE_BYTES / sizeof(VECTOR) : memory;
    column_states all = {.depth = 0};
    if (order == LANES_BLOCKED && is_crossed(w) && w->scratch)
        states = w->scratch;
    if (order == LANES_BLOCKED || w->length > 1 || w->carry)
        all = FN(begin_lines)(order, w, strip->line, strip->lines, vectors, states,
                              stage.bytes ? NULL : w->scratch);
    for (uint64_t k = 0; k < w->length; k += stage.rows) {
        const column_rows rows = column_rows_at(strip, k, stage.rows, stage.lines * size);
        const column_rows local = stage_rows(strip, &stage, size, rows, k);
        for (unsigned r = 0; r < rows.count; r += ROWS) {
            if (order == LANES_BLOCKED && k + r && (k + r) % LINE_TILE == 0)
                finish_tiles(kind, k + r, vectors, &all);
            prefetch_rows(strip, k + r);
            FN(scan_parts)(kind, order, strip, &stage, local, k, r, states);
        }
        if (stage.scatters)
            scatter_rows(strip, &stage, size, k);
    }
    if (order != LANES_BLOCKED)
        FN(end_lines)(w, strip->line, strip->lines, states);
}

KERNEL_INLINE void FN(scan_column_panel)(kernel_kind kind, lanes_order order, const panel_walk *w) {
    const size_t size = kind_size(kind);
    const uint64_t lines =
        order == LANES_BLOCKED ? blocked_strip_lines(w, size) : strip_lines(w, FN(STRIP), size);
    column_strip strip = {.next_line = 0};
    while (next_strip(w, lines, size, &strip))
        FN(scan_strip)(kind, order, &strip);
}
