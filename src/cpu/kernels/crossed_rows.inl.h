/* SPDX-License-Identifier: MIT */
/*
 * Panels in which the lines of a group are neighbours in the output, while in the input those of
 * neighbouring groups are: permuted dimensions, of which the contiguous one is another in each
 * operand (is_crossed in shape.h). Taken row by row, either side would touch a cache line for
 * each element. So a strip is a block over both: 64 bytes of each line's neighbours in the output
 * by CROSSED_GROUPS groups, which the input has as neighbours. Some of its rows are transposed into
 * a buffer, in registers, a square of lanes at a time; from there they are scanned like any others
 * (column_rows.h), a group at a time. Tensors are transposed in such blocks by P. Springer, T. Su
 * and P. Bientinesi, HPTT: a high-performance tensor transposition C++ library, 2017.
 *
 * Elements are moved as bits, whatever their kind.
 *
 * Parameter: WIDTH (kernel_macros.h). lane_kernels.h includes this file after column_scan.inl.h.
 */
#include "column_rows.h"
#include "elements.h"

#ifndef WIDTH
#error "crossed_rows.inl.h: define WIDTH"
#endif

/* A square of lanes from memory to the buffer. Of FLOAT16 it is two squares side by side, since a
 * vector has room for twice as many lines. */
KERNEL_INLINE void FN(cross_square)(kernel_kind kind, const unsigned char *from, int64_t line_step,
                                    unsigned char *to) {
    VECTOR v[LANES];
#if WIDTH == 32
    if (is_half(kind)) {
        UNROLL
        for (unsigned i = 0; i < LANES; i++)
            v[i] = load_two_f16(from + (int64_t)i * line_step,
                                from + (int64_t)(LANES + i) * line_step);
        transpose_f16(v);
    } else
        load_lines32(KIND_I32, from, line_step, v);
#else
    FN(load_lines)(kind, from, line_step, v);
#endif
    UNROLL
    for (unsigned i = 0; i < LANES; i++)
        FN(store)(to + (size_t)i * CROSSED_BYTES, v[i]);
}

/* One row of a strip, to its place in the buffer. `ahead` (may be NULL) is the row to prefetch. */
KERNEL_INLINE void FN(cross_row)(kernel_kind kind, const crossed_strip *s,
                                 const unsigned char *from, const unsigned char *ahead,
                                 unsigned char *to) {
    const size_t size = kind_size(kind);
    const unsigned square = LANES * (unsigned)((WIDTH / 8) / size);
    const unsigned lines = s->lines / square * square, groups = s->groups / LANES * LANES;
    for (unsigned l = 0; l < lines; l += square) {
        for (unsigned g = 0; g < groups; g += LANES) {
            const int64_t place = (int64_t)l * s->in_step + (int64_t)(g * size);
            if (ahead && g * size % 64 == 0)
                for (unsigned i = 0; i < square; i++)
                    prefetch_l1(ahead + place + (int64_t)i * s->in_step);
            FN(cross_square)
            (kind, from + place, s->in_step, to + (size_t)g * CROSSED_BYTES + l * size);
        }
    }
    for (unsigned g = 0; g < s->groups; g++) {
        const unsigned l = g < groups ? lines : 0;
        if (l < s->lines)
            gather_elements(size, to + (size_t)g * CROSSED_BYTES + l * size,
                            from + (int64_t)l * s->in_step + (int64_t)(g * size),
                            strided_run(s->in_step, s->lines - l));
    }
}

/* The rows of a strip, with the buffer in the place of their input. */
KERNEL_INLINE column_rows FN(cross_rows)(kernel_kind kind, const crossed_strip *s, column_rows rows,
                                         const unsigned char *ahead, unsigned char *stage) {
    for (unsigned r = 0; r < rows.count; r++)
        FN(cross_row)
    (kind, s, rows.in + (int64_t)r * rows.in_step, ahead ? ahead + (int64_t)r * rows.in_step : NULL,
     stage + r * CROSSED_ROW);
    rows.in = stage;
    rows.in_step = CROSSED_ROW;
    return rows;
}

/* The sequential order on a strip, from the first row to the last. */
KERNEL_INLINE void FN(scan_crossed_strip)(kernel_kind kind, const crossed_strip s) {
    unsigned char stage[ROWS * CROSSED_ROW];
    VECTOR accumulator[CROSSED_GROUPS * CROSSED_BYTES / (WIDTH == 32 ? 2 : 8) / LANES];
    const unsigned vectors = (s.lines + LANES - 1) / LANES;
    for (size_t i = 0; i < (size_t)s.groups * vectors; i++)
        accumulator[i] = FN(zero)();
    for (uint64_t k = 0; k < s.walk.length; k += ROWS) {
        const column_rows rows = column_rows_at(s.walk, 0, k, s.lines * kind_size(kind));
        const column_rows local = FN(cross_rows)(kind, &s, rows, crossed_ahead(&s, k, rows), stage);
        for (unsigned g = 0; g < s.groups; g++)
            FN(scan_rows)
        (kind, crossed_group(&s, local, g), s.lines, &accumulator[(size_t)g * vectors]);
    }
}

KERNEL_INLINE void FN(scan_crossed_panel)(kernel_kind kind, const panel_walk *w) {
    crossed_strip s = {.groups = 0};
    while (next_crossed_strip(w, kind_size(kind), CROSSED_GROUPS, &s))
        FN(scan_crossed_strip)(kind, s);
}
