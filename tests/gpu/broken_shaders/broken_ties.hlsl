/* SPDX-License-Identifier: MIT */
/* Defect: rounds each tie up, instead of to the even one of its neighbours. */
// elements: FLOAT32
#include "scan_segments.hlsli"
#define add_split(sum, element) ((sum) + ((element) >> 2) + ((element) >> 1 & 1) + ((element) & 1))
#include "sequential_segment.hlsl"
