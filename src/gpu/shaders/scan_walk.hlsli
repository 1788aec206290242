/* SPDX-License-Identifier: MIT */
/*
 * Walks of the blocked order: a group takes all tiles of its lines in turn and carries C[t], the
 * sum of the tiles before tile t, along. So it reads and writes each element once.
 *
 * C[t] is an exclusive scan of the tiles' totals in the blocked order. The totals arrive one at a
 * time, so each level above the tiles keeps what its next running sum needs:
 *
 *     0 to 3   the sums of the last 1, 2, 4 and 8 totals of the level's open block, aligned to as
 *              many: after total t of its line, those whose bit is set in t + 1. Sklansky's network
 *              adds total t to the sums whose bits are set in t, the shortest one first
 *     4        the carry c[b] before the open block
 *     5        C[t] of the level itself, which the level above gives
 *
 * A full tile of a level is one total of the level above.
 *
 * Between two dispatches the state of a line is in `work`: the levels, C[t], and the running sum
 * before tile t.
 */
#ifndef SCAN_WALK
#define SCAN_WALK

#include "scan_blocked.hlsli"

#define LEVELS      3 /* above the tiles: enough for 1024^4 elements */
#define LEVEL       6
#define LEVEL_CARRY 4
#define LEVEL_ABOVE 5
#define STATE_ABOVE (LEVELS * LEVEL)
#define STATE_BEFORE (LEVELS * LEVEL + 1)

/* Of each line that a group walks. One thread of each line, the walker, uses them. */
groupshared accumulator level_cells[LEVELS * LEVEL * GROUP_THREADS];

uint state_place(uint cell, uint line_number) {
    return record_base + cell * line_count + line_number;
}

/* What the dispatch before left of the state, or +0. */
accumulator load_state(uint cell, uint line_number) {
    accumulator value = zero_sum();
    [branch] if (has(FLAG_CONTINUES))
        value = load_work(state_place(cell, line_number));
    return value;
}

void load_levels(uint walker, uint line_number) {
    [loop] for (uint i = 0; i < LEVELS * LEVEL; i++)
        level_cells[i * GROUP_THREADS + walker] = load_state(i, line_number);
}

void store_state(uint walker, uint line_number, accumulator above, accumulator before) {
    [loop] for (uint i = 0; i < LEVELS * LEVEL; i++)
        store_work(state_place(i, line_number), level_cells[i * GROUP_THREADS + walker]);
    store_work(state_place(STATE_ABOVE, line_number), above);
    store_work(state_place(STATE_BEFORE, line_number), before);
}

/* Element t of a level's open block, after the network. */
accumulator enter_block(uint level, uint t, accumulator v) {
    [unroll] for (uint s = 0; s < 4; s++) {
        const uint cell = level + s * GROUP_THREADS;
        const uint below = (1u << s) - 1;
        [branch] if (t >> s & 1)
            v = add(v, level_cells[cell]);
        else if ((t & below) == below)
            level_cells[cell] = v;
    }
    return v;
}

/* Enters the total of tile t and returns C[t + 1]. */
accumulator enter_total(uint walker, uint t, accumulator total) {
    accumulator result = zero_sum();
    [loop] for (uint depth = 0; depth < LEVELS; depth++) {
        const uint level = depth * LEVEL * GROUP_THREADS + walker;
        const accumulator v = enter_block(level, t, total);
        accumulator carry = level_cells[level + LEVEL_CARRY * GROUP_THREADS];
        const accumulator above = level_cells[level + LEVEL_ABOVE * GROUP_THREADS];
        const accumulator sum = add(add(above, carry), v);
        [branch] if (depth == 0)
            result = sum;
        else
            level_cells[level + (LEVEL_ABOVE - LEVEL) * GROUP_THREADS] = sum;
        [branch] if ((t & (BLOCK - 1)) != BLOCK - 1)
            break;
        carry = add(carry, v);
        total = carry;
        const bool is_full = (t & (TILE - 1)) == TILE - 1;
        [branch] if (is_full)
            carry = zero_sum();
        level_cells[level + LEVEL_CARRY * GROUP_THREADS] = carry;
        [branch] if (!is_full)
            break;
        t /= TILE;
    }
    return result;
}

#endif
