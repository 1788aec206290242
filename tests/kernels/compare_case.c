/* SPDX-License-Identifier: MIT */
/* The expected output, made line by line, and its comparison with what a candidate left behind. */
#include "compare_case.h"

#include <cumsum/oracle.h>
#include <string.h>

/* Scans `lines` packed lines inclusively, in place. */
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

/* Writes inclusive outputs to the places of their elements. Exclusive outputs are the same, one
 * place later. */
static void scatter_line(const kernel_case *c, unsigned char *first, const unsigned char *sums) {
    const uint32_t size = case_element_size(c);
    const uint64_t length = c->sizes[c->axis];
    const int64_t step = case_step(c, CASE_OUTPUT);
    if (!c->exclusive) {
        copy_elements(first, step, sums, 1, length, size);
        return;
    }
    if (length > 1) /* the step of a dimension of size 1 may be any number */
        copy_elements(first + step * size, step, sums, 1, length - 1, size);
    memset(first, 0, size); /* S(0) = +0 */
}

/* All lines at once, if no line reads what another one writes. */
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

/* Line after line: in place, if lines share elements, a line reads what those before it wrote. */
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

static uint64_t load_bits(const unsigned char *element, uint32_t size) {
    uint64_t bits = 0;
    copy_elements((unsigned char *)&bits, 0, element, 0, 1, size);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bits >>= 64 - 8 * size;
#endif
    return bits;
}

static void note_element(difference *d, const line_walk *walk, uint64_t k, uint64_t expected,
                         uint64_t actual) {
    if (d->count++ > 0)
        return;
    d->kind = DIFFERENCE_ELEMENT;
    d->line = walk->line;
    d->position = k;
    d->expected = expected;
    d->actual = actual;
}

static void compare_line(difference *d, case_memory *memory, const line_walk *walk) {
    const kernel_case *c = walk->c;
    const uint32_t size = case_element_size(c);
    const case_window *window = &memory->window[CASE_OUTPUT];
    const int64_t step = case_step(c, CASE_OUTPUT);
    for (uint64_t k = 0; k < c->sizes[c->axis]; k++) {
        const int64_t byte = (walk->offset[CASE_OUTPUT] + (int64_t)k * step) * (int64_t)size;
        unsigned char *found = window->tensor + byte;
        const unsigned char *wanted = memory->expected + window->before + byte;
        if (memcmp(found, wanted, size) == 0)
            continue;
        const uint64_t expected = load_bits(wanted, size);
        const uint64_t actual = load_bits(found, size);
        if (cumsum_same_bits(c->type, expected, actual))
            memcpy(found, wanted, size); /* so that memcmp suffices below */
        else
            note_element(d, walk, k, expected, actual);
    }
}

static void compare_elements(difference *d, case_memory *memory, const kernel_case *c) {
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        compare_line(d, memory, &walk);
    } while (line_walk_next(&walk));
}

static void compare_bytes(difference *d, difference_kind kind, const case_window *window,
                          const unsigned char *wanted) {
    if (memcmp(window->begin, wanted, window->bytes) == 0)
        return;
    size_t i = 0;
    while (window->begin[i] == wanted[i])
        i++;
    d->kind = kind;
    d->byte = (int64_t)i - (int64_t)window->before;
}

void difference_find(difference *d, case_memory *memory, const kernel_case *c) {
    const case_window *output = &memory->window[CASE_OUTPUT];
    memset(d, 0, sizeof *d);
    if (memcmp(output->begin, memory->expected, output->bytes) != 0) {
        compare_elements(d, memory, c);
        if (d->kind == DIFFERENCE_NONE)
            compare_bytes(d, DIFFERENCE_GAP, output, memory->expected);
    }
    if (d->kind == DIFFERENCE_NONE && !c->in_place)
        compare_bytes(d, DIFFERENCE_INPUT, &memory->window[CASE_INPUT],
                      memory->initial[CASE_INPUT]);
}
