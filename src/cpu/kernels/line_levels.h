/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_LEVELS_H
#define CUMSUM_CPU_LINE_LEVELS_H

/* The levels above the tiles, for a line by itself: lanes are elements. */

KERNEL_INLINE float first_lane(v32 v) {
    float lanes[LANES32];
    store32(lanes, v);
    return lanes[0];
}

KERNEL_INLINE float add_scalars(element_kind kind, float a, float b) {
    return first_lane(add_elements32(kind, all_lanes_f32(a), all_lanes_f32(b)));
}

/* A block with its elements so far: sums become the tallies, and the answer is its total. */
KERNEL_INLINE float scan_level(element_kind kind, const cumsum_level *l, float sums[LINE_BLOCK]) {
    const v32 base = add_elements32(kind, all_lanes_f32(l->before), all_lanes_f32(l->carry));
    v32 v[LINE_BLOCK / LANES32];
    for (size_t r = 0; r < LINE_BLOCK / LANES32; r++)
        v[r] = load32(l->block + r * LANES32);
    network32(kind, v);
    for (size_t r = 0; r < LINE_BLOCK / LANES32; r++)
        store32(sums + r * LANES32, add_elements32(kind, base, v[r]));
    return first_lane(last32(v[LINE_BLOCK / LANES32 - 1]));
}

/* Gives a level its next element and answers the tally with it included. Once in 1024 elements of
 * the level below. */
static inline float push_total(element_kind kind, cumsum_level *levels, unsigned depth,
                               float total) {
    cumsum_level *here = &levels[depth];
    const unsigned i = here->elements++;
    float sums[LINE_BLOCK];
    here->block[i] = total;
    const float block = scan_level(kind, here, sums);
    if (here->elements < LINE_BLOCK)
        return sums[i];
    memset(here->block, 0, sizeof here->block);
    here->elements = 0;
    here->carry = add_scalars(kind, here->carry, block);
    if (++here->blocks == LINE_TILE / LINE_BLOCK && depth + 1 < CUMSUM_BLOCKED_LEVELS) {
        here->before = push_total(kind, levels, depth + 1, here->carry);
        here->carry = 0;
        here->blocks = 0;
    }
    return sums[i];
}

#endif
