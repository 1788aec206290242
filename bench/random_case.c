/* SPDX-License-Identifier: MIT */
#include "random_case.h"

#include <math.h>
#include <stdio.h>

#include "random_bits.h"

/* From 0 to n - 1. The bias of the remainder does not matter. */
static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)(random_bits(state) % n);
}

static double uniform(uint64_t *state) {
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

/* The sizes share the logarithm of the number of elements at random. A fourth of the dimensions
 * has size 1. */
static void draw_sizes(uint64_t *state, workload *w) {
    double shares[CUMSUM_MAX_DIMENSIONS], sum = 0;
    for (uint32_t d = 0; d < w->rank; d++) {
        shares[d] = below(state, 4) ? 0.05 + uniform(state) : 0;
        sum += shares[d];
    }
    if (sum == 0)
        sum = shares[0] = 1;
    const double bits = 14 + 10 * uniform(state);
    for (uint32_t d = 0; d < w->rank; d++) {
        const double size = floor(exp2(bits * shares[d] / sum) + 0.5);
        w->sizes[d] = size < 1 ? 1 : (uint32_t)size;
    }
}

/* The order of the dimensions in memory, from the last to the first: half of them as they are. */
static void draw_places(uint64_t *state, uint32_t rank, uint32_t places[CUMSUM_MAX_DIMENSIONS]) {
    for (uint32_t d = 0; d < rank; d++)
        places[d] = rank - 1 - d;
    if (below(state, 2))
        return;
    for (uint32_t d = rank; d > 1; d--) {
        const uint32_t other = below(state, d), kept = places[d - 1];
        places[d - 1] = places[other];
        places[other] = kept;
    }
}

/* Strides in the order of `places`: a fourth of the operands has gaps between elements, and behind
 * a fourth of the dimensions comes padding. No dimension takes more than twice its memory, and all
 * together not more than eight times. */
static void draw_strides(uint64_t *state, const workload *w, const uint32_t *places,
                         uint32_t strides[CUMSUM_MAX_DIMENSIONS]) {
    uint64_t step = below(state, 4) ? 1 : 2, packed = 1;
    for (uint32_t i = 0; i < w->rank; i++) {
        const uint32_t d = places[i];
        strides[d] = (uint32_t)step;
        step *= w->sizes[d];
        packed *= w->sizes[d];
        const uint64_t pad = 1 + below(state, 32);
        if (below(state, 4) == 0 && pad <= step && step + pad <= 8 * packed)
            step += pad;
    }
}

static cumsum_order draw_order(uint64_t *state) {
    static const cumsum_order orders[] = {CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_BLOCKED,
                                          CUMSUM_ORDER_EXACT};
    return orders[below(state, 3)];
}

static cumsum_data_type draw_type(uint64_t *state) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_INT64};
    return types[below(state, 6)];
}

void random_case_make(random_case *c, uint32_t seed) {
    uint64_t state = seed;
    workload *w = &c->work;
    uint32_t places[CUMSUM_MAX_DIMENSIONS];
    *c = (random_case){.work = {.strided = true}};
    snprintf(c->name, sizeof c->name, "random-%u", seed);
    w->name = c->name;
    c->type = draw_type(&state);
    c->order = draw_order(&state);
    w->rank = 1 + below(&state, CUMSUM_MAX_DIMENSIONS);
    w->axis = below(&state, w->rank);
    w->decreasing = below(&state, 4) == 0;
    w->exclusive = below(&state, 4) == 0;
    draw_sizes(&state, w);
    draw_places(&state, w->rank, places);
    draw_strides(&state, w, places, w->input_strides);
    if (below(&state, 2)) /* the output in an order of its own */
        draw_places(&state, w->rank, places);
    draw_strides(&state, w, places, w->output_strides);
}
