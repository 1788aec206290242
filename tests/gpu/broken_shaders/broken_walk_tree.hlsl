/* SPDX-License-Identifier: MIT */
/* Defect: adds the tiles' totals one after the other, not by the tree of the blocked order. */
// elements: FLOAT32
#include "scan_walk.hlsli"
accumulator enter_in_turn(uint walker, uint t, accumulator total) {
    level_cells[walker] = add(level_cells[walker], total);
    return level_cells[walker];
}
#define enter_total enter_in_turn
#include "blocked_walk.hlsl"
