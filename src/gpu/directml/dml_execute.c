/* SPDX-License-Identifier: MIT */
/*
 * The table of functions (dml_runtime.h): executing the operator, and asking what DirectML says of
 * a descriptor. An execution creates, compiles, initializes and dispatches. In DirectML,
 * CreateOperator checks the descriptor and CompileOperator checks whether the device can execute
 * it. Nothing of an operator is kept for the next execution, so each execution shows what DirectML
 * does from the beginning.
 *
 * DirectML reports a wrong binding in no return value. It removes the device when the dispatch is
 * recorded, so the device is asked after each submission.
 */
#include "dml_session.h"

/* An operator and what it needs to be initialized and executed. A member is NULL unless it owns an
 * object, whichever call failed. */
typedef struct compiled_operator {
    dml_session *session;
    const dml_job *job;
    dml_operator *op;
    dml_dispatchable *compiled;
    dml_dispatchable *initializer;
    dml_binding_properties to_initialize;
    dml_binding_properties to_execute;
    gpu_buffer *temporary;  /* as large as either dispatch needs, or NULL */
    gpu_buffer *persistent; /* made by the initializer, read by the operator; or NULL */
} compiled_operator;

static gpu_status make_operator(compiled_operator *o, const cumsum_operator_desc *desc,
                                uint32_t execution_flags, cumsum_directml_answer *answer,
                                gpu_failure *why) {
    const dml_typed_desc typed = {DML_CUMULATIVE_SUMMATION, desc};
    dml_device *dml = o->session->dml;
    *answer = (cumsum_directml_answer){0};
    answer->create_operator =
        dml->methods->create_operator(dml, &typed, &iid_dml_operator, (void **)&o->op);
    if (answer->create_operator < 0) {
        o->op = NULL;
        return dml_fail(o->session, answer->create_operator, "CreateOperator", why);
    }
    answer->compile_operator = dml->methods->compile_operator(
        dml, o->op, execution_flags, &iid_dml_compiled_operator, (void **)&o->compiled);
    if (answer->compile_operator < 0) {
        o->compiled = NULL;
        return dml_fail(o->session, answer->compile_operator, "CompileOperator", why);
    }
    return GPU_OK;
}

static dml_binding_properties properties_of(dml_dispatchable *dispatchable) {
#ifdef CUMSUM_ABI_WSL
    return dispatchable->methods->get_binding_properties(dispatchable);
#else
    dml_binding_properties properties;
    return *dispatchable->methods->get_binding_properties(dispatchable, &properties);
#endif
}

/* *buffer is NULL for a size of 0: DirectML then wants no binding. */
static gpu_status make_buffer(dml_session *session, uint64_t size, gpu_buffer **buffer,
                              gpu_failure *why) {
    *buffer = NULL;
    return size ? d3d12_buffer_open(&session->device->base, (size + 3) / 4 * 4, buffer, why)
                : GPU_OK;
}

/* Makes the initializer and the buffers of a compiled operator. */
static gpu_status prepare(compiled_operator *o, gpu_failure *why) {
    dml_device *dml = o->session->dml;
    HRESULT hr = dml->methods->create_operator_initializer(
        dml, 1, &o->compiled, &iid_dml_operator_initializer, (void **)&o->initializer);
    if (hr < 0) {
        o->initializer = NULL;
        return dml_fail(o->session, hr, "CreateOperatorInitializer", why);
    }
    o->to_initialize = properties_of(o->initializer);
    o->to_execute = properties_of(o->compiled);
    /* One temporary buffer serves both dispatches, which run one after the other. */
    const uint64_t a = o->to_initialize.temporary_size;
    const uint64_t b = o->to_execute.temporary_size;
    gpu_status status = make_buffer(o->session, a > b ? a : b, &o->temporary, why);
    if (status == GPU_OK)
        status = make_buffer(o->session, o->to_execute.persistent_size, &o->persistent, why);
    return status;
}

/* Releases what was made, also after a failure. */
static void release_operator(compiled_operator *o) {
    d3d12_buffer_close(o->persistent);
    d3d12_buffer_close(o->temporary);
    if (!d3d12_is_abandoned(o->session->device)) {
        d3d12_release(o->initializer);
        d3d12_release(o->compiled);
        d3d12_release(o->op);
    }
}

/* A dispatch of the initializer or of the compiled operator, done `times` times. */
typedef struct dispatch {
    const compiled_operator *operator;
    dml_dispatchable *what;
    dml_binding_table *table;
    uint32_t times;
} dispatch;

/* Methods that return structures: see dml_interfaces.h. */
static dml_binding_table_desc describe_table(ID3D12DescriptorHeap *heap, dml_dispatchable *what,
                                             uint32_t descriptors) {
    dml_binding_table_desc desc = {.dispatchable = what, .size_in_descriptors = descriptors};
#ifdef CUMSUM_ABI_WSL
    desc.cpu = heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap);
    desc.gpu = heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(heap);
#else
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, &desc.cpu);
    heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(heap, &desc.gpu);
#endif
    return desc;
}

/* With OWNED_BY_DML the initializer reads the input and keeps a copy; the operator gets none. */
static bool input_is_owned(const cumsum_operator_desc *desc) {
    const cumsum_buffer_tensor_desc *input = desc->input_tensor->desc;
    return (input->flags & CUMSUM_TENSOR_FLAG_OWNED_BY_DML) != 0;
}

/* The initializer takes an array of inputs, and makes the persistent resource as its output.
 * Resources that do not exist are not bound at all: an initializer without inputs or outputs
 * dereferences the NULL in a binding of the type NONE. */
