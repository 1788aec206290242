/* SPDX-License-Identifier: MIT */
/* Defect: the first output of a tile, in an exclusive scan, is the sum of the tiles before it
 * instead of the running sum after the last of them, which can differ in its bits. */
// elements: FLOAT32
#include "scan_blocked.hlsli"
#define sum_before tiles_before
#include "blocked_line.hlsl"
