/* SPDX-License-Identifier: MIT */
/*
 * Blocks of LANES lines times LANES elements between memory and vectors of one element of each
 * line, whatever the way.
 *
 * Included once per lane width. Parameters:
 *   WIDTH   32 or 64, bits of a lane
 *   LANES   lanes of a vector
 *   VECTOR  its type
 */

#define BLOCK_JOIN2(name, width) name##width
#define BLOCK_JOIN(name, width)  BLOCK_JOIN2(name, width)
#define FN(name)                 BLOCK_JOIN(name, WIDTH)

/* A vector of one element of `lines` lines that are `step` bytes apart. */
KERNEL_INLINE VECTOR FN(gather)(element_kind kind, const unsigned char *address, int64_t step,
                                unsigned lines) {
    unsigned char packed[LANES * 8] = {0};
    gather_elements(kind_size(kind), packed, address, step, lines);
    return FN(load_elements)(kind, packed);
}

KERNEL_INLINE void FN(scatter)(element_kind kind, unsigned char *address, int64_t step,
                               unsigned lines, VECTOR v) {
    unsigned char packed[LANES * 8];
    FN(store_elements)(kind, packed, v);
    scatter_elements(kind_size(kind), address, step, packed, lines);
}

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
        v[i] = way == WAY_SIDE ? FN(load_elements)(kind, from)
                               : FN(gather)(kind, from, side.line, LANES);
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
    if (way == WAY_FAR)
        FN(scatter)(kind, to, side.line, LANES, v);
    else if (stream)
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
    for (unsigned i = 0; i < vectors; i++) {
        const unsigned char *from = address + (int64_t)i * step;
        v[i] = side.way == WAY_FAR ? FN(gather)(kind, from, side.line, lines)
                                   : FN(load_some)(kind, from, count);
    }
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
    for (unsigned i = 0; i < vectors; i++) {
        unsigned char *to = address + (int64_t)i * step;
        if (side.way == WAY_FAR)
            FN(scatter)(kind, to, side.line, lines, v[i]);
        else
            FN(store_some)(kind, to, v[i], count);
    }
}

#undef FN
#undef BLOCK_JOIN
#undef BLOCK_JOIN2
