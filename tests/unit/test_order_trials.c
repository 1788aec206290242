/* SPDX-License-Identifier: MIT */
/*
 * Trials of composed orders (orders/order_trial.c) that share what they know, against trials that
 * scan all elements. The search for an order asks for them, on lines that its candidates have right
 * for long: sums in an order of levels with one wrong bit near the end.
 */
#include <stdio.h>

#include "order_scan.h"
#include "order_trial.h"
#include "splitmix64.h"

/* Elements of a line, and the lines of each type. */
#define MOST  900
#define LINES 30

static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                         CUMSUM_DATA_TYPE_BFLOAT16, CUMSUM_DATA_TYPE_FLOAT64};
#define TYPES (sizeof types / sizeof types[0])

/* A line, and two ways to try an order on it. */
typedef struct trial_line {
    uint64_t x[MOST]; /* elements of all types have their place */
    uint64_t y[MOST];
    double room[2][4 * MOST + 128];
    judge_state state;
    order_run run;
    order_run plain;
    order_trial trial;
    unsigned wrong; /* trials that differ */
} trial_line;

static uint64_t try_both(void *line, const cumsum_composed_order *order, uint64_t n) {
    trial_line *l = line;
    char name[CUMSUM_ORDER_TEXT];
    l->plain.match.composed = *order;
    const uint64_t all = cumsum_order_begins(&l->plain, n);
    const uint64_t shared = cumsum_order_try(&l->trial, order, n);
    if (shared != all && !l->wrong++) {
        cumsum_order_write(order, name);
        printf("%s: %u of the first %u outputs are right, not %u\n", name, (unsigned)all,
               (unsigned)n, (unsigned)shared);
    }
    return all;
}

static cumsum_order_kind any_kind(uint64_t *state) {
    static const cumsum_order_kind kinds[] = {CUMSUM_KIND_SEQUENTIAL, CUMSUM_KIND_HILLIS_STEELE,
                                              CUMSUM_KIND_SKLANSKY, CUMSUM_KIND_BLELLOCH};
    return kinds[random_below(state, 4)];
}

static cumsum_composed_order any_order(uint64_t *state) {
    cumsum_composed_order order = {.count = random_between(state, 1, 4)};
    for (uint32_t i = 0; i < order.count; i++)
        order.levels[i] =
            (cumsum_order_level){.kind = any_kind(state),
                                 .size = i + 1 < order.count ? random_between(state, 2, 20) : 0};
    if (order.count > 1 && random_once_in(state, 2))
        order.levels[0].kind = CUMSUM_KIND_COARSE;
    if (order.count > 2 && random_once_in(state, 2)) {
        order.levels[order.count - 3].open = 1;
        order.levels[order.count - 2].close = 1;
    }
    return order;
}

static void store(unsigned char *to, uint64_t k, uint32_t size, uint64_t bits) {
    for (uint32_t i = 0; i < size; i++)
        to[k * size + i] = (unsigned char)(bits >> (8 * i));
}

/* A term: 24 bits, or so few of them that no sum of many terms rounds. */
static uint64_t any_term(const binary_format *f, bool coarse, uint64_t *state) {
    const uint32_t bits = coarse ? 3 : 24;
    const double value = (double)random_below(state, UINT32_C(1) << bits) -
                         (double)(UINT32_C(1) << (bits - 1)) + 0.5;
    const double scaled = coarse ? value : value * 0x1p-20;
    return f->precision > 16 ? format_bits(f, scaled)
                             : half_store(f, binary32_bits((float)scaled), CUMSUM_HALF_STORE_IEEE);
}

