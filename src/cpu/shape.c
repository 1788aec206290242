/* SPDX-License-Identifier: MIT */
#include "shape.h"

#include <string.h>

static int64_t bytes(const cumsum_problem *problem, uint64_t elements) {
    return (int64_t)(elements * problem->element_size);
}

/* One outer loop can do for two where a whole round of the inner one is a step of the outer one, in
 * both tensors. */
static bool continues(const cumsum_outer_dimension *inner, const cumsum_outer_dimension *outer) {
    const int64_t round = (int64_t)inner->size;
    return outer->input_step == inner->input_step * round &&
           outer->output_step == inner->output_step * round;
}

static void merge_outer(cumsum_shape *shape) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < shape->outer_rank; i++)
        if (kept > 0 && continues(&shape->outer[kept - 1], &shape->outer[i]))
            shape->outer[kept - 1].size *= shape->outer[i].size;
        else
            shape->outer[kept++] = shape->outer[i];
    shape->outer_rank = kept;
}

/* By the output's steps, so that what is written moves on as slowly as it can. */
static void sort_outer(cumsum_shape *shape) {
    for (uint32_t i = 1; i < shape->outer_rank; i++) {
        const cumsum_outer_dimension taken = shape->outer[i];
        uint32_t place = i;
        for (; place > 0 && shape->outer[place - 1].output_step > taken.output_step; place--)
            shape->outer[place] = shape->outer[place - 1];
        shape->outer[place] = taken;
    }
}

static bool is_element(int64_t step, int64_t element) {
    return step == element || step == -element;
}

/* Lines that are done at once along the dimension at `place` in the order of the output's steps:
 * where a line's elements are neighbours in neither tensor, short rows are taken together. */
static uint64_t lines_at_once(const cumsum_shape *shape, uint32_t place, int64_t element) {
    const uint64_t size = shape->outer[place].size;
    if (place > 0 || is_element(shape->input_step, element) ||
        is_element(shape->output_step, element))
        return size;
    return size * shape->outer[1].size;
}

/* How well a dimension serves as the one along which a panel's lines lie: best where the lines are
 * neighbours in the output, then where they are in the input, then where they are near each other
 * in the output (`place` in the order of its steps). A few lines are not worth it: vectors would be
 * mostly empty. */
static uint64_t merit(const cumsum_shape *shape, uint32_t place, int64_t element) {
    const cumsum_outer_dimension *dimension = &shape->outer[place];
    if (lines_at_once(shape, place, element) < 8)
        return dimension->size;
    const uint64_t neighbours = (uint64_t)(dimension->output_step == element) * 2 +
                                (uint64_t)(dimension->input_step == element);
    return (neighbours + 1) * 2 * CUMSUM_MAX_OUTER - place;
}

static void choose_panel_dimension(cumsum_shape *shape, int64_t element) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < shape->outer_rank; i++)
        if (merit(shape, i, element) > merit(shape, best, element))
            best = i;
    const cumsum_outer_dimension chosen = shape->outer[best];
    for (; best > 0; best--)
        shape->outer[best] = shape->outer[best - 1];
    shape->outer[0] = chosen;
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
    for (uint32_t d = problem->rank; d-- > 0;)
        if (d != problem->axis && problem->sizes[d] > 1)
            shape->outer[shape->outer_rank++] =
                (cumsum_outer_dimension){.size = problem->sizes[d],
                                         .input_step = bytes(problem, problem->input_strides[d]),
                                         .output_step = bytes(problem, problem->output_strides[d])};
    /* Where outputs share addresses, lines keep their row-major order. */
    if (!problem->output_may_overlap)
        sort_outer(shape);
    merge_outer(shape);
    if (!problem->output_may_overlap && shape->outer_rank > 1)
        choose_panel_dimension(shape, (int64_t)problem->element_size);
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/*
 * Elements k and k' of lines i and j, i < j, meet where (j - i) * L = (k - k') * E, L and E being
 * the steps of the output from a line to the next and from an element to the next. With g their
 * greatest common divisor, j - i has to be a multiple of E / g then, and k - k' of L / g. So lines
 * nearer than E / g never meet, and no lines do where L / g is not below the length of a line.
 */
uint64_t cumsum_shape_lines_apart(const cumsum_shape *shape) {
    if (shape->outer_rank == 0 || shape->length == 1)
        return 1;
    const int64_t step = shape->output_step;
    const uint64_t element = (uint64_t)(step < 0 ? -step : step);
    const uint64_t line = (uint64_t)shape->outer[0].output_step;
    const uint64_t divisor = greatest_divisor(element, line);
    return line / divisor < shape->length ? element / divisor : shape->outer[0].size;
}
