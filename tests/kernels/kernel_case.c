/* SPDX-License-Identifier: MIT */
/* Descriptors of cases, and the walk over their lines. */
#include "kernel_case.h"

#include <string.h>

uint32_t case_element_size(const kernel_case *c) {
    return cumsum_data_type_size(c->type);
}

bool case_is_floating(const kernel_case *c) {
    return c->type == CUMSUM_DATA_TYPE_FLOAT32 || c->type == CUMSUM_DATA_TYPE_FLOAT16;
}

uint64_t case_elements(const kernel_case *c) {
    uint64_t elements = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        elements *= c->sizes[d];
    return elements;
}

uint64_t case_lines(const kernel_case *c) {
    return case_elements(c) / c->sizes[c->axis];
}

static void describe_operand(const kernel_case *c, int operand, case_descriptor *descriptor) {
    const case_operand *s = &c->operand[operand];
    const uint32_t *strides = s->no_strides ? NULL : s->strides;
    cumsum_buffer_tensor_desc *buffer = &descriptor->buffer[operand];
    *buffer = (cumsum_buffer_tensor_desc){.data_type = c->type,
                                          .dimension_count = c->rank,
                                          .sizes = c->sizes,
                                          .strides = strides,
                                          .guaranteed_base_offset_alignment = s->alignment};
    cumsum_tensor_size(c->type, c->rank, c->sizes, strides, &buffer->total_tensor_size_in_bytes);
    buffer->total_tensor_size_in_bytes += s->slack;
    descriptor->tensor[operand] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, buffer};
}

void case_describe(const kernel_case *c, case_descriptor *descriptor) {
    describe_operand(c, c->in_place ? CASE_OUTPUT : CASE_INPUT, descriptor);
    if (c->in_place) {
        descriptor->buffer[CASE_INPUT] = descriptor->buffer[CASE_OUTPUT];
        descriptor->tensor[CASE_INPUT] =
            (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &descriptor->buffer[CASE_INPUT]};
    }
    describe_operand(c, CASE_OUTPUT, descriptor);
    descriptor->operation =
        (cumsum_operator_desc){.input_tensor = &descriptor->tensor[CASE_INPUT],
                               .output_tensor = &descriptor->tensor[CASE_OUTPUT],
                               .axis = c->axis,
                               .axis_direction = c->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                               : CUMSUM_AXIS_DIRECTION_INCREASING,
                               .has_exclusive_sum = c->exclusive};
}

void case_pack(const kernel_case *c, case_operand *operand, const uint32_t *order) {
    uint32_t stride = 1;
    for (uint32_t i = c->rank; i-- > 0;) {
        const uint32_t d = order ? order[i] : i;
        operand->strides[d] = stride;
        stride *= c->sizes[d];
    }
}

static const case_operand *actual_operand(const kernel_case *c, int operand) {
    return &c->operand[c->in_place ? CASE_OUTPUT : operand];
}

int64_t case_step(const kernel_case *c, int operand) {
    const int64_t stride = actual_operand(c, operand)->strides[c->axis];
    return c->decreasing ? -stride : stride;
}

static void find_offsets(line_walk *walk) {
    const kernel_case *c = walk->c;
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        int64_t offset = 0;
        for (uint32_t d = 0; d < c->rank; d++)
            if (d != c->axis)
                offset += (int64_t)walk->index[d] * actual_operand(c, operand)->strides[d];
        if (c->decreasing)
            offset -= (int64_t)(c->sizes[c->axis] - 1) * case_step(c, operand);
        walk->offset[operand] = offset;
    }
}

void line_walk_begin(line_walk *walk, const kernel_case *c) {
    memset(walk, 0, sizeof *walk);
    walk->c = c;
    find_offsets(walk);
}

bool line_walk_next(line_walk *walk) {
    const kernel_case *c = walk->c;
    for (uint32_t d = c->rank; d-- > 0;) {
        if (d == c->axis)
            continue;
        if (++walk->index[d] < c->sizes[d]) {
            walk->line++;
            find_offsets(walk);
            return true;
        }
        walk->index[d] = 0;
    }
    return false;
}
