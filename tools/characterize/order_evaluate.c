/* SPDX-License-Identifier: MIT */
/* Outputs from an order of additions and its arithmetic: trees are evaluated node by node, levels
 * and an exact order by the library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "known_order.h"
#include "layout.h"
#include "lines.h"
#include "memory.h"

/* A named order is known for lines of any length, but a line has to fit into memory. */
#define NAMED_TERMS_MAX (1u << 22)

const word_row order_accumulator_words[] = {
    {"binary32", ACCUMULATOR_BINARY32},
    {"binary16", ACCUMULATOR_BINARY16},
    {"binary64", ACCUMULATOR_BINARY64},
    {"binary64-through-binary32", ACCUMULATOR_BINARY64_BINARY32},
    {"bfloat16", ACCUMULATOR_BFLOAT16},
    {"exact", ACCUMULATOR_EXACT},
    {NULL, 0}};

/* Its time is the square of the length. */
static bool is_right_to_left(const known_order *order) {
    const cumsum_composed_order *levels = &order->name.levels;
    return order->name.kind == ORDER_LEVELS &&
           levels->levels[levels->count - 1].kind == CUMSUM_KIND_RIGHT_TO_LEFT;
}

uint32_t order_most_terms(const known_order *order) {
    const uint32_t most = order->name.kind == ORDER_EXACT     ? UINT32_MAX
                          : order->name.kind == ORDER_UNNAMED ? order->outputs
                          : is_right_to_left(order)           ? ORDER_MOST_TERMS
                                                              : NAMED_TERMS_MAX;
    return order->limit && order->limit < most ? order->limit : most;
}

bool order_reach(known_order *order, uint32_t length, bool exclusive) {
    const uint32_t most = order_most_terms(order);
    if (length - exclusive > most)
        return false;
    if (order->name.kind == ORDER_LEVELS && length > order->outputs + exclusive) {
        known_order_free(order); /* the levels continue the trees */
        order->outputs = length;
    }
    return true;
}

void known_order_free(known_order *order) {
    order_graph_free(&order->graph);
    free(order->roots);
    order->roots = NULL;
}

static bool flushes(const known_order *order) {
    return order->arithmetic.denormals == CUMSUM_DENORMALS_FLUSH &&
           order->type != CUMSUM_DATA_TYPE_FLOAT16;
}

static double flushed(const known_order *order, double value) {
    const bool tiny = flushes(order) && fabs(value) < ldexp(1, line_format_of(order->type)->least);
    return tiny ? copysign(0, value) : value;
}

/* A binary16 or bfloat16 sum is a binary32 sum that is rounded again. One rounding gives the same,
 * because binary32 has 24 digits and 2 * 11 + 1 suffice (Figueroa, "When is double rounding
 * innocuous?", 1995). */
static double add_nodes(const known_order *order, double a, double b) {
    switch (order->arithmetic.accumulator) {
    case ACCUMULATOR_BINARY32:
        return flushed(order, (float)a + (float)b);
    case ACCUMULATOR_BINARY16:
        return line_rounded(CUMSUM_DATA_TYPE_FLOAT16, (float)a + (float)b);
    case ACCUMULATOR_BFLOAT16:
        return flushed(order, line_rounded(CUMSUM_DATA_TYPE_BFLOAT16, (float)a + (float)b));
    default:
        return order->type == CUMSUM_DATA_TYPE_FLOAT64 ? flushed(order, a + b) : a + b;
    }
}

static void store_sum(const known_order *order, void *output, uint32_t i, double sum) {
    const order_arithmetic *how = &order->arithmetic;
    if (how->accumulator == ACCUMULATOR_BINARY64_BINARY32)
        sum = (float)sum;
    if (order->type == CUMSUM_DATA_TYPE_FLOAT16 && how->accumulator != ACCUMULATOR_BINARY16)
        ((uint16_t *)output)[i] = cumsum_half_from_float((float)sum, how->store);
    else if (order->type == CUMSUM_DATA_TYPE_BFLOAT16 &&
             how->store == CUMSUM_HALF_STORE_TOWARD_ZERO)
        ((uint16_t *)output)[i] = (uint16_t)(element_nearest(CUMSUM_DATA_TYPE_FLOAT32, sum) >> 16);
    else
        line_store(order->type, output, i, sum);
}

