/* SPDX-License-Identifier: MIT */
/* Defect: the sign of a flushed sum is lost. */
// elements: FLOAT32
#include "scan_element.hlsli"
tally add_unsigned(tally a, tally b) {
    const tally sum = add(a, b);
    return sum == 0x80000000u ? 0 : sum;
}
#define add add_unsigned
#include "sequential_staged.hlsl"
