/* SPDX-License-Identifier: MIT */
/*
 * The table of functions (dml_runtime.h): executing the operator, and asking what DirectML says of
 * a descriptor. An execution creates, compiles, initializes and dispatches. Nothing of an operator
 * is kept for the next execution, so each execution shows what DirectML does from the beginning.
 */
#include "dml_session.h"

/* With OWNED_BY_DML the initializer reads the input and keeps a copy; the operator gets none. */
static bool input_is_owned(const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *input = desc->input_tensor->desc;
    return (input->flags & CUMSUM_TENSOR_FLAG_OWNED_BY_DML) != 0;
}

/* Every operator must be initialized before its first dispatch, even if it keeps nothing. */
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
                             .buffers = {op->temporary, op->persistent},
                             .times = 1};
    if (owned) {
        dispatch.input = (dml_typed_desc){DML_BINDING_BUFFER_ARRAY, &inputs};
        dispatch.buffers[2] = job->input.buffer;
    }
    if (op->persistent)
        dispatch.output = (dml_typed_desc){DML_BINDING_BUFFER, &persistent};
    return dml_run(session, &dispatch, NULL, why);
}

/* An operator that was initialized, and what it is executed on. */
typedef struct ready_operator {
    dml_session *session;
    const dml_compiled *op;
    const dml_job *job;
    const dml_buffer_binding *input;
} ready_operator;

/* In place, input and output are one buffer, which must appear once among those that change state.
 */
static gpu_status compute(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why) {
    const ready_operator *ready = context;
    const dml_compiled *op = ready->op;
    const dml_job *job = ready->job;
    const dml_buffer_binding output = {job->output.buffer->resource, job->output.offset,
                                       job->output_in_bytes};
    dml_dispatch dispatch = {.what = op->compiled,
                             .descriptors = op->to_execute.descriptor_count,
                             .temporary_size = op->to_execute.temporary_size,
                             .compiled = op,
                             .reads_persistent = true,
                             .output = {DML_BINDING_BUFFER, &output},
                             .buffers = {op->temporary, op->persistent, job->output.buffer},
                             .times = times};
    if (!input_is_owned(job->desc)) {
        dispatch.input = (dml_typed_desc){DML_BINDING_BUFFER, ready->input};
        dispatch.buffers[3] = job->input.buffer == job->output.buffer ? NULL : job->input.buffer;
    }
    return dml_run(ready->session, &dispatch, timing, why);
}

static gpu_status compute_or_measure(ready_operator *ready, gpu_failure *why) {
    const dml_job *job = ready->job;
    gpu_device *device = &ready->session->device->base;
    const gpu_work work = {.device = device,
                           .run = compute,
                           .context = ready,
                           .most_at_once = UINT32_MAX,
                           .in_place = job->input.buffer == job->output.buffer,
                           .data = job->input,
                           .bytes = job->input_in_bytes};
    return device->measuring ? device->measuring->measure(device->measuring, &work, why)
                             : compute(ready, 1, NULL, why);
}

static gpu_status execute_operator(dml_session *session, const dml_job *job, dml_answer *answer,
                                   gpu_failure *why) {
    const dml_buffer_binding input = {job->input.buffer->resource, job->input.offset,
                                      job->input_in_bytes};
    dml_compiled op = {0};
    *answer = (dml_answer){0};
    gpu_status status =
        dml_operator_compile(session, job->desc, job->execution_flags, &op, answer, why);
    if (status == GPU_OK)
        status = dml_operator_prepare(session, &op, why);
    if (status == GPU_OK)
        status = initialize(session, &op, job, &input, why);
    if (status == GPU_OK)
        status = compute_or_measure(&(ready_operator){session, &op, job, &input}, why);
    dml_operator_close(session, &op);
    return status;
}

/* A rejected descriptor is an answer, not a failure: `answer` has DirectML's results. */
static gpu_status ask_directml(dml_session *session, const cumsum_operator_desc *desc,
                               uint32_t execution_flags, dml_answer *answer, gpu_failure *why) {
    dml_compiled op = {0};
    if (cumsum_gpu_is_lost(&session->device->base, why))
        return why->status;
    gpu_status status = dml_operator_compile(session, desc, execution_flags, &op, answer, why);
    dml_operator_close(session, &op);
    return status == GPU_REJECTED ? GPU_OK : status;
}

static uint32_t feature_level(const dml_session *session) {
    return session->feature_level;
}

#if defined(CUMSUM_ABI_WINDOWS)
#define DML_LIBRARY "DirectML.dll"
#elif defined(CUMSUM_ABI_WSL)
#define DML_LIBRARY "libdirectml.so"
#else
/* Microsoft's libdirectml.so calls methods in the System V convention; vkd3d's methods use
 * Microsoft's. */
#define DML_LIBRARY NULL
#endif

const struct dml_runtime dml_runtime_here = {.library = DML_LIBRARY,
                                             .open = dml_session_open,
                                             .close = dml_session_close,
                                             .feature_level = feature_level,
                                             .ask = ask_directml,
                                             .execute = execute_operator};
