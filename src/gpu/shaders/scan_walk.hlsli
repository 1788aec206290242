/* SPDX-License-Identifier: MIT */
/*
 * Walks of the blocked order: a group takes all tiles of its lines in turn and carries C[t], the
 * sum of the tiles before tile t, along. So it reads and writes each element once.
 *
 * C[t] is an exclusive scan of the tiles' totals in the blocked order. The totals arrive one at a
 * time, so each level above the tiles keeps what its next tally needs:
 *
 *     0 to 3   the sums of the last 1, 2, 4 and 8 totals of the level's open block, aligned to as
 *              many: after total t of its line, those whose bit is set in t + 1. Sklansky's network
 *              adds total t to the sums whose bits are set in t, the shortest one first
 *     4        the carry c[b] before the open block
 *     5        C[t] of the level itself, which the level above gives
 *
 * A full tile of a level is one total of the level above.
 *
 * Between two dispatches the state of a line is in `work`: the levels, C[t], and the tally before
 * tile t.
 */
#ifndef SCAN_WALK
#define SCAN_WALK

#include "scan_blocked.hlsli"

#define LEVELS      3 /* above the tiles: enough for 1024^4 elements */
#define LEVEL       6
#define LEVEL_CARRY 4
#define LEVEL_ABOVE 5
#define STATE_ABOVE (LEVELS * LEVEL)
#define STATE_TALLY (LEVELS * LEVEL + 1)

/* WALKERS: how many lines a group walks. One thread of each, the walker, uses its levels. */
groupshared tally level_cells[LEVELS * LEVEL * WALKERS];

uint state_place(uint cell, uint line_number) {
    return record_base + cell * line_count + line_number;
}

/* What the dispatch before left of the state, or +0. */
tally load_state(uint cell, uint line_number) {
    tally value = zero_tally();
    [branch] if (has(FLAG_CONTINUES))
        value = load_work(state_place(cell, line_number));
    return value;
}

void load_levels(uint walker, uint line_number) {
    [loop] for (uint i = 0; i < LEVELS * LEVEL; i++)
        level_cells[i * WALKERS + walker] = load_state(i, line_number);
}

void store_state(uint walker, uint line_number, tally above, tally before) {
    [loop] for (uint i = 0; i < LEVELS * LEVEL; i++)
        store_work(state_place(i, line_number), level_cells[i * WALKERS + walker]);
    store_work(state_place(STATE_ABOVE, line_number), above);
    store_work(state_place(STATE_TALLY, line_number), before);
}

/* Element t of a level's open block, after the network. */
tally enter_block(uint level, uint t, tally v) {
    [unroll] for (uint s = 0; s < 4; s++) {
        const uint cell = level + s * WALKERS;
        const uint below = (1u << s) - 1;
        [branch] if (t >> s & 1)
            v = add(v, level_cells[cell]);
        else if ((t & below) == below)
            level_cells[cell] = v;
    }
    return v;
}

/* Enters the total of tile t and returns C[t + 1]. */
tally enter_total(uint walker, uint t, tally total) {
    tally result = zero_tally();
    [loop] for (uint depth = 0; depth < LEVELS; depth++) {
        const uint level = depth * LEVEL * WALKERS + walker;
        const tally v = enter_block(level, t, total);
        tally carry = level_cells[level + LEVEL_CARRY * WALKERS];
        const tally sum = add(add(level_cells[level + LEVEL_ABOVE * WALKERS], carry), v);
        [branch] if (depth == 0)
            result = sum;
        else
            level_cells[level + (LEVEL_ABOVE - LEVEL) * WALKERS] = sum;
        [branch] if ((t & (BLOCK - 1)) != BLOCK - 1)
            break;
        carry = add(carry, v);
        total = carry;
        const bool is_full = (t & (TILE - 1)) == TILE - 1;
        [branch] if (is_full)
            carry = zero_tally();
        level_cells[level + LEVEL_CARRY * WALKERS] = carry;
        [branch] if (!is_full)
            break;
        t /= TILE;
    }
    return result;
}

#endif
