/* SPDX-License-Identifier: MIT */
#include "candidate.h"

#include <stddef.h>

static bool execute(candidate_call *call, const kernel_case *c, const cumsum_plan_options *options,
                    const void *input) {
    case_descriptor descriptor;
    case_describe(c, &descriptor);
    if (cumsum_plan_create(&descriptor.operation, options, &call->plan, &call->why) != CUMSUM_OK)
        return false;
    call->ran = cumsum_plan_kernel(call->plan);
    const bool ok = cumsum_plan_execute(call->plan, input,
                                        descriptor.buffer[CASE_INPUT].total_tensor_size_in_bytes,
                                        call->window[CASE_OUTPUT].tensor,
                                        descriptor.buffer[CASE_OUTPUT].total_tensor_size_in_bytes,
                                        &call->why) == CUMSUM_OK;
    cumsum_plan_destroy(call->plan);
    call->plan = NULL;
    return ok;
}

bool candidate_run_kernel(candidate_call *call) {
    const cumsum_plan_options options = {
        .numerics = call->c->numerics, .kernel = call->kernel, .thread_pool = call->pool};
    return execute(call, call->c, &options, call->window[CASE_INPUT].tensor);
}

bool candidate_run_reference(candidate_call *call, const kernel_case *c, const void *input) {
    const cumsum_plan_options options = {.numerics = c->numerics,
                                         .kernel = CUMSUM_KERNEL_REFERENCE};
    const bool ok = execute(call, c, &options, input);
    call->ran = call->kernel;
    return ok;
}
