/* SPDX-License-Identifier: MIT */
/* Defect: begins with -0, so a line of -0 stays -0. */
// elements: FLOAT32
#include "scan_element.hlsli"
accumulator negative_zero() {
    return 0x80000000u;
}
#define zero_sum negative_zero
#include "sequential_direct.hlsl"
