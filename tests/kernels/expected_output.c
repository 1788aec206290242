/* SPDX-License-Identifier: MIT */
#include "expected_output.h"

#include <string.h>

/* Inclusive sums of `lines` packed lines, each in the place of its elements. */
static bool sum_packed_lines(const kernel_case *c, unsigned char *elements, uint32_t lines,
                             cumsum_diagnostic *why) {
    kernel_case packed = {.type = c->type,
                          .rank = 2,
                          .axis = 1,
                          .sizes = {lines, c->sizes[c->axis]},
                          .in_place = true};
    case_descriptor descriptor;
    packed.operand[CASE_OUTPUT].no_strides = true;
    case_describe(&packed, &descriptor);
    const cumsum_plan_options options = {.numerics = c->numerics,
                                         .kernel = CUMSUM_KERNEL_REFERENCE};
    const uint64_t bytes = descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes;
    cumsum_plan *plan = NULL;
    bool ok = cumsum_plan_create(&descriptor.operation, &options, &plan, why) == CUMSUM_OK &&
              cumsum_plan_execute(plan, elements, bytes, elements, bytes, why) == CUMSUM_OK;
    cumsum_plan_destroy(plan);
    return ok;
}

/* Inclusive sums to the places of their elements, or exclusive ones: the same, one place on. */
static void scatter_line(const kernel_case *c, unsigned char *first, const unsigned char *sums) {
    const uint32_t size = case_element_size(c);
    const uint64_t length = c->sizes[c->axis];
    const int64_t step = case_step(c, CASE_OUTPUT);
    if (!c->exclusive) {
        copy_elements(first, step, sums, 1, length, size);
        return;
    }
    if (length > 1) /* otherwise the step is that of a dimension of size 1: any number */
        copy_elements(first + step * size, step, sums, 1, length - 1, size);
    memset(first, 0, size); /* S(0) = +0 */
}

/* All lines at once: none reads what another one wrote. */
static bool compute_together(case_memory *memory, const kernel_case *c, const unsigned char *input,
                             unsigned char *output, cumsum_diagnostic *why) {
    const uint32_t size = case_element_size(c);
    const uint64_t line_bytes = (uint64_t)c->sizes[c->axis] * size;
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        copy_elements(memory->packed + walk.line * line_bytes, 1,
                      input + walk.offset[CASE_INPUT] * (int64_t)size, case_step(c, CASE_INPUT),
                      c->sizes[c->axis], size);
    } while (line_walk_next(&walk));
    if (!sum_packed_lines(c, memory->packed, (uint32_t)case_lines(c), why))
        return false;
    line_walk_begin(&walk, c);
    do {
        scatter_line(c, output + walk.offset[CASE_OUTPUT] * (int64_t)size,
                     memory->packed + walk.line * line_bytes);
    } while (line_walk_next(&walk));
    return true;
}

/* Line after line: in place, where lines share elements, a line reads what those before it wrote.
 */
static bool compute_one_by_one(case_memory *memory, const kernel_case *c, unsigned char *output,
                               cumsum_diagnostic *why) {
    const uint32_t size = case_element_size(c);
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        unsigned char *first = output + walk.offset[CASE_OUTPUT] * (int64_t)size;
        copy_elements(memory->packed, 1, first, case_step(c, CASE_OUTPUT), c->sizes[c->axis], size);
        if (!sum_packed_lines(c, memory->packed, 1, why))
            return false;
        scatter_line(c, first, memory->packed);
    } while (line_walk_next(&walk));
    return true;
}

bool expected_output_compute(case_memory *memory, const kernel_case *c, cumsum_diagnostic *why) {
    const case_window *window = &memory->window[CASE_OUTPUT];
    unsigned char *output = memory->expected + window->before;
    case_descriptor descriptor;
    case_describe(c, &descriptor);
    memcpy(memory->expected, memory->initial[CASE_OUTPUT], window->bytes);
    if (c->in_place && cumsum_output_may_overlap(&descriptor.operation))
        return compute_one_by_one(memory, c, output, why);
    return compute_together(memory, c, memory->window[CASE_INPUT].tensor, output, why);
}
