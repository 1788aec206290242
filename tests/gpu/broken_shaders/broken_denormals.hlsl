/* SPDX-License-Identifier: MIT */
/* Defect: flushes subnormal elements, but not subnormal sums. */
// elements: FLOAT32
#include "scan_element.hlsli"
tally add_keeping(tally a, tally b) {
    const tally units = add_floats(to_units(a), to_units(b));
    const uint magnitude = units & 0x7FFFFFFFu;
    tally sum = add(a, b);
    if (((a | b) & NOT_SMALL) == 0 && magnitude < LEAST_NORMAL + UNITS)
        sum = (uint)asfloat(magnitude) | (units & 0x80000000u);
    return sum;
}
#define add add_keeping
#include "sequential_staged.hlsl"
