/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_BINDING_H
#define CUMSUM_TENSOR_BINDING_H

#include "problem.h"

/* The memory that an execution is given. */
typedef struct cumsum_binding {
    const void *input;
    uint64_t input_in_bytes;
    void *output;
    uint64_t output_in_bytes;
} cumsum_binding;

/* Every rule of cumsum_plan_execute about its arguments: CUMSUM_OK, CUMSUM_INVALID_ARGUMENT or
 * CUMSUM_INVALID_BINDING with a diagnostic. After CUMSUM_OK every element lies inside the memory.
 */
cumsum_status cumsum_binding_check(const cumsum_problem *problem, const cumsum_binding *binding,
                                   cumsum_diagnostic *diagnostic);

#endif
