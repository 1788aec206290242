/* SPDX-License-Identifier: MIT */
/* Defect: flushes subnormal elements, but not subnormal sums. */
// elements: FLOAT32
#include "scan_element.hlsli"
#undef FLAG_FLUSH
#define FLAG_FLUSH FLAG_NEVER
#include "sequential_staged.hlsl"
