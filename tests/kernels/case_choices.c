/* SPDX-License-Identifier: MIT */
/* The choices that groups of cases share: options, places, forms of lines, strides. */
#include "case_group.h"

#include <string.h>

cumsum_data_type choose_type(uint32_t digit) {
    static const cumsum_data_type types[6] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_INT32,   CUMSUM_DATA_TYPE_INT64,
                                              CUMSUM_DATA_TYPE_UINT32,  CUMSUM_DATA_TYPE_UINT64};
    return types[digit];
}

static cumsum_order choose_order(uint64_t *random) {
    const uint32_t ten = random_below(random, 10);
    return ten < 5 ? CUMSUM_ORDER_SEQUENTIAL : ten < 9 ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_EXACT;
}

void choose_all(kernel_case *c, uint64_t *random) {
    memset(c, 0, sizeof *c);
    /* The two floating-point types get two eighths each. */
    const uint32_t eight = random_below(random, 8);
    c->type = choose_type(eight < 6 ? eight : eight - 6);
    c->numerics.order = choose_order(random);
    c->numerics.half_accumulator = (cumsum_half_accumulator)random_below(random, 2);
    c->numerics.half_store = (cumsum_half_store)random_below(random, 3);
    c->numerics.denormals = (cumsum_denormals)random_once_in(random, 3);
    c->exclusive = random_below(random, 2);
    c->decreasing = random_below(random, 2);
    c->pattern = (data_pattern)random_below(random, PATTERN_COUNT);
    c->data_seed = random_next(random);
    choose_places(c, random);
}

static void choose_place(case_operand *operand, uint64_t *random) {
    operand->at_end = random_below(random, 2);
    operand->offset = random_once_in(random, 2) ? 0 : random_below(random, 16);
    operand->slack = random_once_in(random, 8) ? 8 * random_between(random, 1, 9) : 0;
    if (!operand->at_end && operand->offset == 0 && random_once_in(random, 4))
        operand->alignment = UINT32_C(16) << random_below(random, 9);
}

void choose_places(kernel_case *c, uint64_t *random) {
    choose_place(&c->operand[CASE_INPUT], random);
    choose_place(&c->operand[CASE_OUTPUT], random);
}

/* The strides of a form, for the line dimension and the axis. */
static void form_strides(const kernel_case *c, case_operand *operand, line_form form,
                         uint32_t across, uint64_t *random) {
    const uint32_t lines = c->sizes[across];
    const uint32_t length = c->sizes[c->axis];
    const uint32_t gap = random_between(random, 1, 19);
    const uint32_t apart = random_between(random, 2, 5);
    const uint32_t strides[FORM_INPUTS][2] = {
        [FORM_ROWS] = {length, 1},
        [FORM_COLUMNS] = {1, lines},
        [FORM_PADDED_ROWS] = {length + gap, 1},
        [FORM_PADDED_COLUMNS] = {1, lines + gap},
        [FORM_SCATTERED] = {length * apart + gap, apart},
        [FORM_REPEATED_LINE] = {0, random_between(random, 1, 2)},
        [FORM_REPEATED_ELEMENT] = {random_between(random, 1, 2), 0},
        [FORM_SINGLE_ELEMENT] = {0, 0}};
    operand->strides[across] = strides[form][0];
    operand->strides[c->axis] = strides[form][1];
}

void choose_lines(kernel_case *c, uint32_t lines, uint32_t length, line_form input,
                  line_form output, uint64_t *random) {
    c->rank = 2;
    c->axis = random_below(random, 2);
    const uint32_t across = 1 - c->axis;
    c->sizes[across] = lines;
    c->sizes[c->axis] = length;
    form_strides(c, &c->operand[CASE_INPUT], input, across, random);
    form_strides(c, &c->operand[CASE_OUTPUT], output, across, random);
    add_unit_dimensions(c, random);
}

static void make_room(kernel_case *c, uint32_t at) {
    for (uint32_t d = c->rank; d > at; d--) {
        c->sizes[d] = c->sizes[d - 1];
        for (int operand = 0; operand < CASE_OPERANDS; operand++)
            c->operand[operand].strides[d] = c->operand[operand].strides[d - 1];
    }
    if (at <= c->axis)
        c->axis++;
    c->rank++;
}

void add_unit_dimensions(kernel_case *c, uint64_t *random) {
    static const uint32_t absurd[4] = {0, UINT32_MAX, UINT32_C(0x80000000), 12345};
    if (c->operand[CASE_INPUT].no_strides || c->operand[CASE_OUTPUT].no_strides)
        return;
    while (c->rank < CUMSUM_MAX_DIMENSIONS && random_once_in(random, 4)) {
        const uint32_t at = random_below(random, c->rank + 1);
        make_room(c, at);
        c->sizes[at] = 1;
        for (int operand = 0; operand < CASE_OPERANDS; operand++)
            c->operand[operand].strides[at] = absurd[random_below(random, 4)];
    }
}

void shuffle(uint32_t *order, uint32_t count, uint64_t *random) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        const uint32_t other = random_below(random, i + 1);
        const uint32_t swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
    }
}

void pack_with_gaps(const kernel_case *c, case_operand *operand, const uint32_t *order,
                    uint32_t gap, uint64_t *random) {
    uint32_t stride = gap && random_once_in(random, 3) ? random_between(random, 2, 3) : 1;
    for (uint32_t i = c->rank; i-- > 0;) {
        const uint32_t d = order[i];
        operand->strides[d] = stride;
        stride *= c->sizes[d];
        if (gap && random_once_in(random, 2))
            stride += random_below(random, gap + 1);
    }
}
