/* SPDX-License-Identifier: MIT */
/* Defects in which memory is touched. */
#include "broken_copy.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool run_right(candidate_call *call) {
    return candidate_run_reference(call, call->c, call->window[CASE_INPUT].tensor);
}

/* Elements from the first to the last one of a side. */
static int64_t extent(const kernel_case *c, int side) {
    const case_side *s = &c->side[c->in_place ? CASE_OUTPUT : side];
    int64_t elements = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        elements += (int64_t)(c->sizes[d] - 1) * (c->sizes[d] > 1 ? s->strides[d] : 0);
    return elements;
}

/* Changes the element at an offset, whether the tensor has one there or not. */
static void spoil(const candidate_call *call, int side, int64_t offset) {
    const int64_t size = case_element_size(call->c);
    volatile unsigned char *byte = call->window[side].tensor + offset * size;
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

/* The first element between others that belongs to none of them; -1 where there is none. */
static int64_t first_gap(const kernel_case *c) {
    const int64_t elements = extent(c, CASE_OUTPUT);
    unsigned char *taken = calloc((size_t)elements, 1);
    line_walk walk;
    line_walk_begin(&walk, c);
    do {
        for (int64_t k = 0; taken && k < (int64_t)c->sizes[c->axis]; k++)
            taken[walk.offset[CASE_OUTPUT] + k * case_step(c, CASE_OUTPUT)] = 1;
    } while (line_walk_next(&walk));
    int64_t gap = 0;
    while (taken && gap < elements && taken[gap])
        gap++;
    free(taken);
    return gap < elements ? gap : -1;
}

static bool run_gap_written(candidate_call *call) {
    const bool ok = run_right(call);
    const int64_t gap = first_gap(call->c);
    if (ok && gap >= 0)
        spoil(call, CASE_OUTPUT, gap);
    return ok;
}

static bool run_input_written(candidate_call *call) {
    const bool ok = run_right(call);
    if (ok && !call->c->in_place)
        spoil(call, CASE_INPUT, 0);
    return ok;
}

/* Reads of a whole vector where there is less than one. */
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

const broken_candidate broken_accesses[] = {
    {"store-beyond", "an element behind the output is written", run_store_beyond},
    {"store-before", "an element before the output is written", run_store_before},
    {"gap-written", "an element between the output's is written", run_gap_written},
    {"input-written", "the input is written", run_input_written},
    {"read-beyond", "a byte behind the input is read", run_read_beyond},
    {"read-before", "a byte before the input is read", run_read_before},
    {"refusing", "8 dimensions are refused", run_refusing},
    {NULL, NULL, NULL}};
