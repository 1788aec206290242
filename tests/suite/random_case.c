/* SPDX-License-Identifier: MIT */
#include "random_case.h"

#include "case_build.h"

/* Marsaglia's xorshift64. */
uint64_t random_below(random_state *state, uint64_t limit) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return limit > 1 ? *state % limit : 0;
}

static bool coin(random_state *state) {
    return random_below(state, 2) != 0;
}

static void random_sizes(random_state *state, uint64_t elements, case_spec *c) {
    c->rank = 1 + (uint32_t)random_below(state, CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < c->rank; d++) {
        uint64_t most = coin(state) ? 4 : elements;
        most = most < elements ? most : elements;
        c->sizes[d] = 1 + (uint32_t)random_below(state, most);
        elements /= c->sizes[d];
    }
    c->axis = (uint32_t)random_below(state, c->rank);
}

/* Strides of a permuted and padded tensor; of a size of 1 anything. */
static void spread(random_state *state, const case_spec *c, case_tensor *tensor) {
    uint32_t step = 1 + (uint32_t)random_below(state, 3);
    uint32_t first = (uint32_t)random_below(state, c->rank);
    for (uint32_t i = 0; i < c->rank; i++) {
        uint32_t d = (first + i) % c->rank;
        tensor->strides[d] =
            c->sizes[d] == 1 ? (uint32_t)random_below(state, UINT64_C(1) << 32) : step;
        step = c->sizes[d] == 1 ? step : step * c->sizes[d] + (uint32_t)random_below(state, 3);
    }
}

static void random_tensor(random_state *state, const case_spec *c, bool input,
                          case_tensor *tensor) {
    tensor->strided = random_below(state, 3) != 0;
    if (tensor->strided)
        spread(state, c, tensor);
    if (tensor->strided && input && random_below(state, 3) == 0)
        tensor->strides[random_below(state, c->rank)] = (uint32_t)random_below(state, 3);
    tensor->offset = coin(state) ? 0 : 16 * (uint32_t)random_below(state, 20);
}

static void random_words(random_state *state, case_spec *c) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};
    c->type = types[random_below(state, 6)];
    size_t distributions = 0;
    while (distribution_list[distributions].name)
        distributions++;
    do {
        c->data = &distribution_list[random_below(state, distributions)];
    } while (!distribution_suits(c->data, c->type));
    size_t count = 0;
    while (case_list_numerics(c->type, count, &c->numerics))
        count++;
    (void)case_list_numerics(c->type, random_below(state, count), &c->numerics);
    c->decreasing = coin(state);
    c->exclusive = coin(state);
    c->seed = !c->data->draws ? 0 : coin(state) ? random_below(state, 100) : *state;
}

void random_case(random_state *state, uint64_t elements, case_spec *out) {
    case_descriptor d;
    do {
        *out = (case_spec){0};
        random_words(state, out);
        random_sizes(state, elements, out);
        random_tensor(state, out, true, &out->input);
        out->in_place = random_below(state, 3) == 0;
        random_tensor(state, out, false, &out->output);
        if (out->in_place)
            out->output = out->input;
    } while (case_describe(out, &d, NULL) != CUMSUM_OK);
}
