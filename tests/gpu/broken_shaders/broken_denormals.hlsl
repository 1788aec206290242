/* SPDX-License-Identifier: MIT */
/* Defect: flushes subnormal elements, but not subnormal sums. */
// elements: FLOAT32
#include "scan_element.hlsli"
accumulator add_keeping(accumulator a, accumulator b) {
    const accumulator units = add_floats(to_units(a), to_units(b));
    const uint magnitude = units & 0x7FFFFFFFu;
    accumulator sum = add(a, b);
    if (((a | b) & NOT_SMALL) == 0 && magnitude < LEAST_NORMAL + UNITS)
        sum = (uint)asfloat(magnitude) | (units & 0x80000000u);
    return sum;
}
#define add add_keeping
#include "sequential_staged.hlsl"
