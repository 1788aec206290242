/* SPDX-License-Identifier: MIT */
#include "minimize_source.h"

#include <string.h>

#include "buffer_state.h"
#include "executor.h"
#include "layout.h"
#include "memory.h"

/* The elements of a tensor, packed. */
static void take_values(const cumsum_buffer_tensor_desc *tensor, const unsigned char *first,
                        shrink_case *out) {
    const layout input = layout_of(tensor);
    out->count = input.count;
    out->element_size = input.element_size;
    out->values = tool_malloc(input.count * input.element_size);
    layout_gather(&input, first, out->values);
}

tool_status minimize_named(const char *name, shrink_case *out, tool_error *error) {
    suite_case c;
    tool_status status = case_begin_unsummed(&c, name, error);
    if (status == TOOL_OK) {
        *out = (shrink_case){.spec = c.spec};
        take_values(&c.descriptor.input_buffer, case_first(c.input, &c.spec.input), out);
        case_end(&c);
    }
    return status;
}

/* What plays no part is 0, as in names. */
static cumsum_numerics canonical(cumsum_data_type type, cumsum_numerics numerics) {
    bool exact = numerics.order == CUMSUM_ORDER_EXACT;
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        return (cumsum_numerics){.order = numerics.order, .denormals = numerics.denormals};
    if (type != CUMSUM_DATA_TYPE_FLOAT16 || exact) {
        return (cumsum_numerics){.order = exact && type == CUMSUM_DATA_TYPE_FLOAT16
                                              ? CUMSUM_ORDER_EXACT
                                              : CUMSUM_ORDER_SEQUENTIAL};
    }
    numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    if (numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        numerics.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    return numerics;
}

static case_tensor tensor_of(const cumsum_buffer_tensor_desc *buffer, uint64_t offset) {
    case_tensor tensor = {.strided = buffer->strides != NULL, .offset = (uint32_t)offset};
    if (buffer->strides)
        memcpy(tensor.strides, buffer->strides, buffer->dimension_count * sizeof *buffer->strides);
    return tensor;
}

tool_status minimize_dispatch(const model *m, const model_command *command, shrink_case *out,
                              tool_error *error) {
    const model_operator *op = &command->dispatchable->op;
    const cumsum_buffer_tensor_desc *input = &op->input.buffer;
    if (command->input.offset > UINT32_MAX || command->output.offset > UINT32_MAX) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: dispatch of '%.100s': an offset of 4 GiB or more cannot be "
                         "minimized",
                         m->path, command->dispatchable->name);
    }
    *out = (shrink_case){0};
    case_spec *spec = &out->spec;
    spec->type = input->data_type;
    spec->numerics = canonical(spec->type, command->dispatchable->numerics);
    spec->decreasing = op->desc.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    spec->exclusive = op->desc.has_exclusive_sum;
    spec->rank = input->dimension_count;
    memcpy(spec->sizes, input->sizes, spec->rank * sizeof *spec->sizes);
    spec->axis = op->desc.axis;
    spec->in_place = input_overlaps_output(command, command);
    spec->input = tensor_of(input, command->input.offset);
    spec->output =
        spec->in_place ? spec->input : tensor_of(&op->output.buffer, command->output.offset);
    spec->data = distribution_find("ones", strlen("ones")); /* only so that it can be formatted */
    take_values(input, binding_bytes(&command->input), out);
    return TOOL_OK;
}
