/* SPDX-License-Identifier: MIT */
/* Defect: adds the tiles' totals one after the other instead of by the tree of the blocked order. */
// elements: FLOAT32
#define WALKERS 1
#include "scan_walk.hlsli"
tally enter_in_turn(uint walker, uint t, tally total) {
    level_cells[walker] = add(level_cells[walker], total);
    return level_cells[walker];
}
#define enter_total enter_in_turn
#include "blocked_walk_staged.hlsl"