/* cumsum_order_scan's addition. */
static double add_for_scan(void *order, double a, double b) {
    return add_nodes(order, a, b);
}

/* Where no addition rounds, any order will do. */
static void evaluate_levels(known_order order, bool exclusive, const void *input, uint32_t length,
                            void *output) {
    const cumsum_composed_order sequential = {1, {{.kind = CUMSUM_KIND_SEQUENTIAL}}};
    const cumsum_composed_order *levels =
        order.name.kind == ORDER_EXACT ? &sequential : &order.name.levels;
    const uint64_t scratch = cumsum_order_scratch(levels, length);
    double *values = tool_calloc((size_t)(length + scratch), sizeof *values);
    for (uint32_t i = 0; i < length; i++)
        values[i] = flushed(&order, line_load(order.type, input, i));
    cumsum_order_scan(levels, values, length, exclusive, values + length, add_for_scan, &order);
    for (uint32_t i = 0; i < length; i++)
        store_sum(&order, output, i, values[i]);
    free(values);
}

static void evaluate_trees(const known_order *order, bool exclusive, const void *input,
                           uint32_t length, void *output) {
    const order_graph *g = &order->graph;
    double *values = tool_calloc(g->count, sizeof *values);
    for (uint32_t i = 0; i < g->terms && i < length; i++)
        values[i] = flushed(order, line_load(order->type, input, i));
    for (uint32_t i = g->terms; i < g->count; i++) {
        const uint32_t *sum = g->sums[i - g->terms];
        values[i] = add_nodes(order, values[sum[0]], values[sum[1]]);
    }
    for (uint32_t i = 0; i < length; i++) {
        const bool nothing = exclusive && !i;
        store_sum(order, output, i, nothing ? 0 : values[order->roots[i - exclusive]]);
    }
    free(values);
}

static bool evaluate_exactly(const known_order *order, bool exclusive, const void *input,
                             uint32_t length, void *output) {
    const uint64_t bytes = (uint64_t)length * cumsum_data_type_size(order->type);
    const cumsum_buffer_tensor_desc buffer = tensor_of(order->type, 1, &length, NULL);
    const uint64_t size = buffer.total_tensor_size_in_bytes;
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor, .output_tensor = &tensor, .has_exclusive_sum = exclusive};
    const cumsum_plan_options options = {
        .numerics = {.order = CUMSUM_ORDER_EXACT, .denormals = order->arithmetic.denormals}};
    cumsum_plan *plan = NULL;
    unsigned char *in = tool_calloc(size, 2);
    memcpy(in, input, bytes);
    const bool done = cumsum_plan_create(&desc, &options, &plan, NULL) == CUMSUM_OK &&
                      cumsum_plan_execute(plan, in, size, in + size, size, NULL) == CUMSUM_OK;
    memcpy(output, in + size, bytes);
    cumsum_plan_destroy(plan);
    free(in);
    return done;
}

/* A sum that rounds to nearest is -0 only if all of its terms are. The shorter of such prefixes
 * keep it (order_arithmetic). */
static void settle_zeros(const known_order *order, bool exclusive, const void *input,
                         uint32_t length, void *output) {
    bool all = true;
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t prefix = i - exclusive; /* wraps if it is empty */
        const bool empty = exclusive && !i;
        if (!empty && all) {
            const double term = line_load(order->type, input, prefix);
            all = term == 0 && signbit(term);
        }
        if (line_load(order->type, output, i) == 0 && !(order->total && i + 1 < length))
            line_store(order->type, output, i,
                       !empty && all && prefix < order->arithmetic.minus_zeros ? -0.0 : 0.0);
    }
}

bool order_evaluate(const known_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output) {
    bool done = true;
    if (order->arithmetic.accumulator == ACCUMULATOR_EXACT)
        done = evaluate_exactly(order, exclusive, input, length, output);
    else if (order->roots && order->name.kind != ORDER_EXACT)
        evaluate_trees(order, exclusive, input, length, output);
    else
        evaluate_levels(*order, exclusive, input, length, output);
    if (order->total)
        memset(output, 0, (size_t)(length - 1) * cumsum_data_type_size(order->type));
    settle_zeros(order, exclusive, input, length, output);
    return done;
}

bool order_any_zero(const known_order *order) {
    return order->arithmetic.any_zero || flushes(order);
}
