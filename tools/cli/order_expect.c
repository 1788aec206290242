/* SPDX-License-Identifier: MIT */
/* Compares outputs with a saved order of additions, for verify --order and
 * judge --require-order. */
#include "order_expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"

tool_status held_order_begin(held_order *h, const char *path, tool_error *error) {
    *h = (held_order){.path = path};
    return path ? order_file_read(path, &h->order, error) : TOOL_OK;
}

void held_order_end(held_order *h) {
    if (h->path) {
        saved_order_free(&h->order);
        h->path = NULL;
    }
}

/* What all lines share. `terms` and `sums` hold one line, in the order of its traversal. */
typedef struct expected_lines {
    const saved_order *order;
    bool decreasing;
    bool exclusive;
    uint32_t axis;
    uint32_t length;
    unsigned char *terms;
    unsigned char *sums;
} expected_lines;

static void expect_line(const expected_lines *l, const layout *in, const unsigned char *from,
                        const layout *out, unsigned char *to) {
    const size_t size = in->element_size;
    for (uint32_t i = 0; i < l->length; i++) {
        const uint64_t index = l->decreasing ? l->length - 1 - i : i;
        memcpy(l->terms + i * size, from + index * in->strides[l->axis] * size, size);
    }
    order_evaluate(l->order, l->exclusive, l->terms, l->length, l->sums);
    for (uint32_t i = 0; i < l->length; i++) {
        const uint64_t index = l->decreasing ? l->length - 1 - i : i;
        memcpy(to + index * out->strides[l->axis] * size, l->sums + i * size, size);
    }
}

/* Visits the lines in the row-major order of the other dimensions. */
static void expect_lines(const expected_lines *l, const layout *in, const unsigned char *from,
                         const layout *out, unsigned char *to) {
    layout starts = *in;
    starts.sizes[l->axis] = 1;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        expect_line(l, in, from + layout_offset(in, at), out, to + layout_offset(out, at));
    } while (layout_next(&starts, at));
}

bool order_applies(held_order *h, const cumsum_operator_desc *desc, char *reason, size_t room) {
    const layout in = layout_of(desc->input_tensor->desc);
    const uint32_t length = in.sizes[desc->axis];
    if (in.type != h->order.type) {
        snprintf(reason, room, "the order of %s is one of %s sums", h->path,
                 cumsum_data_type_name(h->order.type));
        return false;
    }
    if (!order_reach(&h->order, length, desc->has_exclusive_sum)) {
        snprintf(reason, room, "the order of %s is known for %u terms, and these lines have %u",
                 h->path, h->order.outputs, length);
        return false;
    }
    return true;
}

void order_expect(const held_order *h, const cumsum_operator_desc *desc, const unsigned char *input,
                  const layout *output, unsigned char *first) {
    const layout in = layout_of(desc->input_tensor->desc);
    const uint32_t length = in.sizes[desc->axis];
    expected_lines lines = {.order = &h->order,
                            .decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
                            .exclusive = desc->has_exclusive_sum,
                            .axis = desc->axis,
                            .length = length,
                            .terms = tool_calloc(length, in.element_size),
                            .sums = tool_calloc(length, in.element_size)};
    expect_lines(&lines, &in, input, output, first);
    free(lines.terms);
    free(lines.sums);
}

void order_settle_zeros(const held_order *h, const layout *output, unsigned char *expected,
                        const unsigned char *actual) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const uint64_t offset = layout_offset(output, at);
        const uint64_t bits = element_load(actual + offset, output->type);
        if (order_same_bits(&h->order, bits, element_load(expected + offset, output->type)))
            element_store(expected + offset, output->type, bits);
    } while (layout_next(output, at));
}
