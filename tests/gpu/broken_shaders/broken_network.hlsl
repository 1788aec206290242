/* SPDX-License-Identifier: MIT */
/* Defect: adds the elements of a block in sequential order instead of by Sklansky's network. */
// elements: FLOAT32
#include "scan_blocked.hlsli"
void scan_in_turn(inout accumulator v[BLOCK], bool coarse) {
    [unroll] for (uint i = 1; i < BLOCK; i++)
        v[i] = add(v[i - 1], v[i]);
}
#define scan_block scan_in_turn
#include "blocked_tile.hlsl"
