/* SPDX-License-Identifier: MIT */
#include "backend_lines.h"

#include <string.h>

#include "memory_limit.h"

/* A block of lines as tensors. */
typedef struct block_tensors {
    uint32_t sizes[2];
    uint32_t strides[2];
    uint32_t axis;
    cumsum_buffer_tensor_desc buffer; /* of both */
} block_tensors;

static void describe(const line_block *b, block_tensors *t) {
    const bool across = b->layout == LINES_ACROSS;
    const bool gaps = b->layout == LINES_WITH_GAPS;
    t->axis = across ? 0 : 1;
    t->sizes[t->axis] = b->length;
    t->sizes[1 - t->axis] = b->lines;
    t->strides[0] = gaps ? 2 * b->length + 3 : t->sizes[1];
    t->strides[1] = gaps ? 2 : 1;
    t->buffer = (cumsum_buffer_tensor_desc){
        .data_type = b->type, .dimension_count = 2, .sizes = t->sizes, .strides = t->strides};
    cumsum_tensor_size(b->type, 2, t->sizes, t->strides, &t->buffer.total_tensor_size_in_bytes);
}

/* Where the element at a position of the traversal of a line is. */
static uint64_t offset_of(const line_block *b, const block_tensors *t, uint32_t line,
                          uint32_t position) {
    const uint64_t index = b->decreasing ? b->length - 1 - position : position;
    return cumsum_data_type_size(b->type) *
           (index * t->strides[t->axis] + (uint64_t)line * t->strides[1 - t->axis]);
}

static void scatter(const line_block *b, const block_tensors *t, const unsigned char *lines,
                    unsigned char *tensor) {
    const uint64_t size = cumsum_data_type_size(b->type);
    for (uint32_t line = 0; line < b->lines; line++)
        for (uint32_t i = 0; i < b->length; i++, lines += size)
            memcpy(tensor + offset_of(b, t, line, i), lines, size);
}

static void gather(const line_block *b, const block_tensors *t, const unsigned char *tensor,
                   unsigned char *lines) {
    const uint64_t size = cumsum_data_type_size(b->type);
    for (uint32_t line = 0; line < b->lines; line++)
        for (uint32_t i = 0; i < b->length; i++, lines += size)
            memcpy(lines, tensor + offset_of(b, t, line, i), size);
}

static tool_status execute(const executor *e, const line_block *b, const block_tensors *t,
                           const void *input, void *output, tool_error *error) {
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &t->buffer};
    const cumsum_operator_desc desc = {&tensor, &tensor, t->axis,
                                       b->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                     : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       b->exclusive};
    const uint64_t size = t->buffer.total_tensor_size_in_bytes;
    const cumsum_numerics numerics = options_numerics(e->options, (cumsum_numerics){0});
    /* DirectML keeps its sums in FLOAT16 where ALLOW_HALF_PRECISION_COMPUTATION says that it may.
     */
    const backend_work work = {.desc = &desc,
                               .numerics = numerics,
                               .any_numerics = true,
                               .execution_flags = numerics.half_accumulator ? 1 : 0,
                               .input = input,
                               .input_in_bytes = size,
                               .output = output,
                               .output_in_bytes = size};
    cumsum_diagnostic diagnostic = {0};
    const cumsum_status status = executor_compute(e, &work, NULL, &diagnostic);
    if (status == CUMSUM_OK)
        return TOOL_OK;
    return tool_fail(error, status == CUMSUM_UNSUPPORTED ? TOOL_NOTHING_RAN : TOOL_ENVIRONMENT,
                     "backend %s: %s", backend_name(e->backend),
                     diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
}

tool_status backend_lines_run(void *state, const line_block *block, const void *input, void *output,
                              tool_error *error) {
    block_tensors t;
    describe(block, &t);
    const uint64_t size = t.buffer.total_tensor_size_in_bytes;
    unsigned char *from = memory_allocate(size);
    unsigned char *to = memory_allocate(size);
    tool_status status = TOOL_OK;
    if (!from || !to) {
        status =
            tool_fail(error, TOOL_ENVIRONMENT, "there is no memory for %u lines of %u elements",
                      block->lines, block->length);
    } else {
        memset(from, 0, size);
        memset(to, 0, size);
        scatter(block, &t, input, from);
        status = execute(state, block, &t, from, to, error);
        gather(block, &t, to, output);
    }
    memory_release(from);
    memory_release(to);
    return status;
}
