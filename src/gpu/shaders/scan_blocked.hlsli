/* SPDX-License-Identifier: MIT */
/*
 * The blocked order: blocks of 16, tiles of 1024, and above them the tiles' totals as lines of the
 * next level, in the same order.
 *
 * Each tile of a line of more than one has a record of three tallies in `work`: its total, which the
 * next level's pass replaces by C[t], the sum of the tiles before it; the carry before its last
 * block; and the last sum of that block. With C[t] the last two give the tally after the tile, which
 * an exclusive scan stores in the next one.
 */
#ifndef SCAN_BLOCKED
#define SCAN_BLOCKED

#include "scan_element.hlsli"

#define BLOCK           16
#define BLOCKS_PER_TILE 64
#define TILE            (BLOCK * BLOCKS_PER_TILE)
#define RECORD          3

/* v[i] becomes the sum of v[0..i]: Sklansky's network. */
void scan_block(inout tally v[BLOCK]) {
    [unroll] for (uint s = 1; s < BLOCK; s *= 2)
        [unroll] for (uint i = 0; i < BLOCK; i++)
            if (i & s)
                v[i] = add(v[i], v[(i | (s - 1)) ^ s]);
}

uint record_place(uint line_number, uint tile) {
    return record_base + (line_number * tiles_per_line + tile) * RECORD;
}

void store_record(uint line_number, uint tile, tally carry, tally last) {
    const uint place = record_place(line_number, tile);
    store_work(place, add(carry, last));
    store_work(place + 1, carry);
    store_work(place + 2, last);
}

/* C[t] */
tally tiles_before(uint line_number, uint tile) {
    tally sum = zero_tally();
    [branch] if (tiles_per_line > 1)
        sum = load_work(record_place(line_number, tile));
    return sum;
}

/* S(1024 t): the tally after the tiles before this one, as the last of them has it. */
tally tally_before(uint line_number, uint tile) {
    tally sum = zero_tally();
    [branch] if (tile > 0) {
        const uint place = record_place(line_number, tile - 1);
        sum = add(add(load_work(place), load_work(place + 1)), load_work(place + 2));
    }
    return sum;
}

#endif
