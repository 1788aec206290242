/* SPDX-License-Identifier: MIT */
/*
 * Imitations of kernels with a defect that no mutant can have: one that only a guard page shows,
 * one in the caller's floating-point mode, and one in its stack. They run the reference, and do
 * what the defect would.
 */
#include "caller_mode.h"
#include "candidate.h"

#include <stddef.h>

/* Bytes from the first element of the input to behind the last one. */
static int64_t input_bytes(const kernel_case *c) {
    const case_operand *o = &c->operand[c->in_place ? CASE_OUTPUT : CASE_INPUT];
    int64_t elements = 1;
    for (uint32_t d = 0; d < c->rank; d++)
        elements += (int64_t)(c->sizes[d] - 1) * (c->sizes[d] > 1 ? o->strides[d] : 0);
    return elements * (int64_t)case_element_size(c);
}

/* A kernel that reads whole vectors also reads bytes that the tensor does not have. */
static bool run_read_beyond(candidate_call *call) {
    const unsigned char *input = call->window[CASE_INPUT].tensor;
    const volatile unsigned char *byte = input + input_bytes(call->c) + 4;
    (void)*byte;
    return candidate_run_reference(call);
}

/* Computes, and leaves the thread in another mode. */
static bool run_mode_left(candidate_call *call) {
    const bool ok = candidate_run_reference(call);
    if (call->c->mode == 3)
        caller_mode_write(caller_mode_control(0));
    return ok;
}

static bool take_40_kib(candidate_call *call) {
    volatile unsigned char taken[40960];
    taken[0] = 1;
    return candidate_run_reference(call) && taken[0];
}

static bool run_deep_stack(candidate_call *call) {
    return candidate_on_painted_stack(call, take_40_kib);
}

const broken_candidate broken_candidates[] = {
    {"read-beyond", "a byte behind the input is read", run_read_beyond},
    {"mode-left", "the caller's mode is not restored", run_mode_left},
    {"deep-stack", "more stack is used than promised", run_deep_stack},
    {NULL, NULL, NULL}};
