/* SPDX-License-Identifier: MIT */
/* Takes the sum of the tiles before for the tally after the last of them: an exclusive scan's first
 * element of a tile. */
// elements: FLOAT32
#include "scan_blocked.hlsli"
#define tally_before tiles_before
#include "blocked_line.hlsl"
