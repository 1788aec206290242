/* SPDX-License-Identifier: MIT */
/* Defect: loses the sign of a subnormal sum. */
// elements: FLOAT32
#include "scan_element.hlsli"
accumulator add_unsigned(accumulator a, accumulator b) {
    const accumulator sum = add(a, b);
    return (sum & 0x7FFFFFFFu) < LEAST_NORMAL ? sum & 0x7FFFFFFFu : sum;
}
#define add add_unsigned
#include "blocked_line.hlsl"
