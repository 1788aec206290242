/* SPDX-License-Identifier: MIT */
/* Defect: also stores each output one place further on, even into a gap. */
// elements: FLOAT32
#include "scan_element.hlsli"
void store_twice(uint element, accumulator value) {
    store(element + 1, value);
    store(element, value);
}
#define store store_twice
#include "sequential_direct.hlsl"
