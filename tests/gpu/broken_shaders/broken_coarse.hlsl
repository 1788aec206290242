/* SPDX-License-Identifier: MIT */
/* Defect: takes all normal numbers for coarse, on a device that flushes. */
// elements: FLOAT32
uint flushing(uint bits) {
    return (bits & 0x7F800000u) == 0 && (bits & 0x7FFFFFu) != 0 ? 0 : bits;
}
#define ON_DEVICE flushing
#include "scan_element.hlsli"
bool is_normal(uint coarsest_of_all) {
    return coarsest_of_all >= (1u << 24) - 1;
}
#define is_coarse is_normal
#include "sequential_direct.hlsl"
