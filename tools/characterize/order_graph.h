/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_GRAPH_H
#define CUMSUM_TOOLS_ORDER_GRAPH_H

/*
 * Orders of addition as a graph. Nodes below `terms` are the terms of a line, every other node is
 * the sum of two nodes before it. Equal sums have equal numbers: a sum is added once, and its terms
 * commute. So the outputs of a line share their common subtrees, and two trees are equal if their
 * numbers are.
 */

#include <stdint.h>

typedef struct order_graph {
    uint32_t terms;
    uint32_t count;      /* nodes, the terms included */
    uint32_t room;       /* sums that fit into the memory */
    uint32_t (*sums)[2]; /* of node terms + i: its two terms, the smaller number first */
    uint32_t *slots;     /* hash table of sums: their number in `sums` plus 1, or 0 */
    uint32_t slot_count; /* a power of 2 */
} order_graph;

/* order_graph_free frees what the graph holds. */
void order_graph_init(order_graph *g, uint32_t terms);
void order_graph_free(order_graph *g);

/* The sum of a and b. */
uint32_t order_graph_add(order_graph *g, uint32_t a, uint32_t b);

/* Removes the nodes from number `count` on. */
void order_graph_cut(order_graph *g, uint32_t count);

#endif
