/* SPDX-License-Identifier: MIT */
/* Defect: forgets that an odd running sum changes the sums behind a tie. */
// elements: FLOAT32
#include "scan_segments.hlsli"
#define sum_for(s, bits) ((s).sum)
#include "sequential_segment.hlsl"
