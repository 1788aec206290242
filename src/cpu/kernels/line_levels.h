/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_LEVELS_H
#define CUMSUM_CPU_LINE_LEVELS_H

/*
 * The levels of the blocked order above the tiles of a line (docs/numerics.md): the totals of the
 * tiles are a line of their own, which is scanned in the same order, and so on. A level takes one
 * total at a time and keeps only what later ones need (cumsum_level in segment.h, all zero at the
 * start of a line). Levels are plain floats, because they are part of the carry that moves from
 * thread to thread and from piece to piece, and so must not depend on the instruction set; and a
 * tile's total comes too rarely for vectors to pay.
 */

#include "scalars.h"

/*
 * Gives the open block of a level its element i, and returns its prefix in the block, v_b[i].
 *
 * This is Sklansky's network (line_scan.inl.h), one element at a time. In stage s,
 * an element i with bit s receives the last element of the lower half, number (i | (s - 1)) ^ s.
 * That one is earlier, and is the only one that the stage needs until i reaches the next pair of
 * halves. So four kept values replace the block.
 */
KERNEL_INLINE float enter_line_level(kernel_kind kind, cumsum_level *here, unsigned i,
                                     float element) {
    UNROLL
    for (unsigned stage = 0; stage < 4; stage++) {
        const unsigned bit = 1u << stage;
        if (i & bit)
            element = add_scalars(kind, element, here->halves[stage]);
        else if ((i & (bit - 1)) == bit - 1)
            here->halves[stage] = element;
    }
    return element;
}

/* Gives a level element i of a block, and returns its inclusive prefix. */
KERNEL_INLINE float step_line_level(kernel_kind kind, cumsum_level *here, unsigned i,
                                    float element) {
    const float base = add_scalars(kind, here->tiles_before, here->carry);
    const float v = enter_line_level(kind, here, i, element);
    if (i == LINE_BLOCK - 1)
        here->carry = add_scalars(kind, here->carry, v);
    return add_scalars(kind, base, v);
}

/*
 * Gives level `depth` its element number `number` and returns the inclusive prefix of that element:
 * C[t] of the tile behind it, if the element is the total of a tile. No level above the one whose
 * tile is still open is touched.
 *
 * Called once per tile, and so not worth a copy of its code at each use.
 */
KERNEL_OUTLINE float push_line_total(kernel_kind kind, cumsum_level *levels, unsigned depth,
                                     uint64_t number, float element) {
    cumsum_level *here = &levels[depth];
    const float prefix = step_line_level(kind, here, (unsigned)(number % LINE_BLOCK), element);
    if (number % LINE_TILE == LINE_TILE - 1 && depth + 1 < CUMSUM_BLOCKED_LEVELS) {
        here->tiles_before =
            push_line_total(kind, levels, depth + 1, number / LINE_TILE, here->carry);
        here->carry = 0;
    }
    return prefix;
}

/* Moves the carry of a line over the end of a tile, whose total is in carry->tile.carry. */
KERNEL_INLINE void leave_tile(kernel_kind kind, cumsum_blocked_carry *carry) {
    carry->tile.tiles_before =
        push_line_total(kind, carry->levels, 0, carry->position / LINE_TILE - 1, carry->tile.carry);
    carry->tile.carry = 0;
}

#endif
