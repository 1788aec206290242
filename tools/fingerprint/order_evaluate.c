/* SPDX-License-Identifier: MIT */
/* Outputs from an order of additions and its arithmetic: the graph is evaluated node by node, an
 * exact order by the library. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "saved_order.h"

static double flushed(const order_arithmetic *how, float value) {
    const bool tiny = how->denormals == CUMSUM_DENORMALS_FLUSH && fabsf(value) < FLT_MIN;
    return tiny ? copysignf(0, value) : value;
}

/* A binary16 sum is a binary32 sum that is rounded again. One rounding gives the same, because
 * binary32 has 24 digits and 2 * 11 + 1 suffice (Figueroa, "When is double rounding innocuous?",
 * 1995). */
static double add(const order_arithmetic *how, double a, double b) {
    if (how->tally == TALLY_BINARY64)
        return a + b;
    const float sum = (float)a + (float)b;
    if (how->tally == TALLY_BINARY16)
        return cumsum_half_to_float(cumsum_half_from_float(sum, CUMSUM_HALF_STORE_IEEE));
    return flushed(how, sum);
}

static double load(const saved_order *order, const void *input, uint32_t i) {
    const order_arithmetic *how = &order->arithmetic;
    const float value = order->type == CUMSUM_DATA_TYPE_FLOAT16
                            ? cumsum_half_to_float(((const uint16_t *)input)[i])
                            : (float)flushed(how, ((const float *)input)[i]);
    return how->keeps_minus_zero ? value : 0.0f + value;
}

static void store(const saved_order *order, void *output, uint32_t i, double tally) {
    const order_arithmetic *how = &order->arithmetic;
    if (order->type != CUMSUM_DATA_TYPE_FLOAT16) {
        ((float *)output)[i] = (float)tally;
        return;
    }
    const bool narrow = how->tally == TALLY_BINARY16;
    ((uint16_t *)output)[i] =
        cumsum_half_from_float((float)tally, narrow ? CUMSUM_HALF_STORE_IEEE : how->store);
}

/* A node comes after its terms. Terms beyond the line count as 0; no output of the line uses them.
 */
static void evaluate_nodes(const saved_order *order, const void *input, uint32_t length,
                           double *values) {
    const order_graph *g = &order->graph;
    for (uint32_t i = 0; i < g->terms; i++)
        values[i] = i < length ? load(order, input, i) : 0;
    for (uint32_t i = g->terms; i < g->count; i++) {
        const uint32_t *sum = g->sums[i - g->terms];
        values[i] = add(&order->arithmetic, values[sum[0]], values[sum[1]]);
    }
}

static bool evaluate_exactly(const saved_order *order, bool exclusive, const void *input,
                             uint32_t length, void *output) {
    const uint64_t bytes = (uint64_t)length * cumsum_data_type_size(order->type);
    const uint64_t size = (bytes + 3) / 4 * 4;
    const cumsum_buffer_tensor_desc buffer = {.data_type = order->type,
                                              .dimension_count = 1,
                                              .sizes = &length,
                                              .total_tensor_size_in_bytes = size};
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

bool order_evaluate(const saved_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output) {
    if (order->name.kind == ORDER_EXACT)
        return evaluate_exactly(order, exclusive, input, length, output);
    double *values = tool_calloc(order->graph.count, sizeof *values);
    evaluate_nodes(order, input, length, values);
    for (uint32_t i = 0; i < length; i++) {
        const bool nothing = exclusive && !i;
        store(order, output, i, nothing ? 0 : values[order->roots[i - exclusive]]);
    }
    free(values);
    return true;
}

bool order_same_bits(const saved_order *order, uint64_t a, uint64_t b) {
    const bool any_zero = order->type == CUMSUM_DATA_TYPE_FLOAT32 &&
                          order->arithmetic.denormals == CUMSUM_DENORMALS_FLUSH;
    return cumsum_same_bits(order->type, a, b) ||
           (any_zero && ((a | b) & UINT64_C(0x7FFFFFFF)) == 0);
}
