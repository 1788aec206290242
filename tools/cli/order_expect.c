/* SPDX-License-Identifier: MIT */
/* Compares outputs with a saved order of additions, for verify --order and
 * judge --require-order. */
#include "order_expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"

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
