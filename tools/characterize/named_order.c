/* SPDX-License-Identifier: MIT */
/* Graphs of sums, and names of orders. A graph has a hash table, so that each sum is a node once
 * (hash consing). An order that was found has a name if a scan by its levels, over the nodes of a
 * graph in place of numbers, gives the same nodes. */
#include "known_order.h"

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

/* Removes the nodes from number `count` on. */
static void order_graph_cut(order_graph *g, uint32_t count) {
    if (count < g->count) {
        g->count = count;
        fill_slots(g);
    }
}

static const char *const words[] = {
    [ORDER_SUM] = "", [ORDER_UNNAMED] = "unnamed", [ORDER_EXACT] = "exact"};

void order_name_text(char text[CUMSUM_ORDER_TEXT], const named_order *name) {
    if (name->kind == ORDER_LEVELS)
        cumsum_order_write(&name->levels, text);
    else if (name->kind == ORDER_SUM)
        cumsum_sum_order_write(&name->sum, text);
    else
        strcpy(text, words[name->kind]);
}

/* The roots that a name has to explain. */
typedef struct root_search {
    order_graph *graph;
    const uint32_t *roots;
    bool exclusive;
    double *nodes; /* room for the terms and one element more, and for the scratch of a scan */
} root_search;

/* The element behind the terms, which completes no output. */
#define BEHIND_TERMS (-1.0)

static double add_as_nodes(void *graph, double a, double b) {
    if (a == BEHIND_TERMS || b == BEHIND_TERMS)
        return BEHIND_TERMS;
    return order_graph_add(graph, (uint32_t)a, (uint32_t)b);
}

static uint64_t roots_right(void *search, const cumsum_composed_order *levels, uint64_t n) {
    const root_search *s = search;
    const uint32_t before = s->graph->count;
    const uint64_t elements = n + s->exclusive;
    uint64_t right = 0;
    for (uint64_t k = 0; k < elements; k++)
        s->nodes[k] = k < n ? (double)k : BEHIND_TERMS;
    cumsum_order_scan(levels, s->nodes, elements, s->exclusive, s->nodes + elements, add_as_nodes,
                      s->graph);
    while (right < n && s->nodes[right + s->exclusive] == s->roots[right])
        right++;
    order_graph_cut(s->graph, before);
    return right;
}

size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, bool exclusive,
                        named_order *list, size_t room) {
    root_search s = {g, roots, exclusive,
                     tool_calloc(3 * ((size_t)count + 1) + 128, sizeof(double))};
    size_t found = 0;
    for (int kind = 0; kind < CUMSUM_KIND_COARSE && found < room; kind++) {
        const named_order name = {.levels = {1, {{.kind = (cumsum_order_kind)kind}}}};
        if (roots_right(&s, &name.levels, count) == count)
            list[found++] = name;
    }
    if (!found &&
        cumsum_order_find(count, 256 * (uint64_t)count, roots_right, &s, &list[0].levels)) {
        list[0].kind = ORDER_LEVELS;
        found = 1;
    }
    free(s.nodes);
    return found;
}

named_order order_name_total(const order_graph *g) {
    named_order name = {.kind = ORDER_UNNAMED};
    double *scratch = tool_calloc(g->terms, CUMSUM_SUM_ORDER_SCRATCH * sizeof *scratch);
    if (g->count == 2 * g->terms - 1 &&
        cumsum_sum_order_find(g->terms, &g->sums[0][0], scratch, &name.sum))
        name.kind = ORDER_SUM;
    free(scratch);
    return name;
}
