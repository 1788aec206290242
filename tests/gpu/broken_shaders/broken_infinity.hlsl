/* SPDX-License-Identifier: MIT */
/* Defect: takes all elements for finite, so an infinite running sum does not become NaN. */
// elements: FLOAT32
#include "scan_segments.hlsli"
uint finite_grid(uint guess, uint e) {
    return choose_grid(guess, e) | FINITE;
}
#define choose_grid finite_grid
#include "sequential_segment.hlsl"
