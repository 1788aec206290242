/* SPDX-License-Identifier: MIT */
/* A graph of sums with a hash table, so that each sum is a node once (hash consing). */
#include "saved_order.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Sums that a new graph has memory for. */
#define FIRST_ROOM 1024u

void order_graph_init(order_graph *g, uint32_t terms) {
    *g = (order_graph){.terms = terms, .count = terms, .room = FIRST_ROOM};
    g->slot_count = 4 * FIRST_ROOM;
    g->sums = tool_calloc(g->room, sizeof *g->sums);
    g->slots = tool_calloc(g->slot_count, sizeof *g->slots);
}

void order_graph_free(order_graph *g) {
    free(g->sums);
    free(g->slots);
    *g = (order_graph){0};
}

/* The slot of {a, b} in the table, or the empty slot where it belongs: open addressing, with the
 * multiplicative hash of Knuth, The Art of Computer Programming 3, section 6.4. */
static uint32_t *slot_of(const order_graph *g, uint32_t a, uint32_t b) {
    uint64_t hash = (((uint64_t)a << 32) | b) * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> 32) & (g->slot_count - 1);
    while (g->slots[at] && (g->sums[g->slots[at] - 1][0] != a || g->sums[g->slots[at] - 1][1] != b))
        at = (at + 1) & (g->slot_count - 1);
    return &g->slots[at];
}

static void fill_slots(order_graph *g) {
    memset(g->slots, 0, g->slot_count * sizeof *g->slots);
    for (uint32_t i = 0; i < g->count - g->terms; i++)
        *slot_of(g, g->sums[i][0], g->sums[i][1]) = i + 1;
}

static void grow_graph(order_graph *g) {
    g->room *= 2;
    g->sums = tool_realloc(g->sums, g->room, sizeof *g->sums);
    g->slot_count *= 2;
    g->slots = tool_realloc(g->slots, g->slot_count, sizeof *g->slots);
    fill_slots(g);
}

uint32_t order_graph_add(order_graph *g, uint32_t a, uint32_t b) {
    const uint32_t low = a < b ? a : b;
    const uint32_t high = a < b ? b : a;
    uint32_t *slot = slot_of(g, low, high);
    if (*slot)
        return g->terms + *slot - 1;
    if (g->count - g->terms == g->room) {
        grow_graph(g);
        slot = slot_of(g, low, high);
    }
    const uint32_t index = g->count - g->terms;
    g->sums[index][0] = low;
    g->sums[index][1] = high;
    *slot = index + 1;
    return g->count++;
}

void order_graph_cut(order_graph *g, uint32_t count) {
    if (count < g->count) {
        g->count = count;
        fill_slots(g);
    }
}
