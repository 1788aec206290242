/* SPDX-License-Identifier: MIT */
/* See scan_case.h. */
#include "scan_case.h"
#include "check.h"

#include <string.h>

void scan_case_init(scan_case *c, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                    uint32_t axis) {
    memset(c, 0, sizeof *c);
    for (int operand = 0; operand < 2; operand++) {
        memcpy(c->sizes[operand], sizes, rank * sizeof *sizes);
        c->buffer[operand].data_type = type;
        c->buffer[operand].dimension_count = rank;
        c->buffer[operand].sizes = c->sizes[operand];
        c->tensor[operand].type = CUMSUM_TENSOR_TYPE_BUFFER;
        c->tensor[operand].desc = &c->buffer[operand];
    }
    c->desc.input_tensor = &c->tensor[0];
    c->desc.output_tensor = &c->tensor[1];
    c->desc.axis = axis;
    scan_case_set_strides(c, NULL, NULL);
}

void scan_case_init_line(scan_case *c, cumsum_data_type type, uint32_t length) {
    scan_case_init(c, type, 1, &length, 0);
}

void scan_case_set_strides(scan_case *c, const uint32_t *input, const uint32_t *output) {
    const uint32_t *given[2] = {input, output};
    for (int operand = 0; operand < 2; operand++) {
        cumsum_buffer_tensor_desc *buffer = &c->buffer[operand];
        buffer->strides = NULL;
        if (given[operand]) {
            memcpy(c->strides[operand], given[operand], buffer->dimension_count * sizeof *input);
            buffer->strides = c->strides[operand];
        }
        assert_int_equal(cumsum_tensor_size(buffer->data_type, buffer->dimension_count,
                                            buffer->sizes, buffer->strides,
                                            &buffer->total_tensor_size_in_bytes),
                         CUMSUM_OK);
    }
}

void scan_case_execute(const scan_case *c, const void *input, void *output) {
    cumsum_plan *plan = NULL;
    cumsum_diagnostic diagnostic = {.message = ""};
    cumsum_status status = cumsum_plan_create(&c->desc, &c->options, &plan, &diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_plan_execute(plan, input, c->buffer[0].total_tensor_size_in_bytes, output,
                                     c->buffer[1].total_tensor_size_in_bytes, &diagnostic);
    cumsum_plan_destroy(plan);
    if (status != CUMSUM_OK)
        fail_msg("%s: %s", cumsum_status_string(status), diagnostic.message);
}
