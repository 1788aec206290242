/* SPDX-License-Identifier: MIT */
/* Defect: begins each chunk of a line with +0 instead of its carry-in. */
// elements: FLOAT32
#include "scan_constants.hlsli"
#undef FLAG_CONTINUES
#define FLAG_CONTINUES 0
#include "sequential_staged.hlsl"
