/* SPDX-License-Identifier: MIT */
/*
 * Lines by way of scratch memory (staging.h). A batch is a box of lines: some inner dimensions as a
 * whole, and a piece of the next one. In scratch memory element k of line l of a batch is number
 * k * lines + l, so kernels see interleaved lines, which they scan in place.
 *
 * Why the bits are right: each element of a batch has one place in scratch memory, the same in both
 * copies, and the dimensions of a box enumerate each element once. In place, a batch is written
 * after it was read, and no other batch has its elements.
 */
#include "staging.h"

#include <string.h>

/* A copy of a box from or to scratch memory; its dimensions go from the smallest step of the tensor
 * to the largest. */
typedef struct box_copy {
    const unsigned char *from;
    unsigned char *to;
    uint32_t rank;
    cumsum_copy_dimension dimensions[CUMSUM_MAX_DIMENSIONS];
    bool gathers; /* `from` is the tensor */
} box_copy;

static int64_t tensor_step(const box_copy *copy, const cumsum_copy_dimension *d) {
    return copy->gathers ? d->from_step : d->to_step;
}

/* A dimension with a negative step of the tensor is walked from its other end. */
static void add_dimension(box_copy *copy, cumsum_copy_dimension added) {
    if (added.size == 1)
        return;
    if (tensor_step(copy, &added) < 0) {
        const int64_t last = (int64_t)added.size - 1;
        copy->from += last * added.from_step;
        copy->to += last * added.to_step;
        added.from_step = -added.from_step;
        added.to_step = -added.to_step;
    }
    uint32_t at = copy->rank++;
    for (; at > 0 && tensor_step(copy, &copy->dimensions[at - 1]) > tensor_step(copy, &added); at--)
        copy->dimensions[at] = copy->dimensions[at - 1];
    copy->dimensions[at] = added;
}

/* A loop of fewer elements takes as long to begin as to run. */
#define SHORT_RUN 6

/* Makes the longest dimension the innermost one, if that has only a short run. */
static void lengthen_runs(box_copy *copy) {
    uint32_t longest = 0;
    if (copy->dimensions[0].size >= SHORT_RUN)
        return;
    for (uint32_t d = 1; d < copy->rank; d++)
        if (copy->dimensions[d].size > copy->dimensions[longest].size)
            longest = d;
    const cumsum_copy_dimension moved = copy->dimensions[longest];
    for (uint32_t d = longest; d > 0; d--)
        copy->dimensions[d] = copy->dimensions[d - 1];
    copy->dimensions[0] = moved;
}

/* Moves to the next plane; false behind the last one. */
static bool next_plane(box_copy *copy, uint64_t index[CUMSUM_MAX_DIMENSIONS]) {
    for (uint32_t i = 2; i < copy->rank; i++) {
        const cumsum_copy_dimension *d = &copy->dimensions[i];
        const bool again = ++index[i] == d->size;
        const int64_t steps = again ? 1 - (int64_t)d->size : 1;
        copy->from += steps * d->from_step;
        copy->to += steps * d->to_step;
        if (!again)
            return true;
        index[i] = 0;
    }
    return false;
}

static void copy_box(uint32_t size, box_copy *copy) {
    uint64_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    for (uint32_t i = copy->rank; i < 2; i++)
        copy->dimensions[i] = (cumsum_copy_dimension){.size = 1};
    lengthen_runs(copy);
    do
        cumsum_copy_plane(size, copy->to, copy->from, copy->dimensions);
    while (next_plane(copy, index));
}

/* Lines of a batch: `whole` outer dimensions, and `indices` of the next one. */
typedef struct line_batch {
    uint64_t first;
    uint64_t lines;
    uint64_t indices;
    uint32_t whole;
} line_batch;

/* The batch that begins with line `first` and has at most `most` lines. */
static line_batch batch_at(const cumsum_shape *shape, uint64_t first, uint64_t most) {
    line_batch batch = {.first = first, .lines = 1, .indices = 1};
    for (; batch.whole < shape->outer_rank; batch.whole++) {
        const uint64_t lines = batch.lines * shape->outer[batch.whole].size;
        if (first % lines != 0 || lines > most)
            break;
        batch.lines = lines;
    }
    if (batch.whole < shape->outer_rank) {
        const uint64_t size = shape->outer[batch.whole].size, fits = most / batch.lines;
        batch.indices = cumsum_least(size - first / batch.lines % size, fits);
        batch.lines *= batch.indices;
    }
    return batch;
}

/* Copies a batch between the tensor, of which `copy` has the first element visited of line 0, and
 * scratch memory. */
