/* SPDX-License-Identifier: MIT */
/* Defect: clears the tickets alone, and not what an earlier scan published. */
// elements: FLOAT32
#include "scan_publish.hlsli"
void clear_tickets(uint group, uint thread) {
    [branch] if (group == 0 && thread == 0)
        work.Store(TICKETS, 0);
}
#define clear_words clear_tickets
#include "blocked_single.hlsl"
