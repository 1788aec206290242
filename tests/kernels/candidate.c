/* SPDX-License-Identifier: MIT */
/* Candidates that compute what they should: the library, and mutants up to their bugs. */
#include "candidate.h"

#include "caller_mode.h"

#include <stddef.h>

static bool execute(candidate_call *call, const cumsum_plan_options *options) {
    case_descriptor descriptor;
    case_describe(call->c, &descriptor);
    if (cumsum_plan_create(&descriptor.operation, options, &call->plan, &call->why) != CUMSUM_OK)
        return false;
    call->ran = cumsum_plan_kernel(call->plan);
    const bool ok = cumsum_plan_execute(call->plan, call->window[CASE_INPUT].tensor,
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
    return execute(call, &options);
}

bool candidate_run_reference(candidate_call *call) {
    const cumsum_plan_options options = {.numerics = call->c->numerics,
                                         .kernel = CUMSUM_KERNEL_REFERENCE};
    const bool ok = execute(call, &options);
    call->ran = call->kernel;
    return ok;
}

/* The windows are the mutant's buffers. Its own arithmetic is in C, which the caller's mode would
 * bend: that would be a defect, but not the one that is planted. */
bool candidate_run_mutant(candidate_call *call) {
    const case_window *input = &call->window[CASE_INPUT], *output = &call->window[CASE_OUTPUT];
    const uint64_t mode = caller_mode_read();
    case_descriptor descriptor;
    case_describe(call->c, &descriptor);
    mutant_view view = mutant_view_of(&descriptor.operation, call->c->numerics, call->c->in_place);
    view.input.offset = input->before;
    view.output.offset = output->before;
    caller_mode_write(caller_mode_control(0));
    mutant_run(call->mutant, view,
               &(mutant_buffers){.input = input->begin,
                                 .input_size = input->bytes,
                                 .output = output->begin,
                                 .output_size = output->bytes});
    caller_mode_write(mode);
    call->ran = call->kernel;
    return true;
}
