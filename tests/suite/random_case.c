/* SPDX-License-Identifier: MIT */
/* Draws the words of a case's name one by one, and draws again while validation rejects the case.
 */
#include "random_case.h"

#include "case_build.h"

static void random_sizes(uint64_t *state, uint64_t elements, case_spec *c) {
    c->rank = 1 + random_below(state, CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < c->rank; d++) {
        uint64_t most = random_once_in(state, 2) ? 4 : elements;
        most = most < elements ? most : elements;
        c->sizes[d] = 1 + random_below(state, (uint32_t)most);
        elements /= c->sizes[d];
    }
    c->axis = random_below(state, c->rank);
}

/* Strides of a permuted and padded tensor. The stride of a size of 1 is never used: any number. */
static void spread(uint64_t *state, const case_spec *c, case_tensor *tensor) {
    uint32_t step = 1 + random_below(state, 3);
    uint32_t first = random_below(state, c->rank);
    for (uint32_t i = 0; i < c->rank; i++) {
        uint32_t d = (first + i) % c->rank;
        tensor->strides[d] = c->sizes[d] == 1 ? (uint32_t)random_next(state) : step;
        step = c->sizes[d] == 1 ? step : step * c->sizes[d] + random_below(state, 3);
    }
}

static void random_tensor(uint64_t *state, const case_spec *c, bool input, case_tensor *tensor) {
    tensor->strided = !random_once_in(state, 3);
    if (tensor->strided)
        spread(state, c, tensor);
    if (tensor->strided && input && random_once_in(state, 3))
        tensor->strides[random_below(state, c->rank)] = random_below(state, 3);
    tensor->offset = random_once_in(state, 2) ? 0 : 16 * random_below(state, 20);
}

static void random_words(uint64_t *state, case_spec *c) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};
    c->type = types[random_below(state, 6)];
    size_t distributions = 0;
    while (distribution_list[distributions].name)
        distributions++;
    do {
        c->data = &distribution_list[random_below(state, (uint32_t)distributions)];
    } while (!distribution_suits(c->data, c->type));
    do {
        c->numerics =
            (cumsum_numerics){.order = (cumsum_order)random_below(state, 3),
                              .half_accumulator = (cumsum_half_accumulator)random_below(state, 2),
                              .half_store = (cumsum_half_store)random_below(state, 3),
                              .denormals = (cumsum_denormals)random_below(state, 2)};
    } while (*case_numerics_word(c->type, c->numerics) == '?');
    c->decreasing = random_once_in(state, 2);
    c->exclusive = random_once_in(state, 2);
    c->seed = !c->data->draws            ? 0
              : random_once_in(state, 2) ? random_below(state, 100)
                                         : random_next(state);
}

void random_case(uint64_t *state, uint64_t elements, case_spec *out) {
    case_operator d;
    do {
        *out = (case_spec){0};
        random_words(state, out);
        random_sizes(state, elements, out);
        random_tensor(state, out, true, &out->input);
        out->in_place = random_once_in(state, 3);
        random_tensor(state, out, false, &out->output);
        if (out->in_place)
            out->output = out->input;
    } while (case_describe(out, &d, NULL) != CUMSUM_OK);
}
