/* SPDX-License-Identifier: MIT */
/* An execution: create, compile, initialize, dispatch. */
#include "dml_session.h"

/* Where DirectML owns the input, the initializer reads it, once, and keeps what it needs of it. */
static bool input_is_owned(const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *input = desc->input_tensor->desc;
    return (input->flags & CUMSUM_TENSOR_FLAG_OWNED_BY_DML) != 0;
}

static gpu_status initialize(dml_session *session, const dml_compiled *op, const dml_job *job,
                             const dml_buffer_binding *input, gpu_failure *why) {
    const dml_buffer_array_binding inputs = {1, input};
    const dml_buffer_binding persistent = {op->persistent ? op->persistent->resource : NULL, 0,
                                           op->to_execute.persistent_size};
    const bool owned = input_is_owned(job->desc);
    dml_dispatch dispatch = {.what = op->initializer,
                             .descriptors = op->to_initialize.descriptor_count,
                             .temporary_size = op->to_initialize.temporary_size,
                             .compiled = op,
                             .buffers = {op->temporary, op->persistent}};
    if (owned) {
        dispatch.input = (dml_typed_desc){DML_BINDING_BUFFER_ARRAY, &inputs};
        dispatch.buffers[2] = job->input.buffer;
    }
    if (op->persistent)
        dispatch.output = (dml_typed_desc){DML_BINDING_BUFFER, &persistent};
    return dml_run(session, &dispatch, NULL, why);
}

static gpu_status compute(dml_session *session, const dml_compiled *op, const dml_job *job,
                          const dml_buffer_binding *input, gpu_timing *timing, gpu_failure *why) {
    const dml_buffer_binding output = {job->output.buffer->resource, job->output.offset,
                                       job->output_in_bytes};
    dml_dispatch dispatch = {.what = op->compiled,
                             .descriptors = op->to_execute.descriptor_count,
                             .temporary_size = op->to_execute.temporary_size,
                             .compiled = op,
                             .reads_persistent = true,
                             .output = {DML_BINDING_BUFFER, &output},
                             .buffers = {op->temporary, op->persistent, job->output.buffer}};
    if (!input_is_owned(job->desc)) {
        dispatch.input = (dml_typed_desc){DML_BINDING_BUFFER, input};
        dispatch.buffers[3] = job->input.buffer == job->output.buffer ? NULL : job->input.buffer;
    }
    return dml_run(session, &dispatch, timing, why);
}

gpu_status dml_execute(dml_session *session, const dml_job *job, dml_answer *answer,
                       gpu_timing *timing, gpu_failure *why) {
    const dml_buffer_binding input = {job->input.buffer->resource, job->input.offset,
                                      job->input_in_bytes};
    dml_compiled op = {0};
    *answer = (dml_answer){0};
    gpu_status status =
        dml_operator_compile(session, job->desc, job->execution_flags, &op, answer, why);
    if (status == GPU_OK)
        status = dml_operator_begin(session, &op, why);
    if (status == GPU_OK)
        status = initialize(session, &op, job, &input, why);
    if (status == GPU_OK)
        status = compute(session, &op, job, &input, timing, why);
    dml_operator_end(session, &op);
    return status;
}