static void fill(trial_line *l, uint32_t n, uint64_t *state) {
    static double v[MOST], scratch[2 * MOST + 128];
    const binary_format *f = judge_format(&l->state);
    const uint32_t size = l->state.problem.element_size;
    const cumsum_composed_order order = any_order(state);
    const uint32_t coarse = random_once_in(state, 3) ? random_below(state, n) : 0;
    order_rounding how = {size == 2 ? &binary32_format : f, false};
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t bits = any_term(f, k < coarse, state);
        store((unsigned char *)l->x, k, size, bits);
        v[k] = format_value(f, bits);
    }
    cumsum_order_scan(&order, v, n, l->state.problem.exclusive, scratch, cumsum_order_addition,
                      &how);
    const uint32_t differs = n - 1 - random_below(state, 60);
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t bits =
            size > 2 ? format_bits(f, v[k])
                     : half_store(f, binary32_bits((float)v[k]), CUMSUM_HALF_STORE_NEAREST_EVEN);
        store((unsigned char *)l->y, k, size, bits ^ (k == differs));
    }
}

static order_run run_of(const trial_line *l, double *room) {
    return (order_run){.state = &l->state,
                       .match = {.order = CUMSUM_NAMED_COMPOSED},
                       .format = judge_format(&l->state),
                       .line = room,
                       .scratch = room + MOST};
}

/* A search on one line. */
static void search(trial_line *l, cumsum_data_type type, uint64_t *state) {
    const uint32_t n = random_between(state, 100, MOST);
    const uint32_t size = type == CUMSUM_DATA_TYPE_FLOAT64   ? 8
                          : type == CUMSUM_DATA_TYPE_FLOAT32 ? 4
                                                             : 2;
    cumsum_composed_order found;
    l->state = (judge_state){.problem = {.type = type,
                                         .element_size = size,
                                         .exclusive = random_once_in(state, 2),
                                         .lines = 1,
                                         .line_length = n},
                             .line_input = (const unsigned char *)l->x,
                             .line_actual = (const unsigned char *)l->y,
                             .input_step = size,
                             .actual_step = size};
    fill(l, n, state);
    l->plain = run_of(l, l->room[0]);
    l->run = run_of(l, l->room[1]);
    l->trial = (order_trial){.run = &l->run, .totals = l->room[1] + 3 * MOST + 128};
    cumsum_order_find(n, 16 * (uint64_t)n, try_both, l, &found);
}

/* FLOAT16 sums, one of them 65511, which only the IEEE conversion stores as 65504, and one wrong
 * output: the near order has this store. */
static bool large_sums_have_their_store(void) {
    enum {
        N = 100
    };
    uint16_t x[N], y[N];
    const uint32_t sizes[] = {N};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT16,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = sizeof x};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    const cumsum_judge_options options = {.near_order = true};
    cumsum_judgement j;
    float sum = 0;
    for (uint32_t k = 0; k < N; k++) {
        const float term = k == 50 ? 32736 : k == 51 ? -32736 : 655.5F;
        sum += k == 51 ? term : k > 51 ? 0 : term;
        x[k] = (uint16_t)half_store(&binary16_format, binary32_bits(k > 51 ? 0 : term),
                                    CUMSUM_HALF_STORE_IEEE);
        y[k] = (uint16_t)half_store(&binary16_format, binary32_bits(sum), CUMSUM_HALF_STORE_IEEE);
    }
    y[20] ^= 1;
    return cumsum_judge(&desc, x, sizeof x, y, sizeof y, &options, NULL, &j, NULL) == CUMSUM_OK &&
           j.near.differing == 1 && j.near.match.order == CUMSUM_NAMED_SEQUENTIAL &&
           j.near.match.half_store == CUMSUM_HALF_STORE_IEEE;
}

/* Trials until one differs. */
static bool trials_show(void) {
    static trial_line l;
    uint64_t state = 1;
    l.wrong = 0;
    for (uint32_t line = 0; line < LINES && !l.wrong; line++)
        for (size_t t = 0; t < TYPES; t++)
            search(&l, types[t], &state);
    return l.wrong != 0 || !large_sums_have_their_store();
}

int main(void) {
    return trials_show();
}
