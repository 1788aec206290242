/* SPDX-License-Identifier: MIT */
/* Outputs from an order of additions and its arithmetic: trees are evaluated node by node, levels
 * and an exact order by the library. Beside them those of a saved order for whole tensors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "layout.h"
#include "lines.h"
#include "memory.h"
#include "saved_order.h"

static bool flushes(const saved_order *order) {
    return order->arithmetic.denormals == CUMSUM_DENORMALS_FLUSH &&
           order->type != CUMSUM_DATA_TYPE_FLOAT16;
}

static double flushed(const saved_order *order, double value) {
    const bool tiny = flushes(order) && fabs(value) < ldexp(1, line_format_of(order->type)->least);
    return tiny ? copysign(0, value) : value;
}

/* A binary16 or bfloat16 sum is a binary32 sum that is rounded again. One rounding gives the same,
 * because binary32 has 24 digits and 2 * 11 + 1 suffice (Figueroa, "When is double rounding
 * innocuous?", 1995). */
static double add_nodes(const saved_order *order, double a, double b) {
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

static void store_sum(const saved_order *order, void *output, uint32_t i, double sum) {
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

static void evaluate_levels(saved_order order, bool exclusive, const void *input, uint32_t length,
                            void *output) {
    const cumsum_composed_order *levels = &order.name.levels;
    const uint64_t scratch = cumsum_order_scratch(levels, length);
    double *values = tool_calloc((size_t)(length + scratch), sizeof *values);
    for (uint32_t i = 0; i < length; i++)
        values[i] = flushed(&order, line_load(order.type, input, i));
    cumsum_order_scan(levels, values, length, exclusive, values + length, add_for_scan, &order);
    for (uint32_t i = 0; i < length; i++)
        store_sum(&order, output, i, values[i]);
    free(values);
}

static void evaluate_trees(const saved_order *order, bool exclusive, const void *input,
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

/* Of an order in which no addition rounds, any tree will do. */
static void evaluate_unrounded(const saved_order *order, bool exclusive, const void *input,
                               uint32_t length, void *output) {
    double sum = 0;
    for (uint32_t i = 0; i < length; i++) {
        const double before = sum;
        sum += line_load(order->type, input, i);
        store_sum(order, output, i, exclusive ? before : sum);
    }
}

static bool evaluate_exactly(const saved_order *order, bool exclusive, const void *input,
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
static void settle_zeros(const saved_order *order, bool exclusive, const void *input,
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

bool order_evaluate(const saved_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output) {
    bool done = true;
    if (order->arithmetic.accumulator == ACCUMULATOR_EXACT)
        done = evaluate_exactly(order, exclusive, input, length, output);
    else if (order->name.kind == ORDER_EXACT)
        evaluate_unrounded(order, exclusive, input, length, output);
    else if (order->roots)
        evaluate_trees(order, exclusive, input, length, output);
    else
        evaluate_levels(*order, exclusive, input, length, output);
    if (order->total)
        memset(output, 0, (size_t)(length - 1) * cumsum_data_type_size(order->type));
    settle_zeros(order, exclusive, input, length, output);
    return done;
}

bool order_any_zero(const saved_order *order) {
    return order->arithmetic.any_zero || flushes(order);
}

bool order_applies(saved_order *order, const char *path, const cumsum_operator_desc *desc,
                   char *reason, size_t room) {
    const layout in = layout_of(desc->input_tensor->desc);
    const uint32_t length = in.sizes[desc->axis];
    if (in.type != order->type) {
        snprintf(reason, room, "the order of %s is one of %s sums", path,
                 cumsum_data_type_name(order->type));
        return false;
    }
    if (!order_reach(order, length, desc->has_exclusive_sum)) {
        snprintf(reason, room, "the order of %s is known for %u terms, and these lines have %u",
                 path, order->outputs, length);
        return false;
    }
    return true;
}

void order_expect(const saved_order *order, const cumsum_operator_desc *desc,
                  const unsigned char *input, const layout *output, unsigned char *first) {
    layout from = layout_of(desc->input_tensor->desc);
    layout to = *output;
    layout_make_innermost(&from, desc->axis);
    layout_make_innermost(&to, desc->axis);
    if (desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING) {
        input += layout_turn(&from, from.rank - 1);
        first += layout_turn(&to, to.rank - 1);
    }
    const size_t elements = (size_t)(from.count * from.element_size);
    const uint32_t length = from.sizes[from.rank - 1];
    const size_t bytes = (size_t)length * from.element_size;
    unsigned char *terms = tool_malloc(elements);
    unsigned char *sums = tool_malloc(elements);
    layout_gather(&from, input, terms);
    for (size_t line = 0; line < elements; line += bytes)
        order_evaluate(order, desc->has_exclusive_sum, terms + line, length, sums + line);
    layout_scatter(&to, sums, first);
    free(terms);
    free(sums);
}

void order_settle_zeros(const saved_order *order, const layout *output, unsigned char *expected,
                        const unsigned char *actual) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const uint64_t offset = layout_offset(output, at);
        const uint64_t bits = element_load(actual + offset, output->type);
        const uint64_t other = element_load(expected + offset, output->type);
        const bool zeros = ((bits | other) & ~element_sign(output->type)) == 0;
        if (cumsum_same_bits(output->type, bits, other) || (zeros && order_any_zero(order)))
            element_store(expected + offset, output->type, bits);
    } while (layout_next(output, at));
}
