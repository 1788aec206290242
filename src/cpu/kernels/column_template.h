/* SPDX-License-Identifier: MIT */
/*
 * The sequential order on lines that lie side by side, lanes being lines.
 *
 * Included once per lane width. Parameters:
 *   WIDTH, LANES, VECTOR   as in panel_template.h
 */

#define COLUMN_JOIN2(name, width) name##width
#define COLUMN_JOIN(name, width)  COLUMN_JOIN2(name, width)
#define FN(name)                  COLUMN_JOIN(name, WIDTH)

/* What is missing is 0, and is not read. */
KERNEL_INLINE void FN(load_rows)(element_kind kind, const column_rows rows,
                                 const column_place place, VECTOR x[ROWS]) {
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const unsigned char *from = rows.in + (int64_t)r * rows.in_step + place.at;
        if (r >= rows.count)
            x[r] = FN(zero)();
        else if (place.lanes == LANES)
            x[r] = FN(load_elements)(kind, from);
        else
            x[r] = FN(load_some)(kind, from, place.lanes);
    }
}

KERNEL_INLINE void FN(store_row)(element_kind kind, const column_rows rows,
                                 const column_place place, unsigned r, VECTOR x) {
    unsigned char *to = rows.out + (int64_t)r * rows.out_step + place.at;
    if (place.lanes < LANES)
        FN(store_some)(kind, to, x, place.lanes);
    else if (rows.stream)
        FN(stream_elements)(kind, to, x);
    else
        FN(store_elements)(kind, to, x);
}

KERNEL_INLINE void FN(store_rows)(element_kind kind, const column_rows rows,
                                  const column_place place, const VECTOR x[ROWS]) {
    UNROLL
    for (unsigned r = 0; r < ROWS; r++)
        if (r < rows.count)
            FN(store_row)(kind, rows, place, r, x[r]);
}

KERNEL_INLINE void FN(column)(element_kind kind, const column_rows rows, const column_place place,
                              VECTOR *tally) {
    VECTOR x[ROWS], t = *tally;
    FN(load_rows)(kind, rows, place, x);
    UNROLL
    for (unsigned r = 0; r < ROWS; r++) {
        const VECTOR next = FN(add_elements)(kind, t, x[r]);
        x[r] = rows.exclusive ? t : next;
        t = next;
    }
    *tally = t;
    FN(store_rows)(kind, rows, place, x);
}

/* The columns of all lines of a strip. */
KERNEL_INLINE void FN(columns)(element_kind kind, const column_rows rows, size_t lines,
                               VECTOR *tally) {
    const size_t step = LANES * kind_size(kind), vectors = lines / LANES;
    const unsigned rest = lines % LANES;
    for (size_t i = 0; i < vectors; i++)
        FN(column)(kind, rows, (column_place){i * step, LANES}, &tally[i]);
    if (rest)
        FN(column)(kind, rows, (column_place){vectors * step, rest}, &tally[vectors]);
}

/* The same, with all rows there and one kind of scan: constants, so that the loop has none of it.
 */
KERNEL_INLINE void FN(whole_columns)(element_kind kind, column_rows rows, bool exclusive,
                                     size_t lines, VECTOR *tally) {
    rows.count = ROWS;
    rows.exclusive = exclusive;
    FN(columns)(kind, rows, lines, tally);
}

KERNEL_INLINE void FN(scan_rows)(element_kind kind, const column_rows rows, size_t lines,
                                 VECTOR *tally) {
    if (rows.count < ROWS)
        FN(columns)(kind, rows, lines, tally);
    else if (rows.exclusive)
        FN(whole_columns)(kind, rows, true, lines, tally);
    else
        FN(whole_columns)(kind, rows, false, lines, tally);
}

KERNEL_INLINE void FN(strip)(element_kind kind, const panel_walk w, uint64_t line, size_t lines) {
    VECTOR tally[STRIP / LANES];
    column_stage stage;
    const bool far = is_far(&w);
    for (size_t i = 0; i * LANES < lines; i++)
        tally[i] = FN(zero)();
    for (uint64_t k = 0; k < w.length; k += ROWS) {
        const column_rows rows = column_rows_at(w, line, k);
        FN(scan_rows)
        (kind, far ? stage_rows(&w, kind_size(kind), rows, lines, &stage) : rows, lines, tally);
        if (far)
            unstage_rows(&w, kind_size(kind), rows, lines, &stage);
    }
}

KERNEL_INLINE void FN(columns_panel)(element_kind kind, const panel_walk w) {
    const uint64_t strip = strip_lines(&w, STRIP), rows = strip_rows(&w, strip);
    for (uint64_t row = 0; w.rows > 1 && row < w.rows; row += rows) {
        const uint64_t left = w.rows - row;
        const panel_walk some = rows_of(&w, row, left < rows ? left : rows);
        FN(strip)(kind, some, 0, (size_t)all_lines(&some));
    }
    for (uint64_t line = 0; w.rows == 1 && line < w.lines; line += strip) {
        const uint64_t left = w.lines - line;
        FN(strip)(kind, w, line, (size_t)(left < strip ? left : strip));
    }
}

#undef FN
#undef COLUMN_JOIN
#undef COLUMN_JOIN2
