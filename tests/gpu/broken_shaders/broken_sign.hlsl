/* SPDX-License-Identifier: MIT */
/* Defect: loses the sign of a subnormal sum. */
// elements: FLOAT32
#include "scan_element.hlsli"
tally add_unsigned(tally a, tally b) {
    const tally sum = add(a, b);
    return (sum & 0x7FFFFFFFu) < LEAST_NORMAL ? sum & 0x7FFFFFFFu : sum;
}
#define add add_unsigned
#include "blocked_line.hlsl"
