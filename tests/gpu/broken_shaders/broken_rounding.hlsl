/* SPDX-License-Identifier: MIT */
/* Defect: rounds ties of binary16 sums up instead of to even. */
// elements: FLOAT16_HALF
#include "scan_half.hlsli"
uint round_ties_up(uint sum) {
    const uint even = round_to_half(sum);
    return (sum & 0x1FFFu) == 0x1000u && (even & 0x7FFFFFFFu) < (sum & 0x7FFFFFFFu)
               ? even + 0x2000u
               : even;
}
#define round_to_half round_ties_up
#include "sequential_staged.hlsl"
