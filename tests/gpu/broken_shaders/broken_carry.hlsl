/* SPDX-License-Identifier: MIT */
/* Loses the carry from the low word of a 64-bit sum to the high one. */
// elements: INTEGER64
#include "scan_element.hlsli"
#define add(a, b) ((a) + (b))
#include "blocked_tile.hlsl"
