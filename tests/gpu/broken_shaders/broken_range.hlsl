/* SPDX-License-Identifier: MIT */
/* Defect: does not notice sums that leave their binade at its upper end. */
// elements: FLOAT32
#include "scan_segments.hlsli"
#define InterlockedMax(greatest, sum)
#include "sequential_segment.hlsl"
