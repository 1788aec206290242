/* SPDX-License-Identifier: MIT */
#include "saved_order.h"

#include <stdlib.h>

#include "memory.h"
#include "order_discover.h"

/* A named order reaches beyond what was seen, but its graph has to fit into memory. */
#define MOST_NAMED_TERMS (1u << 22)

const char *const order_tally_words[] = {"binary32", "binary16", "binary64", NULL};
const char *const order_store_words[] = {"nearest-even", "toward-zero", "ieee", NULL};
const char *const order_denormals_words[] = {"preserve", "flush", NULL};

bool order_reach(saved_order *order, uint32_t length, bool exclusive) {
    if (order->name.kind == ORDER_EXACT || length <= order->outputs + exclusive)
        return true;
    const bool quadratic = order->name.kind == ORDER_RIGHT_TO_LEFT;
    if (order->name.kind == ORDER_UNNAMED ||
        length > (quadratic ? ORDER_MOST_TERMS : MOST_NAMED_TERMS))
        return false;
    saved_order_free(order);
    order->outputs = length;
    order_graph_begin(&order->graph, length);
    order->roots = tool_calloc(length, sizeof *order->roots);
    order_build(&order->graph, order->name, order->roots);
    return true;
}

void saved_order_free(saved_order *order) {
    order_graph_end(&order->graph);
    free(order->roots);
    order->roots = NULL;
}
