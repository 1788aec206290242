/* SPDX-License-Identifier: MIT */
/*
 * Validates a descriptor and copies what execution needs into a cumsum_problem. All arithmetic here
 * relies on what validation has established: extents and element counts are below 2^32.
 */
#include "problem.h"

#include "extent.h"
#include "validate.h"

#include <string.h>

void cumsum_problem_strides(const cumsum_buffer_tensor_desc *buffer, uint64_t *strides) {
    uint64_t packed = 1; /* at most the element count, which validation bounds */
    for (uint32_t d = buffer->dimension_count; d-- > 0;) {
        const uint64_t stride = buffer->strides ? buffer->strides[d] : packed;
        strides[d] = buffer->sizes[d] > 1 ? stride : 0;
        packed *= buffer->sizes[d];
    }
}

/* Both are powers of two, so the larger one implies the other. */
static uint32_t address_alignment(const cumsum_buffer_tensor_desc *buffer, uint32_t element_size) {
    const uint32_t guaranteed = buffer->guaranteed_base_offset_alignment;
    return guaranteed > element_size ? guaranteed : element_size;
}

/* Everything that does not depend on the axis. Sizes and types of the tensors were validated as
 * equal, so the input speaks for both. */
static void take_tensors(cumsum_problem *problem, const cumsum_buffer_tensor_desc *input,
                         const cumsum_buffer_tensor_desc *output) {
    problem->type = input->data_type;
    problem->element_size = cumsum_data_type_size(input->data_type);
    problem->rank = input->dimension_count;
    for (uint32_t d = 0; d < problem->rank; d++)
        problem->sizes[d] = input->sizes[d];
    cumsum_problem_strides(input, problem->input_strides);
    cumsum_problem_strides(output, problem->output_strides);
    problem->input_extent = cumsum_extent(problem->rank, input->sizes, input->strides);
    problem->output_extent = cumsum_extent(problem->rank, output->sizes, output->strides);
    problem->input_size = input->total_tensor_size_in_bytes;
    problem->output_size = output->total_tensor_size_in_bytes;
    problem->input_alignment = address_alignment(input, problem->element_size);
    problem->output_alignment = address_alignment(output, problem->element_size);
}

/* Lines: their number, their length and the direction in which they are summed. */
static void take_line(cumsum_problem *problem, const cumsum_operator_desc *desc) {
    problem->axis = desc->axis;
    problem->decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    problem->exclusive = desc->has_exclusive_sum != 0;
    problem->line_length = problem->sizes[desc->axis];
    problem->lines = 1; /* at most the element count, which the output's extent bounds */
    for (uint32_t d = 0; d < problem->rank; d++)
        if (d != desc->axis)
            problem->lines *= problem->sizes[d];
}

/* May the tensors share their memory? Sizes were validated as equal. */
static bool same_layout(const cumsum_problem *problem) {
    const size_t strides = problem->rank * sizeof problem->input_strides[0];
    return problem->input_size == problem->output_size &&
           memcmp(problem->input_strides, problem->output_strides, strides) == 0;
}

/* Fills in the problem of a valid descriptor. */
static void take(cumsum_problem *problem, const cumsum_operator_desc *desc,
                 const cumsum_buffer_tensor_desc *input, const cumsum_buffer_tensor_desc *output) {
    memset(problem, 0, sizeof *problem);
    take_tensors(problem, input, output);
    take_line(problem, desc);
    problem->same_layout = same_layout(problem);
    problem->output_may_overlap =
        cumsum_layout_may_overlap(problem->rank, problem->sizes, problem->output_strides);
}

cumsum_status cumsum_problem_init(cumsum_problem *problem, const cumsum_operator_desc *desc,
                                  cumsum_feature_level level, cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *input = NULL;
    const cumsum_buffer_tensor_desc *output = NULL;
    const cumsum_status status = cumsum_validate_operator(desc, level, &input, &output, diagnostic);
    if (status == CUMSUM_OK)
        take(problem, desc, input, output);
    return status;
}

cumsum_status cumsum_problem_init_computed(cumsum_problem *problem,
                                           const cumsum_operator_desc *desc,
                                           cumsum_feature_level level,
                                           cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *input = NULL;
    const cumsum_buffer_tensor_desc *output = NULL;
    const cumsum_status status = cumsum_validate_computed(desc, level, &input, &output, diagnostic);
    if (status == CUMSUM_OK)
        take(problem, desc, input, output);
    return status;
}

cumsum_status cumsum_problem_init_judged(cumsum_problem *problem, const cumsum_operator_desc *desc,
                                         cumsum_diagnostic *diagnostic) {
    const cumsum_buffer_tensor_desc *input = NULL;
    const cumsum_buffer_tensor_desc *output = NULL;
    const cumsum_status status = cumsum_validate_judged(desc, &input, &output, diagnostic);
    if (status == CUMSUM_OK)
        take(problem, desc, input, output);
    return status;
}

/* The last dimension varies fastest, as in row-major order; the axis is skipped. */
void cumsum_problem_line_offsets(const cumsum_problem *problem, uint64_t line,
                                 uint64_t *input_offset, uint64_t *output_offset) {
    *input_offset = 0;
    *output_offset = 0;
    for (uint32_t d = problem->rank; d-- > 0;) {
        if (d == problem->axis)
            continue;
        const uint64_t index = line % problem->sizes[d];
        line /= problem->sizes[d];
        *input_offset += index * problem->input_strides[d];
        *output_offset += index * problem->output_strides[d];
    }
}

bool cumsum_output_may_overlap(const cumsum_operator_desc *desc) {
    cumsum_problem problem;
    return cumsum_problem_init(&problem, desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) == CUMSUM_OK &&
           problem.output_may_overlap;
}
