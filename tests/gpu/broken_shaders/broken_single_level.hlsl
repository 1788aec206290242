/* SPDX-License-Identifier: MIT */
/* Defect: the total of a tile of tiles leaves out its first block, which only lines of more than
 * 2^20 elements show. */
// elements: FLOAT32
#include "scan_publish.hlsli"
accumulator most_of_tile(uint place) {
    accumulator carry = zero_sum();
    [loop] for (uint i = 1; i < BLOCKS_PER_TILE; i++)
        carry = add(carry, value_of(look(place + i * WORDS * 4)));
    return carry;
}
#define published_tile most_of_tile
#include "blocked_single.hlsl"
