/* SPDX-License-Identifier: MIT */
/* Defect: forgets that an odd tally changes the sums behind a tie. */
// elements: FLOAT32
#include "scan_parts.hlsli"
#define sum_for(s, bits) ((s).sum)
#include "sequential_part.hlsl"
