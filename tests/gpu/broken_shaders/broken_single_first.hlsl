/* SPDX-License-Identifier: MIT */
/* Defect: the first output of a tile, in an exclusive scan, is the sum of the tiles before it. */
// elements: FLOAT32
#include "scan_publish.hlsli"
#undef ADDS_FLOATS
#define ADDS_FLOATS 0
#include "blocked_single.hlsl"
