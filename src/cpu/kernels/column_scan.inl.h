/* SPDX-License-Identifier: MIT */
/*
 * The sequential order, row by row (column_rows.h): lanes are lines, and a vector of accumulators
 * moves from row to row. Each lane adds up its own line one element after the other, so the bits
 * are those of the reference. Integers come here too.
 *
 * The loops, from the outside: strips of lines, ROWS rows of a strip, vectors of lines (columns),
 * rows of a column. The innermost loop has the accumulator in a register, and the loop around it is
 * a stream through ROWS rows at once.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file.
 */
#include "column_rows.h"
#include "elements.h"

#ifndef WIDTH
#error "column_scan.inl.h: define WIDTH"
#endif

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
 * rows beyond rows.count are harmless: they come last, and their sums are not stored. */
KERNEL_INLINE void FN(scan_column)(kernel_kind kind, const column_rows rows, const column place,
                                   VECTOR *accumulator) {
    VECTOR x[ROWS], t = *accumulator;
    FN(load_column)(kind, rows, place, x);
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const VECTOR next = FN(add_elements)(kind, t, x[r]);
        x[r] = rows.exclusive ? t : next;
        t = next;
    }
    *accumulator = t;
    FN(store_column)(kind, rows, place, x);
}

/* All columns of some rows. */
KERNEL_INLINE void FN(scan_columns)(kernel_kind kind, const column_rows rows, size_t lines,
                                    VECTOR *accumulator) {
    const size_t step = LANES * kind_size(kind), vectors = lines / LANES;
    const unsigned tail = lines % LANES;
    for (size_t i = 0; i < vectors; i++)
        FN(scan_column)(kind, rows, (column){i * step, LANES}, &accumulator[i]);
    if (tail)
        FN(scan_column)(kind, rows, (column){vectors * step, tail}, &accumulator[vectors]);
}

/* The same with ROWS rows and with exclusivity as a constant, so that the loop tests neither. */
KERNEL_INLINE void FN(scan_full_columns)(kernel_kind kind, column_rows rows, bool exclusive,
                                         size_t lines, VECTOR *accumulator) {
    rows.count = ROWS;
    rows.exclusive = exclusive;
    FN(scan_columns)(kind, rows, lines, accumulator);
}

/* Fewer than ROWS rows are the last ones of a strip. */
KERNEL_INLINE void FN(scan_rows)(kernel_kind kind, const column_rows rows, size_t lines,
                                 VECTOR *accumulator) {
    if (rows.count < ROWS)
        FN(scan_columns)(kind, rows, lines, accumulator);
    else if (rows.exclusive)
        FN(scan_full_columns)(kind, rows, true, lines, accumulator);
    else
        FN(scan_full_columns)(kind, rows, false, lines, accumulator);
}

/* Zeros at the start of the lines, or the accumulators of a carry, for `lines` lines from number
 * `line` on. */
KERNEL_INLINE void FN(load_accumulators)(const panel_walk *w, uint64_t line, size_t lines,
                                         size_t vectors, VECTOR *accumulator) {
    const unsigned char *from = w->carry;
    for (size_t i = 0; i < vectors; i++)
        accumulator[i] = FN(zero)();
    if (from)
        memcpy(accumulator, from + line * (WIDTH / 8), lines * (WIDTH / 8));
}

KERNEL_INLINE void FN(store_accumulators)(const panel_walk *w, uint64_t line, size_t lines,
                                          const VECTOR *accumulator) {
    unsigned char *to = w->carry;
    if (to)
        memcpy(to + line * (WIDTH / 8), accumulator, lines * (WIDTH / 8));
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

/* A strip of lines, from the first row to the last. */
KERNEL_INLINE void FN(scan_strip)(kernel_kind kind, const column_strip *strip) {
    const size_t size = kind_size(kind), lines = strip->lines;
    union {
        VECTOR strip[FN(STRIP) / LANES];
        struct {
            VECTOR accumulator[FN(STAGED_LINES) / LANES];
            unsigned char stage[STAGE_BYTES];
        } staged;
    } memory;
    const column_stage stage = stage_of(strip, size, memory.staged.stage);
    VECTOR *const accumulator = stage.bytes ? memory.staged.accumulator : memory.strip;
    const bool single = strip->walk->length == 1 && !strip->walk->carry;
    const size_t vectors = (stage.lines + LANES - 1) / LANES;
    if (!single)
        FN(load_accumulators)(strip->walk, strip->line, lines, stage.parts * vectors, accumulator);
    for (uint64_t k = 0; k < strip->walk->length; k += stage.rows) {
        const column_rows rows = column_rows_at(strip, k, stage.rows, stage.lines * size);
        const column_rows local = stage_rows(strip, &stage, size, rows, k);
        for (unsigned r = 0; r < rows.count; r += ROWS) {
            prefetch_rows(strip, k + r);
            for (uint64_t p = 0; p < stage.parts; p++) {
                const column_rows part = some_rows(strip, &stage, local, r, p);
                if (single)
                    FN(single_row)(kind, part, stage.lines);
                else
                    FN(scan_rows)(kind, part, stage.lines, accumulator + p * vectors);
            }
        }
        if (stage.scatters)
            scatter_rows(strip, &stage, size, k);
    }
    FN(store_accumulators)(strip->walk, strip->line, lines, accumulator);
}

KERNEL_INLINE void FN(scan_column_panel)(kernel_kind kind, const panel_walk *w) {
    const uint64_t size = strip_lines(w, FN(STRIP), kind_size(kind));
    column_strip strip = {.next_line = 0};
    while (next_strip(w, size, kind_size(kind), &strip))
        FN(scan_strip)(kind, &strip);
}
