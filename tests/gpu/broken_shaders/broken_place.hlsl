/* SPDX-License-Identifier: MIT */
/* Defect: stores each output one element further on, the last one outside the tensor. */
// elements: FLOAT32
#include "scan_element.hlsli"
void store_beyond(uint element, accumulator value) {
    store(element + 1, value);
}
#define store store_beyond
#include "sequential_direct.hlsl"
