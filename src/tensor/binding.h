/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_BINDING_H
#define CUMSUM_TENSOR_BINDING_H

/*
 * The memory that an execution on the CPU or the GPU is given, and its check. Nothing that comes
 * after the check looks at sizes or addresses again.
 */

#include "problem.h"

/* The caller's memory. Nothing here owns it. */
typedef struct cumsum_binding {
    const void *input; /* the element with all indices 0 */
    uint64_t input_in_bytes;
    void *output;
    uint64_t output_in_bytes;
} cumsum_binding;

/* Checks every rule of cumsum_plan_execute about its arguments (docs/validation.md, "Bindings").
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null address; CUMSUM_INVALID_BINDING for memory
 * that is too small, misaligned or partly overlapping. After CUMSUM_OK every element of both
 * tensors lies inside its memory. */
cumsum_status cumsum_binding_check(const cumsum_problem *problem, const cumsum_binding *binding,
                                   cumsum_diagnostic *diagnostic);

/* The same of the input alone, for calls without an output. */
cumsum_status cumsum_binding_check_input(const cumsum_problem *problem,
                                         const cumsum_binding *binding,
                                         cumsum_diagnostic *diagnostic);

#endif
