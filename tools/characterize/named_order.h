/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NAMED_ORDER_H
#define CUMSUM_TOOLS_NAMED_ORDER_H

/* What an order is called: by its levels (cumsum/order.h), if they are known. */

#include <cumsum/order.h>

#include "order_graph.h"

typedef enum order_kind {
    ORDER_LEVELS,
    ORDER_SUM, /* of totals */
    ORDER_UNNAMED,
    ORDER_EXACT /* only the result is rounded: the order does not matter */
} order_kind;

typedef struct named_order {
    order_kind kind;
    cumsum_composed_order levels; /* of ORDER_LEVELS */
    cumsum_sum_order sum;         /* of ORDER_SUM */
} named_order;

/* "sequential", "sklansky-16 of sequential"; "unnamed", "exact". */
void order_name_text(char text[CUMSUM_ORDER_TEXT], const named_order *name);

/* The order that a text names; false if it names none. */
bool order_name_read(const char *text, named_order *name);

/* Finds orders of one level that have the first `count` roots: roots[k] is the sum of the first
 * k + 1 of g's terms, which an exclusive output comes one place behind. If there is none, looks for
 * one of several levels. Returns how many were found, at most room. */
size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, bool exclusive,
                        named_order *list, size_t room);

/* The name of the graph, which is one tree: that of a total. */
named_order order_name_total(const order_graph *g);

#endif
