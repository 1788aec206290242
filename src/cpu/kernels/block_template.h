/* SPDX-License-Identifier: MIT */
/*
 * Blocks of LANES lines times LANES elements between memory and vectors of one element of each
 * line, where lines or elements are neighbours; far ones go by rows (columns.h).
 *
 * Included once per lane width. Parameters:
 *   WIDTH   32 or 64, bits of a lane
 *   LANES   lanes of a vector
 *   VECTOR  its type
 */

#define BLOCK_JOIN2(name, width) name##width
#define BLOCK_JOIN(name, width)  BLOCK_JOIN2(name, width)
#define FN(name)                 BLOCK_JOIN(name, WIDTH)

/* Loads LANES x LANES elements from address on: v[j] lane l is element j of line l. */
KERNEL_INLINE void FN(load_block)(element_kind kind, const panel_side side, panel_way way,
                                  const unsigned char *address, VECTOR v[LANES]) {
    if (way == WAY_LINE) {
        FN(load_lines)(kind, address, side.line, v);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned char *from = address + (int64_t)i * side.element;
        v[i] = FN(load_elements)(kind, from);
    }
}

/* The vectors as they are stored: of a line's elements where those are neighbours. */
KERNEL_INLINE void FN(turn_block)(panel_way way, VECTOR v[LANES]) {
    if (way == WAY_LINE)
        FN(transpose)(v);
}

/* Stores vector number i of a block that was turned. */
KERNEL_INLINE void FN(store_vector)(element_kind kind, const panel_side side, panel_way way,
                                    unsigned char *address, bool stream, unsigned i, VECTOR v) {
    unsigned char *to = address + (int64_t)i * (way == WAY_LINE ? side.line : side.element);
    if (stream)
        FN(stream_elements)(kind, to, v);
    else
        FN(store_elements)(kind, to, v);
}

/* In memory, for what is not worth a copy of the code. */
KERNEL_OUTLINE void FN(transpose_part)(VECTOR v[LANES]) {
    FN(transpose)(v);
}

/* The same for fewer lines or elements. Nothing beyond them is touched; what is missing is 0. */
KERNEL_INLINE void FN(load_part)(element_kind kind, const panel_side side,
                                 const unsigned char *address, unsigned lines, unsigned elements,
                                 VECTOR v[LANES]) {
    const bool by_line = side.way == WAY_LINE;
    const unsigned vectors = by_line ? lines : elements, count = by_line ? elements : lines;
    const int64_t step = by_line ? side.line : side.element;
    for (unsigned i = 0; i < LANES; i++)
        v[i] = FN(zero)();
    for (unsigned i = 0; i < vectors; i++)
        v[i] = FN(load_some)(kind, address + (int64_t)i * step, count);
    if (by_line)
        FN(transpose_part)(v);
}

KERNEL_INLINE void FN(store_part)(element_kind kind, const panel_side side, unsigned char *address,
                                  unsigned lines, unsigned elements, VECTOR v[LANES]) {
    const bool by_line = side.way == WAY_LINE;
    const unsigned vectors = by_line ? lines : elements, count = by_line ? elements : lines;
    const int64_t step = by_line ? side.line : side.element;
    if (by_line)
        FN(transpose_part)(v);
    for (unsigned i = 0; i < vectors; i++)
        FN(store_some)(kind, address + (int64_t)i * step, v[i], count);
}

#undef FN
#undef BLOCK_JOIN
#undef BLOCK_JOIN2
