/* SPDX-License-Identifier: MIT */
/* Begins each chunk of a line with +0. */
// elements: FLOAT32
#include "scan_constants.hlsli"
#undef FLAG_CONTINUES
#define FLAG_CONTINUES 0
#include "sequential_staged.hlsl"