static void bind(const dispatch *d, uint64_t temporary_size) {
    const compiled_operator *o = d->operator;
    const dml_binding_table_methods *methods = d->table->methods;
    const dml_job *job = o->job;
    const bool initializes = d->what == o->initializer;
    const dml_buffer_binding input = {job->input.buffer->resource, job->input.offset,
                                      job->input_in_bytes};
    const dml_buffer_binding output = {job->output.buffer->resource, job->output.offset,
                                       job->output_in_bytes};
    const dml_buffer_binding temporary = {o->temporary ? o->temporary->resource : NULL, 0,
                                          temporary_size};
    const dml_buffer_binding persistent = {o->persistent ? o->persistent->resource : NULL, 0,
                                           o->to_execute.persistent_size};
    const dml_buffer_array_binding inputs = {1, &input};
    const dml_typed_desc to_input = {DML_BINDING_BUFFER, &input};
    const dml_typed_desc to_inputs = {DML_BINDING_BUFFER_ARRAY, &inputs};
    const dml_typed_desc to_output = {DML_BINDING_BUFFER, &output};
    const dml_typed_desc to_temporary = {DML_BINDING_BUFFER, &temporary};
    const dml_typed_desc to_persistent = {DML_BINDING_BUFFER, &persistent};
    if (temporary_size)
        methods->bind_temporary_resource(d->table, &to_temporary);
    if (initializes == input_is_owned(job->desc))
        methods->bind_inputs(d->table, 1, initializes ? &to_inputs : &to_input);
    if (o->persistent && !initializes)
        methods->bind_persistent_resource(d->table, &to_persistent);
    if (o->persistent || !initializes)
        methods->bind_outputs(d->table, 1, initializes ? &to_persistent : &to_output);
}

/* DirectML requires that all bound buffers are in the state UNORDERED_ACCESS. */
static void transition_buffers(ID3D12GraphicsCommandList *list, const compiled_operator *o,
                               D3D12_RESOURCE_STATES to) {
    d3d12_transition(list, o->temporary, to);
    d3d12_transition(list, o->persistent, to);
    d3d12_transition(list, o->job->input.buffer, to);
    d3d12_transition(list, o->job->output.buffer, to);
}

static void record_dispatches(d3d12_device *device, void *context) {
    const dispatch *d = context;
    dml_session *session = d->operator->session;
    ID3D12GraphicsCommandList *list = device->list;
    ID3D12GraphicsCommandList_SetDescriptorHeaps(list, 1, &session->heap);
    transition_buffers(list, d->operator, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    for (uint32_t i = 0; i < d->times; i++) {
        d3d12_uav_barrier(list);
        session->recorder->methods->record_dispatch(session->recorder, (ID3D12CommandList *)list,
                                                    d->what, d->table);
    }
    transition_buffers(list, d->operator, D3D12_RESOURCE_STATE_COMMON);
}

/* Binds, records, submits and waits. */
static gpu_status run(compiled_operator *o, bool initializes, uint32_t times, gpu_timing *timing,
                      gpu_failure *why) {
    dml_session *session = o->session;
    dml_device *dml = session->dml;
    const dml_binding_properties *needs = initializes ? &o->to_initialize : &o->to_execute;
    dispatch d = {o, initializes ? o->initializer : o->compiled, NULL, times};
    gpu_status status = dml_session_reserve_descriptors(session, needs->descriptor_count, why);
    if (status != GPU_OK)
        return status;
    const dml_binding_table_desc desc =
        describe_table(session->heap, d.what, needs->descriptor_count);
    HRESULT hr =
        dml->methods->create_binding_table(dml, &desc, &iid_dml_binding_table, (void **)&d.table);
    if (hr < 0)
        return dml_fail(session, hr, "CreateBindingTable", why);
    bind(&d, needs->temporary_size);
    status = d3d12_submit_recorded(session->device, record_dispatches, &d, timing, why);
    if (status == GPU_OK && dml->methods->get_device_removed_reason(dml) < 0)
        status = dml_fail(session, 0, "recording a dispatch", why);
    if (!d3d12_is_abandoned(session->device))
        d3d12_release(d.table);
    return status;
}

static gpu_status compute(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why) {
    return run(context, false, times, timing, why);
}

static gpu_status compute_or_measure(compiled_operator *o, gpu_failure *why) {
    const dml_job *job = o->job;
    gpu_device *device = &o->session->device->base;
    const gpu_work work = {.device = device,
                           .run = compute,
                           .context = o,
                           .most_at_once = UINT32_MAX,
                           .in_place = job->input.buffer == job->output.buffer,
                           .data = job->input,
                           .bytes = job->input_in_bytes};
    return device->measuring ? device->measuring->measure(device->measuring, &work, why)
                             : compute(o, 1, NULL, why);
}

/* Every operator must be initialized before its first dispatch, even if it keeps nothing. */
static gpu_status execute_operator(dml_session *session, const dml_job *job,
                                   cumsum_directml_answer *answer, gpu_failure *why) {
    compiled_operator o = {.session = session, .job = job};
    gpu_status status = make_operator(&o, job->desc, job->execution_flags, answer, why);
    if (status == GPU_OK)
        status = prepare(&o, why);
    if (status == GPU_OK)
        status = run(&o, true, 1, NULL, why);
    if (status == GPU_OK)
        status = compute_or_measure(&o, why);
    release_operator(&o);
    return status;
}

/* A rejected descriptor is an answer, not a failure: `answer` has DirectML's results. */
static gpu_status ask_directml(dml_session *session, const cumsum_operator_desc *desc,
                               uint32_t execution_flags, cumsum_directml_answer *answer,
                               gpu_failure *why) {
    compiled_operator o = {.session = session};
    if (cumsum_gpu_is_lost(&session->device->base, why))
        return why->status;
    gpu_status status = make_operator(&o, desc, execution_flags, answer, why);
    release_operator(&o);
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
