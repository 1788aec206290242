/* SPDX-License-Identifier: MIT */
/* Reads data as a saved order: it is read, with nodes that exist, or refused with a message. An
 * order that is read gives the sums of short lines. */
#include "fuzz_target.h"
#include "saved_order.h"

static void check_graph(const saved_order *order) {
    const order_graph *g = &order->graph;
    for (uint32_t i = 0; i < g->count - g->terms; i++)
        FUZZ_CHECK(g->sums[i][0] < g->terms + i && g->sums[i][1] < g->terms + i);
    for (uint32_t k = 0; k < order->outputs && order->roots; k++)
        FUZZ_CHECK(order->roots[k] < g->count);
}

static void check_order(saved_order *order) {
    static const float input[8] = {1, 2, 3, 4, 5, 6, 7, 8}; /* or eight numbers of FLOAT16 */
    float output[8];
    FUZZ_CHECK(order->outputs > 0);
    FUZZ_CHECK((order->roots != NULL) == (order->name.kind == ORDER_UNNAMED));
    check_graph(order);
    for (uint32_t length = 1; length <= 8; length++)
        for (int exclusive = 0; exclusive < 2; exclusive++)
            if (order_reach(order, length, exclusive))
                FUZZ_CHECK(order_evaluate(order, exclusive, input, length, output));
    check_graph(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    saved_order order;
    tool_error error = {""};
    tool_status status = order_file_read(fuzz_file(data, size), &order, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status == TOOL_OK)
        check_order(&order);
    else
        fuzz_check_message(error.message);
    saved_order_free(&order);
    return 0;
}
