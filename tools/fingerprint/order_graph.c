/* SPDX-License-Identifier: MIT */
#include "order_graph.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "saved_order.h"

#define FIRST_ROOM 1024u

void order_graph_begin(order_graph *g, uint32_t terms) {
    *g = (order_graph){.terms = terms, .count = terms, .room = FIRST_ROOM};
    g->slot_count = 4 * FIRST_ROOM;
    g->sums = tool_calloc(g->room, sizeof *g->sums);
    g->slots = tool_calloc(g->slot_count, sizeof *g->slots);
}

void order_graph_end(order_graph *g) {
    free(g->sums);
    free(g->slots);
    *g = (order_graph){0};
}

/* Where {a, b} is in the table, or the empty slot for it. */
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

static void grow(order_graph *g) {
    g->room *= 2;
    g->sums = tool_realloc(g->sums, g->room, sizeof *g->sums);
    g->slot_count *= 2;
    g->slots = tool_realloc(g->slots, g->slot_count, sizeof *g->slots);
    fill_slots(g);
}

uint32_t order_graph_add(order_graph *g, uint32_t a, uint32_t b) {
    if (a == ORDER_NOTHING || b == ORDER_NOTHING)
        return a == ORDER_NOTHING ? b : a;
    const uint32_t low = a < b ? a : b;
    const uint32_t high = a < b ? b : a;
    uint32_t *slot = slot_of(g, low, high);
    if (*slot)
        return g->terms + *slot - 1;
    if (g->count - g->terms == g->room) {
        grow(g);
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

static double flushed(const order_arithmetic *how, float value) {
    const bool tiny = how->denormals == CUMSUM_DENORMALS_FLUSH && fabsf(value) < FLT_MIN;
    return tiny ? copysignf(0, value) : value;
}

/* A binary32 sum of two binary16 numbers holds more than twice their digits: rounding it again
 * gives what one rounding gives. */
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

/* Nodes come after what they add. Sums of terms that the line does not have are left out. */
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
