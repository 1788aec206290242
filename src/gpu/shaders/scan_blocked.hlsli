/* SPDX-License-Identifier: MIT */
/*
 * The blocked order (docs/numerics.md): a line consists of tiles of 64 blocks of 16 elements. The
 * totals of a line's tiles are a line of the next level, which is scanned in the same order.
 *
 * If a line has more than one tile, each tile has a record of three tallies in `work`:
 *
 *     0   the tile's total; the next level's scan replaces it by C[t], the sum of the tiles before
 *     1   the carry before the tile's last block
 *     2   the last sum of that block
 *
 * C[t] + [1] + [2], in this order, is the tally after the tile. An exclusive scan stores it as the
 * first output of the next tile.
 */
#ifndef SCAN_BLOCKED
#define SCAN_BLOCKED

#include "scan_element.hlsli"

#define BLOCK           16
#define BLOCKS_PER_TILE 64
#define TILE            (BLOCK * BLOCKS_PER_TILE)
#define RECORD          3

/* v[i] becomes the sum of v[0..i], by Sklansky's network ("Conditional-Sum Addition Logic", 1960):
 * in round s every element whose bit s is set adds the last element of the half before it. */
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

/* C[t]: the sum of the line's tiles before this one. */
tally tiles_before(uint line_number, uint tile) {
    tally sum = zero_tally();
    [branch] if (tiles_per_line > 1)
        sum = load_work(record_place(line_number, tile));
    return sum;
}

/* The tally before the tile: the last inclusive sum of the tile before it, with the same bits. */
tally tally_before(uint line_number, uint tile) {
    tally sum = zero_tally();
    [branch] if (tile > 0) {
        const uint place = record_place(line_number, tile - 1);
        sum = add(add(load_work(place), load_work(place + 1)), load_work(place + 2));
    }
    return sum;
}

#endif
