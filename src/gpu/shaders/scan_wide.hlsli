/* SPDX-License-Identifier: MIT */
/*
 * A variant of the stage, for CUDA (WIDE_LOADS of bench/variants.txt): a tile whose elements follow
 * each other in memory is loaded and stored 16 bytes at a time. A tensor may begin at any element,
 * so its address decides. Other tiles, and the last one of a line, are moved as without it.
 */
#ifndef SCAN_WIDE
#define SCAN_WIDE

#define ELEMENT_BYTES (ELEMENT == INTEGER64 ? 8 : ELEMENTS_ARE_HALVES ? 2 : 4)
#define WIDE          (16 / ELEMENT_BYTES) /* elements */
#define WIDE_ROUNDS   (ROWS * ROW / WIDE / GROUP_THREADS)

/* Whether all elements of the stage lie one behind the other from the place `element` on. Lines that
 * are shorter than the stage share it; they have no such tile. */
bool is_wide(RWByteAddressBuffer buffer, uint element, uint step, uint start) {
    return step == 1 && start < line_length && line_length - start >= ROWS * ROW &&
           buffer.IsWide(element * ELEMENT_BYTES);
}

/* The first of the elements that a thread moves in a round, of those of the stage, and its cell. */
uint wide_first(uint thread, uint round) {
    return (round * GROUP_THREADS + thread) * WIDE;
}
uint wide_cell(uint thread, uint round) {
    return cell_of(0, wide_first(thread, round));
}

#if ELEMENT == INTEGER64
accumulator wide_element(uint4 quad, uint i) {
    return i == 0 ? uint2(quad.x, quad.y) : uint2(quad.z, quad.w);
}
uint4 wide_cells(uint cell) {
    return uint4(stage[cell].x, stage[cell].y, stage[cell + 1].x, stage[cell + 1].y);
}
#else
uint wide_word(uint4 quad, uint i) {
    return i == 0 ? quad.x : i == 1 ? quad.y : i == 2 ? quad.z : quad.w;
}
#if ELEMENTS_ARE_HALVES
accumulator wide_element(uint4 quad, uint i) {
    return (wide_word(quad, i / 2) >> (i % 2 * 16)) & 0xFFFFu;
}
uint pair_of(uint cell) {
    return halves_of(stage[cell], stage[cell + 1]);
}
uint4 wide_cells(uint cell) {
    return uint4(pair_of(cell), pair_of(cell + 2), pair_of(cell + 4), pair_of(cell + 6));
}
#else
accumulator wide_element(uint4 quad, uint i) {
    return wide_word(quad, i);
}
uint4 wide_cells(uint cell) {
    return uint4(stage[cell], stage[cell + 1], stage[cell + 2], stage[cell + 3]);
}
#endif
#endif

/* Returns the least coarse of what the thread loaded. */
uint fill_wide(RWByteAddressBuffer from, uint thread, uint place) {
    uint4 quads[WIDE_ROUNDS];
    uint least = ALL_COARSE;
    [unroll] for (uint i = 0; i < WIDE_ROUNDS; i++) {
        const uint element = place + wide_first(thread, i);
        quads[i] = from.LoadWide(element * ELEMENT_BYTES);
    }
    [unroll] for (uint n = 0; n < WIDE_ROUNDS; n++) {
        [unroll] for (uint j = 0; j < WIDE; j++) {
            const accumulator value = widen(wide_element(quads[n], j));
            least = coarsest(least, value);
            stage[wide_cell(thread, n) + j] = value;
        }
    }
    return least;
}

void empty_wide(uint thread, uint place) {
    [unroll] for (uint i = 0; i < WIDE_ROUNDS; i++) {
        const uint element = place + wide_first(thread, i);
        output_buffer.StoreWide(element * ELEMENT_BYTES, wide_cells(wide_cell(thread, i)));
    }
}

#endif
