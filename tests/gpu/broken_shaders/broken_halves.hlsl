/* SPDX-License-Identifier: MIT */
/* Defect: stores a half as a whole word, so the other half is lost. */
// elements: FLOAT16
#include "scan_element.hlsli"
void store_word(uint element, accumulator value) {
    output_buffer.Store(element / 2 * 4, half_of(value) << ((element & 1) * 16));
}
#define store store_word
#include "sequential_direct.hlsl"
