/* SPDX-License-Identifier: MIT */
/* The operator that a case describes, and its number of lines. */
#include "case_spec.h"

#include <stddef.h>

uint64_t case_lines(const case_spec *c) {
    uint64_t lines = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        lines *= d == c->axis ? 1 : c->sizes[d];
    return lines;
}

static void describe_tensor(const case_spec *c, const case_tensor *tensor,
                            cumsum_buffer_tensor_desc *buffer, cumsum_tensor_desc *desc) {
    *buffer = (cumsum_buffer_tensor_desc){.data_type = c->type,
                                          .dimension_count = c->rank,
                                          .sizes = c->sizes,
                                          .strides = tensor->strided ? tensor->strides : NULL};
    /* A layout that has no size keeps 0, and validation says what is wrong with it. */
    (void)cumsum_tensor_size(c->type, c->rank, c->sizes, buffer->strides,
                             &buffer->total_tensor_size_in_bytes);
    *desc = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, buffer};
}

cumsum_status case_describe(const case_spec *c, case_operator *out, cumsum_diagnostic *diagnostic) {
    describe_tensor(c, &c->input, &out->input_buffer, &out->input_tensor);
    describe_tensor(c, &c->output, &out->output_buffer, &out->output_tensor);
    out->desc =
        (cumsum_operator_desc){.input_tensor = &out->input_tensor,
                               .output_tensor = &out->output_tensor,
                               .axis = c->axis,
                               .axis_direction = c->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                               : CUMSUM_AXIS_DIRECTION_INCREASING,
                               .has_exclusive_sum = c->exclusive};
    return cumsum_validate(&out->desc, CUMSUM_FEATURE_LEVEL_DEFAULT, diagnostic);
}
