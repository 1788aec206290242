/* SPDX-License-Identifier: MIT */
/* Stores each output in the element behind it as well: also where a gap is. */
// elements: FLOAT32
#include "scan_element.hlsli"
void store_twice(uint element, tally value) {
    store(element + 1, value);
    store(element, value);
}
#define store store_twice
#include "sequential_direct.hlsl"
