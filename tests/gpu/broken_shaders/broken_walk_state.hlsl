/* SPDX-License-Identifier: MIT */
/* Defect: each dispatch of a walk begins with +0 instead of the state that the last one left. */
// elements: FLOAT32
#include "scan_constants.hlsli"
#undef FLAG_CONTINUES
#define FLAG_CONTINUES 0
#include "blocked_walk.hlsl"
