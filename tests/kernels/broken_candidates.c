/* SPDX-License-Identifier: MIT */
/*
 * Imitations of kernels with a defect that shows in memory around the tensors, with threads, in the
 * caller's floating-point mode, or in the order of lines. They run the reference and then do what
 * the defect would. What a mutant can do stands in tests/mutants.
 */
#include "caller_mode.h"
#include "candidate.h"

#include <stdlib.h>
#include <string.h>

static bool run_right(candidate_call *call) {
    return candidate_run_reference(call, call->c);
}

/* Runs the reference on a case that differs from the call's. */
static bool run_changed(candidate_call *call, void (*change)(kernel_case *c)) {
    kernel_case changed = *call->c;
    change(&changed);
    return candidate_run_reference(call, &changed);
}

/* The output element that is k-th in traversal order, on the line that walk is at. */
static unsigned char *output_at(const candidate_call *call, const line_walk *walk, uint64_t k) {
    const int64_t offset = walk->offset[CASE_OUTPUT] + (int64_t)k * case_step(call->c, CASE_OUTPUT);
    return call->window[CASE_OUTPUT].tensor + offset * (int64_t)case_element_size(call->c);
}

/* Elements from the first to the last one of an operand. */
static int64_t extent(const kernel_case *c, int operand) {
    const case_operand *o = &c->operand[c->in_place ? CASE_OUTPUT : operand];
    int64_t elements = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        elements += (int64_t)(c->sizes[d] - 1) * (c->sizes[d] > 1 ? o->strides[d] : 0);
    return elements;
}

/* Changes the element at an offset, whether the tensor has one there or not. */
static void spoil(const candidate_call *call, int operand, int64_t offset) {
    const int64_t size = case_element_size(call->c);
    volatile unsigned char *byte = call->window[operand].tensor + offset * size;
    *byte = (unsigned char)~*byte;
}

static bool run_store_beyond(candidate_call *call) {
    const bool ok = run_right(call);
    if (ok)
        spoil(call, CASE_OUTPUT, extent(call->c, CASE_OUTPUT));
    return ok;
}

static bool run_store_before(candidate_call *call) {
    const bool ok = run_right(call);
    if (ok)
        spoil(call, CASE_OUTPUT, -1);
    return ok;
}

static bool run_input_written(candidate_call *call) {
    const bool ok = run_right(call);
    if (ok && !call->c->in_place)
        spoil(call, CASE_INPUT, 0);
    return ok;
}

/* A kernel that reads whole vectors also reads bytes that the tensor does not have. */
static void read_byte(const unsigned char *address) {
    const volatile unsigned char *byte = address;
    (void)*byte;
}

static bool run_read_beyond(candidate_call *call) {
    const int64_t size = case_element_size(call->c);
    read_byte(call->window[CASE_INPUT].tensor + extent(call->c, CASE_INPUT) * size + 4);
    return run_right(call);
}

static bool run_read_before(candidate_call *call) {
    read_byte(call->window[CASE_INPUT].tensor - 1);
    return run_right(call);
}

static bool run_refusing(candidate_call *call) {
    static const char message[] = "a layout that no kernel has";
    if (call->c->rank < CUMSUM_MAX_DIMENSIONS)
        return run_right(call);
    memcpy(call->why.message, message, sizeof message);
    return false;
}

/* The last elements of the last two lines change places, as in the tail of a transposition. */
static bool run_lane_swapped(candidate_call *call) {
    const kernel_case *c = call->c;
    const uint32_t size = case_element_size(c);
    unsigned char *last[2] = {NULL, NULL};
    unsigned char element[8];
    line_walk walk;
    if (!run_right(call))
        return false;
    line_walk_begin(&walk, c);
    do {
        last[0] = last[1];
        last[1] = output_at(call, &walk, c->sizes[c->axis] - 1);
    } while (line_walk_next(&walk));
    if (case_lines(c) % 8 < 2 || !last[0])
        return true;
    memcpy(element, last[0], size);
    memmove(last[0], last[1], size);
    memcpy(last[1], element, size);
    return true;
}

