/* SPDX-License-Identifier: MIT */
/*
 * Reduces a problem to a shape: leaves out dimensions of size 1, merges dimensions that one loop
 * can enumerate, and orders the loops. The order matters to speed alone, and is only changed if
 * outputs cannot overlap.
 *
 * How well a shape suits memory depends on two questions. Which elements are neighbours: those of a
 * line (contiguous), those of different lines (interleaved), or neither (strided)? And how many
 * lines does the innermost loop offer, so that vectors are full?
 */
#include "shape.h"

#include <string.h>

#include "bit_scan.h"

static int64_t bytes(const cumsum_problem *problem, uint64_t elements) {
    return (int64_t)(elements * problem->element_size);
}

/* One loop can replace two if a whole run of the inner one is as long as a step of the outer one,
 * in both tensors. */
static bool can_merge(const cumsum_outer_dimension *inner, const cumsum_outer_dimension *outer) {
    const int64_t size = (int64_t)inner->size;
    return outer->input_step == inner->input_step * size &&
           outer->output_step == inner->output_step * size;
}

static void merge_outer(cumsum_shape *shape) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < shape->outer_rank; i++)
        if (kept > 0 && can_merge(&shape->outer[kept - 1], &shape->outer[i]))
            shape->outer[kept - 1].size *= shape->outer[i].size;
        else
            shape->outer[kept++] = shape->outer[i];
    shape->outer_rank = kept;
}

/* Sorts by the output's steps, the smallest first, so that neighbouring outputs are written soon
 * after each other. Insertion sort: there are at most seven. */
static void sort_outer(cumsum_shape *shape) {
    for (uint32_t i = 1; i < shape->outer_rank; i++) {
        const cumsum_outer_dimension taken = shape->outer[i];
        uint32_t place = i;
        for (; place > 0 && shape->outer[place - 1].output_step > taken.output_step; place--)
            shape->outer[place] = shape->outer[place - 1];
        shape->outer[place] = taken;
    }
}

static bool is_contiguous(int64_t step, int64_t element) {
    return step == element || step == -element;
}

/* How many lines a panel along dimension `place` has. Lines that are contiguous in neither tensor
 * are computed with several small groups in one panel (merges_groups in plan.h). */
static uint64_t panel_lines(const cumsum_shape *shape, uint32_t place, int64_t element) {
    const uint64_t size = shape->outer[place].size;
    if (place > 0 || is_contiguous(shape->input_step, element) ||
        is_contiguous(shape->output_step, element))
        return size;
    return size * shape->outer[1].size;
}

/* How well dimension `place` serves as the innermost one, whose lines make a panel. Best are lines
 * that are interleaved in the output, then lines that are interleaved in the input, then those with
 * the smallest steps in the output (`place` is the rank by these steps). With less than 8 lines
 * vectors would be mostly empty, so such a dimension ranks last, by its size. */
static uint64_t merit(const cumsum_shape *shape, uint32_t place, int64_t element) {
    const cumsum_outer_dimension *dimension = &shape->outer[place];
    if (panel_lines(shape, place, element) < 8)
        return dimension->size;
    const uint64_t interleaved = (uint64_t)(dimension->output_step == element) * 2 +
                                 (uint64_t)(dimension->input_step == element);
    return (interleaved + 1) * 2 * CUMSUM_MAX_OUTER - place;
}

/* Moves a dimension to an earlier place; the others keep their order. */
static void move_outer(cumsum_shape *shape, uint32_t from, uint32_t to) {
    const cumsum_outer_dimension moved = shape->outer[from];
    for (; from > to; from--)
        shape->outer[from] = shape->outer[from - 1];
    shape->outer[to] = moved;
}

static void choose_panel_dimension(cumsum_shape *shape, int64_t element) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < shape->outer_rank; i++)
        if (merit(shape, i, element) > merit(shape, best, element))
            best = i;
    move_outer(shape, best, 0);
}

/* If the lines of a panel are neighbours in the output only, makes its groups neighbours in the
 * input, so that kernels can go by blocks over both dimensions (kernels/column_rows.h). */
static void choose_group_dimension(cumsum_shape *shape, int64_t element) {
    const cumsum_outer_dimension *lines = &shape->outer[0];
    if (lines->output_step != element || lines->input_step == element ||
        is_contiguous(shape->input_step, element) || lines->size < CUMSUM_LEAST_CROSSED)
        return;
    for (uint32_t i = 1; i < shape->outer_rank; i++)
        if (shape->outer[i].input_step == element && shape->outer[i].size >= CUMSUM_LEAST_CROSSED) {
            move_outer(shape, i, 1);
            shape->is_crossed = true;
            return;
        }
}

/* A DECREASING line is visited from its last element to its first. */
static void merge_line(cumsum_shape *shape, const cumsum_problem *problem) {
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
    merge_line(shape, problem);
    for (uint32_t d = problem->rank; d-- > 0;)
        if (d != problem->axis && problem->sizes[d] > 1)
            shape->outer[shape->outer_rank++] =
                (cumsum_outer_dimension){.size = problem->sizes[d],
                                         .input_step = bytes(problem, problem->input_strides[d]),
                                         .output_step = bytes(problem, problem->output_strides[d])};
    if (!problem->output_may_overlap)
        sort_outer(shape);
    merge_outer(shape);
    if (!problem->output_may_overlap && shape->outer_rank > 1) {
        choose_panel_dimension(shape, (int64_t)problem->element_size);
        choose_group_dimension(shape, (int64_t)problem->element_size);
    }
}

/*
 * Let L be the output's step from a line to the next and E its step from an element to the next.
 * Element k of line i and element k' of line j, i < j, share an address if and only if
 * (j - i) * L = (k - k') * E. With g = gcd(L, E), j - i is then a multiple of E / g, and k - k' a
 * multiple of L / g. So lines less than E / g apart share no address, and no lines do if L / g is
 * at least the length of a line, which k - k' cannot reach.
 */
uint64_t cumsum_shape_disjoint_lines(const cumsum_shape *shape) {
    if (shape->outer_rank == 0 || shape->length == 1)
        return 1;
    const int64_t step = shape->output_step;
    const uint64_t element = (uint64_t)(step < 0 ? -step : step);
    const uint64_t line = (uint64_t)shape->outer[0].output_step;
    const uint64_t divisor = cumsum_common_divisor(element, line);
    return line / divisor < shape->length ? element / divisor : shape->outer[0].size;
}
