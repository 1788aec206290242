/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_GRAPH_H
#define CUMSUM_TOOLS_ORDER_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Orders of addition as a graph. Nodes below `terms` are the terms of a line, every other node is
 * the sum of two. A sum that is there already is not added again, and addition commutes: equal
 * trees have equal numbers. So all outputs of a line share what they have in common, and comparing
 * two trees is comparing two numbers.
 */

/* The sum of nothing. */
#define ORDER_NOTHING UINT32_MAX

typedef struct order_graph {
    uint32_t terms;
    uint32_t count;      /* nodes, the terms included */
    uint32_t room;       /* sums that there is memory for */
    uint32_t (*sums)[2]; /* of node terms + i: what it adds, the smaller number first */
    uint32_t *slots;     /* hash table of sums: their number in `sums` plus 1, or 0 */
    uint32_t slot_count; /* a power of 2 */
} order_graph;

/* order_graph_end frees what the graph holds. */
void order_graph_begin(order_graph *g, uint32_t terms);
void order_graph_end(order_graph *g);

/* The node that adds a and b, either of which may be ORDER_NOTHING: then it is the other. */
uint32_t order_graph_add(order_graph *g, uint32_t a, uint32_t b);

/* Forgets the nodes from `count` on. */
void order_graph_cut(order_graph *g, uint32_t count);

#endif