/* With a pool of 3 threads the last line stays as it was. */
static bool run_thread_missing(candidate_call *call) {
    const case_window *window = &call->window[CASE_OUTPUT];
    if (!call->pool || call->c->threads != 3)
        return run_right(call);
    unsigned char *before = malloc(window->bytes);
    if (!before)
        return false;
    memcpy(before, window->begin, window->bytes);
    const bool ok = run_right(call);
    line_walk walk;
    line_walk_begin(&walk, call->c);
    while (walk.line + 1 < case_lines(call->c))
        line_walk_next(&walk);
    for (uint64_t k = 0; ok && k < call->c->sizes[call->c->axis]; k++) {
        unsigned char *element = output_at(call, &walk, k);
        memcpy(element, before + (element - window->begin), case_element_size(call->c));
    }
    free(before);
    return ok;
}

static void only_first_line(kernel_case *c) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (d != c->axis)
            c->sizes[d] = 1;
}

/* Line 0 is computed last: no difference, unless lines share output elements. */
static bool run_lines_reordered(candidate_call *call) {
    const bool ok = run_right(call);
    if (call->c->in_place || call->c->operand[CASE_OUTPUT].no_strides)
        return ok;
    return ok && run_changed(call, only_first_line);
}

static void flush(kernel_case *c) {
    c->numerics.denormals = CUMSUM_DENORMALS_FLUSH;
}

static bool run_mode_flushes(candidate_call *call) {
    const bool flushing = call->c->mode & 12 && !(call->c->mode & 3);
    return flushing ? run_changed(call, flush) : run_right(call);
}

/* In another rounding direction the second output of each FLOAT32 line is off by a bit. */
static bool run_mode_rounds(candidate_call *call) {
    const kernel_case *c = call->c;
    const bool ok = run_right(call);
    if (!ok || !(c->mode & 3) || c->type != CUMSUM_DATA_TYPE_FLOAT32 || c->sizes[c->axis] < 2)
        return ok;
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        uint32_t bits;
        unsigned char *element = output_at(call, &walk, 1);
        memcpy(&bits, element, sizeof bits);
        bits ^= 1;
        memcpy(element, &bits, sizeof bits);
    } while (line_walk_next(&walk));
    return true;
}

/* Computes, and leaves the thread in another mode. */
static bool run_mode_left(candidate_call *call) {
    const bool ok = run_right(call);
    if (call->c->mode == 3)
        caller_mode_write(caller_mode_control(0));
    return ok;
}

/* Lines of three terms as those of two, of which all orders have the same sums. */
static void add_in_sequence(kernel_case *c) {
    if (c->numerics.order == CUMSUM_ORDER_EXACT)
        c->numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32;
    c->numerics.order = CUMSUM_ORDER_SEQUENTIAL;
}

static bool run_orders_confused(candidate_call *call) {
    const bool three = call->c->sizes[call->c->axis] == 3u + call->c->exclusive;
    return three ? run_changed(call, add_in_sequence) : run_right(call);
}

/* The lines that are staged at once end with one that stays as it was. */
static bool run_staged_short(candidate_call *call) {
    const kernel_case *c = call->c;
    const uint64_t length = c->sizes[c->axis], size = case_element_size(c);
    const uint64_t batch = length * size < 1024 ? 32768 / (length * size) : UINT64_MAX;
    const bool ok = run_right(call);
    line_walk walk;
    if (!ok || batch >= case_lines(c) || c->operand[CASE_OUTPUT].no_strides)
        return ok;
    line_walk_begin(&walk, c);
    while (walk.line + 1 < batch)
        line_walk_next(&walk);
    memset(output_at(call, &walk, length - 1), 0x5A, size);
    return true;
}

const broken_candidate broken_candidates[] = {
    {"orders-confused", "three terms are added in sequence in every order", run_orders_confused},
    {"staged-short", "the last of the lines that are staged at once is not", run_staged_short},
    {"store-beyond", "an element behind the output is written", run_store_beyond},
    {"store-before", "an element before the output is written", run_store_before},
    {"input-written", "the input is written", run_input_written},
    {"read-beyond", "a byte behind the input is read", run_read_beyond},
    {"read-before", "a byte before the input is read", run_read_before},
    {"refusing", "8 dimensions are refused", run_refusing},
    {"lane-swapped", "two of the last lines change places in one element", run_lane_swapped},
    {"thread-missing", "with 3 threads the last line is left out", run_thread_missing},
    {"lines-reordered", "the first line is written last", run_lines_reordered},
    {"mode-flushes", "the caller's flush modes are obeyed", run_mode_flushes},
    {"mode-rounds", "the caller's rounding direction is obeyed", run_mode_rounds},
    {"mode-left", "the caller's mode is not restored", run_mode_left},
    {"carry-dropped", "each piece of a line begins at 0", candidate_drop_carry},
    {NULL, NULL, NULL}};