static void copy_batch(const cumsum_plan *plan, const line_batch *batch, box_copy copy) {
    const cumsum_shape *shape = &plan->shape;
    const int64_t element = (int64_t)plan->problem.element_size;
    uint64_t line = batch->first, packed = 1;
    for (uint32_t i = 0; i < shape->outer_rank; i++) {
        const cumsum_outer_dimension *outer = &shape->outer[i];
        const int64_t step = copy.gathers ? outer->input_step : outer->output_step;
        const int64_t offset = (int64_t)(line % outer->size) * step;
        const int64_t place = (int64_t)packed * element;
        cumsum_copy_dimension added = {.size = i < batch->whole ? outer->size : batch->indices};
        added.from_step = copy.gathers ? step : place;
        added.to_step = copy.gathers ? place : step;
        copy.from += copy.gathers ? offset : 0;
        copy.to += copy.gathers ? 0 : offset;
        line /= outer->size;
        packed *= added.size;
        if (i <= batch->whole)
            add_dimension(&copy, added);
    }
    const int64_t row = (int64_t)batch->lines * element;
    add_dimension(&copy,
                  (cumsum_copy_dimension){.size = shape->length,
                                          .from_step = copy.gathers ? shape->input_step : row,
                                          .to_step = copy.gathers ? row : shape->output_step});
    copy_box(plan->problem.element_size, &copy);
}

void cumsum_plan_compute_staged(const cumsum_plan *plan, const cumsum_binding *binding,
                                uint64_t first, uint64_t count, void *scratch) {
    const cumsum_shape *shape = &plan->shape;
    const int64_t element = (int64_t)plan->problem.element_size;
    const box_copy gather = {.from = (const unsigned char *)binding->input + shape->input_origin,
                             .to = scratch,
                             .gathers = true};
    const box_copy scatter = {.from = scratch,
                              .to = (unsigned char *)binding->output + shape->output_origin};
    while (count > 0) {
        const line_batch batch =
            batch_at(shape, first, count < plan->staged_lines ? count : plan->staged_lines);
        const int64_t row = (int64_t)batch.lines * element;
        const cumsum_panel panel = {.input = scratch,
                                    .output = scratch,
                                    .lines = batch.lines,
                                    .input_line_step = element,
                                    .output_line_step = element,
                                    .groups = 1,
                                    .length = shape->length,
                                    .input_step = row,
                                    .output_step = row};
        copy_batch(plan, &batch, gather);
        plan->compute_panel(&panel, &plan->panel_arithmetic);
        copy_batch(plan, &batch, scatter);
        first += batch.lines;
        count -= batch.lines;
    }
}

/* Fewer elements are computed before their lines were copied twice. */
#define STAGED_ELEMENTS 512

/* Longer lines are scanned piece by piece where they lie. */
#define STAGED_LENGTH 256

/* Do the lines of all groups follow each other as one row, in a tensor at least? */
static bool rows_adjoin(const cumsum_shape *shape) {
    const cumsum_outer_dimension *lines = &shape->outer[0], *groups = &shape->outer[1];
    const int64_t size = (int64_t)lines->size;
    return shape->outer_rank > 1 && (groups->input_step == size * lines->input_step ||
                                     groups->output_step == size * lines->output_step);
}

/* Lines that are interleaved in both tensors, or in one with gaps in the other. */
static bool interleaved_badly(const cumsum_plan *plan, bool both) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t lines = shape->outer[0].size, length = shape->length;
    if (plan_is_exact(plan))
        return lines < (both ? 16 : 64);
    if (both)
        return !rows_adjoin(shape) &&
               (lines < 4 ? length < 128 : lines < 8 && lines * length < 200);
    return length < (lines < 16 ? 64 : lines >= 32 && lines < 64 ? 8 : 0);
}

/* Contiguous lines: squares of them are transposed, longer ones are taken one by one, and those of
 * 2, 4, 8 and 16 elements are joined (panel_walk.h). */
static bool contiguous_badly(const cumsum_shape *shape, int64_t element) {
    const uint64_t lines = shape->outer[0].size, length = shape->length;
    const int64_t dense = (int64_t)length * element;
    const bool joins = length <= 16 && (length & (length - 1)) == 0 && lines * length >= 256 &&
                       shape->outer[0].input_step == dense && shape->outer[0].output_step == dense;
    return length < 64 && !joins && (length < 16 || lines < (length < 24 ? 32 : 16));
}

/* Would kernels take longer than copies there and back? That was measured on random layouts
 * (docs/performance.md). */
static bool lies_badly(const cumsum_plan *plan) {
    const cumsum_shape *shape = &plan->shape;
    const int64_t element = (int64_t)plan->problem.element_size;
    const cumsum_outer_dimension *group = &shape->outer[0];
    const uint64_t lines = group->size, length = shape->length;
    const bool from_rows = group->input_step == element, to_rows = group->output_step == element;
    const bool from_lines = shape->input_step == element || shape->input_step == -element;
    const bool to_lines = shape->output_step == element || shape->output_step == -element;
    if (shape->is_crossed)
        return false;
    if ((from_rows && to_lines && !to_rows) || (to_rows && from_lines && !from_rows))
        return length < 16 || lines < 16; /* transposed */
    if (from_rows || to_rows)
        return interleaved_badly(plan, from_rows && to_rows);
    if (length > 1 && from_lines && to_lines)
        return contiguous_badly(shape, element);
    return length > 1 && (length < 64 || lines < 32);
}

void cumsum_plan_choose_staging(cumsum_plan *plan) {
    const cumsum_shape *shape = &plan->shape;
    if (plan->problem.output_may_overlap || shape->outer_rank == 0 ||
        shape->length > STAGED_LENGTH || shape->lines * shape->length < STAGED_ELEMENTS ||
        !lies_badly(plan))
        return;
    plan->staged_lines = CUMSUM_STAGE_BYTES / (shape->length * plan->problem.element_size);
}
