/* SPDX-License-Identifier: MIT */
#include "shape.h"

#include <string.h>

static int64_t bytes(const cumsum_problem *problem, uint64_t elements) {
    return (int64_t)(elements * problem->element_size);
}

/* One outer loop can do for two where a whole round of the inner one is a step of the outer one, in
 * both tensors. Row-major order of the lines stays as it was. */
static bool continues(const cumsum_outer_dimension *inner, const cumsum_outer_dimension *outer) {
    const int64_t round = (int64_t)inner->size;
    return outer->input_step == inner->input_step * round &&
           outer->output_step == inner->output_step * round;
}

static void add_outer(cumsum_shape *shape, const cumsum_outer_dimension *dimension) {
    if (dimension->size == 1)
        return;
    if (shape->outer_rank > 0) {
        cumsum_outer_dimension *last = &shape->outer[shape->outer_rank - 1];
        if (continues(last, dimension)) {
            last->size *= dimension->size;
            return;
        }
    }
    shape->outer[shape->outer_rank++] = *dimension;
}

static void take_line(cumsum_shape *shape, const cumsum_problem *problem) {
    const int64_t last = (int64_t)problem->line_length - 1;
    shape->length = problem->line_length;
    shape->input_step = bytes(problem, problem->input_strides[problem->axis]);
    shape->output_step = bytes(problem, problem->output_strides[problem->axis]);
    if (problem->decreasing) {
        shape->input_origin = last * shape->input_step;
        shape->output_origin = last * shape->output_step;
        shape->input_step = -shape->input_step;
        shape->output_step = -shape->output_step;
    }
}

void cumsum_shape_init(cumsum_shape *shape, const cumsum_problem *problem) {
    memset(shape, 0, sizeof *shape);
    shape->lines = problem->lines;
    take_line(shape, problem);
    for (uint32_t d = problem->rank; d-- > 0;) {
        if (d == problem->axis)
            continue;
        const cumsum_outer_dimension dimension = {
            .size = problem->sizes[d],
            .input_step = bytes(problem, problem->input_strides[d]),
            .output_step = bytes(problem, problem->output_strides[d])};
        add_outer(shape, &dimension);
    }
}
