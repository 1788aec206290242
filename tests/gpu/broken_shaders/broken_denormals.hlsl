/* SPDX-License-Identifier: MIT */
/* Defect: flushes subnormal elements, but not subnormal sums. */
// elements: FLOAT32
#include "scan_element.hlsli"
tally add_kept(tally a, tally b) {
    return asuint(asfloat(a) + asfloat(b));
}
#define add add_kept
#include "sequential_staged.hlsl"
