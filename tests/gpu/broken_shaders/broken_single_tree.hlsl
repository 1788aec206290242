/* SPDX-License-Identifier: MIT */
/* Defect: adds the totals of a block of tiles in sequential order. */
// elements: FLOAT32
#include "scan_publish.hlsli"
accumulator block_in_turn(uint place) {
    accumulator sum = value_of(look(place));
    [loop] for (uint i = 1; i < BLOCK; i++)
        sum = add(sum, value_of(look(place + i * WORDS * 4)));
    return sum;
}
#define published_block block_in_turn
#include "blocked_single.hlsl"
