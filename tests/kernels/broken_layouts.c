/* SPDX-License-Identifier: MIT */
/* Defects in where elements are taken from and put. */
#include "broken_copy.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool run_right(candidate_call *call) {
    return candidate_run_reference(call, call->c, call->window[CASE_INPUT].tensor);
}

static void ascend(kernel_case *c) {
    c->decreasing = false;
}

static bool run_direction_ignored(candidate_call *call) {
    return run_changed(call, ascend);
}

static void include(kernel_case *c) {
    c->exclusive = false;
}

static bool run_exclusive_ignored(candidate_call *call) {
    return run_changed(call, include);
}

/* Only the last element of a line is the inclusive one. */
static bool run_exclusive_tail(candidate_call *call) {
    const kernel_case *c = call->c;
    const uint64_t last = c->sizes[c->axis] - 1;
    uint64_t *sums = calloc((size_t)case_lines(c), sizeof *sums);
    line_walk walk;
    bool ok = sums && !c->in_place && run_exclusive_ignored(call);
    line_walk_begin(&walk, c);
    do {
        if (ok)
            sums[walk.line] = element_bits(call, element_at(call, &walk, CASE_OUTPUT, last));
    } while (line_walk_next(&walk));
    const bool both = ok;
    ok = run_right(call);
    line_walk_begin(&walk, c);
    do {
        if (both)
            set_element_bits(call, element_at(call, &walk, CASE_OUTPUT, last), sums[walk.line]);
    } while (line_walk_next(&walk));
    free(sums);
    return ok;
}

/* Two lanes of the last lines change places, at the last element: a tail of a transposition. */
static bool run_lane_swapped(candidate_call *call) {
    const kernel_case *c = call->c;
    unsigned char *last[2] = {NULL, NULL};
    line_walk walk;
    if (!run_right(call))
        return false;
    line_walk_begin(&walk, c);
    do {
        last[0] = last[1];
        last[1] = element_at(call, &walk, CASE_OUTPUT, c->sizes[c->axis] - 1);
    } while (line_walk_next(&walk));
    if (case_lines(c) % 8 < 2)
        return true;
    const uint64_t bits[2] = {element_bits(call, last[0]), element_bits(call, last[1])};
    set_element_bits(call, last[0], bits[1]);
    set_element_bits(call, last[1], bits[0]);
    return true;
}

/* Runs, and leaves the last line as it was. */
static bool run_without_last_line(candidate_call *call) {
    const case_window *window = &call->window[CASE_OUTPUT];
    unsigned char *copy = malloc(window->bytes);
    if (!copy)
        return false;
    memcpy(copy, window->begin, window->bytes);
    const bool ok = run_right(call);
    line_walk walk;
    line_walk_begin(&walk, call->c);
    while (walk.line + 1 < case_lines(call->c))
        line_walk_next(&walk);
    for (uint64_t k = 0; ok && k < call->c->sizes[call->c->axis]; k++) {
        unsigned char *element = element_at(call, &walk, CASE_OUTPUT, k);
        memcpy(element, copy + (element - window->begin), case_element_size(call->c));
    }
    free(copy);
    return ok;
}

static bool run_line_missing(candidate_call *call) {
    return case_lines(call->c) % 16 == 1 && case_lines(call->c) > 16 ? run_without_last_line(call)
                                                                     : run_right(call);
}

static bool run_thread_missing(candidate_call *call) {
    return call->pool && call->c->threads == 3 ? run_without_last_line(call) : run_right(call);
}

static void widen_repetition(kernel_case *c) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (c->sizes[d] > 1 && c->side[CASE_INPUT].strides[d] == 0)
            c->side[CASE_INPUT].strides[d] = 1;
}

static bool run_repetition_ignored(candidate_call *call) {
    return run_changed(call, widen_repetition);
}

static void only_first_line(kernel_case *c) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (d != c->axis)
            c->sizes[d] = 1;
}

/* Line 0 is computed last. No difference, unless lines share elements. */
static bool run_lines_reordered(candidate_call *call) {
    const bool ok = run_right(call);
    if (call->c->in_place || call->c->side[CASE_OUTPUT].no_strides)
        return ok;
    return ok && run_changed(call, only_first_line);
}

/* In place: element 8 of each block is read when the one before it has been written over it. */
static bool run_in_place_hazard(candidate_call *call) {
    const case_window *window = &call->window[CASE_OUTPUT];
    unsigned char *copy = call->c->in_place ? copy_window(window) : NULL;
    if (!copy)
        return run_right(call);
    bool ok = run_right(call);
    line_walk walk;
    line_walk_begin(&walk, call->c);
    do {
        for (uint64_t k = 8; k < call->c->sizes[call->c->axis]; k += 16) {
            const unsigned char *from = element_at(call, &walk, CASE_OUTPUT, k - 1);
            const unsigned char *to = element_at(call, &walk, CASE_OUTPUT, k);
            memcpy(copy + (to - window->tensor), from, case_element_size(call->c));
        }
    } while (line_walk_next(&walk));
    ok = ok && candidate_run_reference(call, call->c, copy);
    free_copy(copy);
    return ok;
}

const broken_candidate broken_layouts[] = {
    {"direction-ignored", "DECREASING is computed as INCREASING", run_direction_ignored},
    {"exclusive-ignored", "exclusive is computed as inclusive", run_exclusive_ignored},
    {"exclusive-tail", "the last exclusive output is the inclusive one", run_exclusive_tail},
    {"lane-swapped", "two of the last lines change places in one element", run_lane_swapped},
    {"line-missing", "a 17th, 33rd, ... line is left out", run_line_missing},
    {"thread-missing", "with 3 threads the last line is left out", run_thread_missing},
    {"repetition-ignored", "an input's stride of 0 is taken for 1", run_repetition_ignored},
    {"lines-reordered", "the first line is written last", run_lines_reordered},
    {"in-place-hazard", "in place, an element is read after it was written", run_in_place_hazard},
    {NULL, NULL, NULL}};
