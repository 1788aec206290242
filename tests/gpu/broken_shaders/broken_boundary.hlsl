/* SPDX-License-Identifier: MIT */
/* Defect: takes the least normal sum for a subnormal one. */
// elements: FLOAT32
#include "scan_element.hlsli"
accumulator add_above(accumulator a, accumulator b) {
    const accumulator sum = add(a, b);
    return (sum & 0x7FFFFFFFu) == LEAST_NORMAL ? sum & 0x80000000u : sum;
}
#define add add_above
#include "blocked_tile.hlsl"
