/* SPDX-License-Identifier: MIT */
/* Defect: drops the carry from the low to the high word of a 64-bit sum. */
// elements: INTEGER64
#include "scan_element.hlsli"
#define add(a, b) ((a) + (b))
#include "blocked_single.hlsl"
