/* SPDX-License-Identifier: MIT */
/* Defect: of the tiles that were left, every third one is forgotten. */
// elements: FLOAT32
#include "scan_publish.hlsli"
bool is_forgotten(uint number) {
    return is_marked(number) || number % 3 == 2;
}
#define is_marked is_forgotten
#include "blocked_single.hlsl"
