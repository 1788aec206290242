/* SPDX-License-Identifier: MIT */
/* No defect: as on a device that makes +0 of subnormal terms and sums. */
// elements: FLOAT32
uint flushing(uint bits) {
    return (bits & 0x7F800000u) == 0 && (bits & 0x7FFFFFu) != 0 ? 0 : bits;
}
#define ON_DEVICE flushing
#include "blocked_line.hlsl"
