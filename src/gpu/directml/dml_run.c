/* SPDX-License-Identifier: MIT */
/*
 * One dispatch of DirectML, the initializer's or the operator's, once or several times.
 *
 * DirectML reports a wrong binding in no return value. It removes the device when the dispatch is
 * recorded, so the device is asked after each submission.
 */
#include "dml_session.h"

/* DirectML requires that all bound buffers are in the state UNORDERED_ACCESS. Between command lists
 * they are in COMMON (d3d12_record.c). */
static void transition_buffers(ID3D12GraphicsCommandList *list, const dml_dispatch *dispatch,
                               D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after) {
    D3D12_RESOURCE_BARRIER barriers[4] = {0};
    UINT count = 0;
    for (size_t i = 0; i < 4; i++) {
        if (dispatch->buffers[i]) {
            barriers[count++] = (D3D12_RESOURCE_BARRIER){
                .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                .Transition = {.pResource = dispatch->buffers[i]->resource,
                               .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                               .StateBefore = before,
                               .StateAfter = after}};
        }
    }
    if (count)
        ID3D12GraphicsCommandList_ResourceBarrier(list, count, barriers);
}

/* Methods that return structures: see dml_interfaces.h. */
static dml_binding_table_desc describe_table(const dml_session *session,
                                             const dml_dispatch *dispatch) {
    ID3D12DescriptorHeap *heap = session->heap;
    dml_binding_table_desc desc = {.dispatchable = dispatch->what,
                                   .size_in_descriptors = dispatch->descriptors};
#ifdef CUMSUM_ABI_WSL
    desc.cpu = heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap);
    desc.gpu = heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(heap);
#else
    heap->lpVtbl->GetCPUDescriptorHandleForHeapStart(heap, &desc.cpu);
    heap->lpVtbl->GetGPUDescriptorHandleForHeapStart(heap, &desc.gpu);
#endif
    return desc;
}

/* Resources that do not exist are not bound at all: an initializer without inputs or outputs
 * dereferences the NULL in a binding of the type NONE. */
static void bind(dml_binding_table *table, const dml_dispatch *dispatch) {
    const dml_compiled *op = dispatch->compiled;
    const dml_buffer_binding temporary = {op->temporary ? op->temporary->resource : NULL, 0,
                                          dispatch->temporary_size};
    const dml_buffer_binding persistent = {op->persistent ? op->persistent->resource : NULL, 0,
                                           op->to_execute.persistent_size};
    const dml_typed_desc to_temporary = {DML_BINDING_BUFFER, &temporary};
    const dml_typed_desc to_persistent = {DML_BINDING_BUFFER, &persistent};
    if (dispatch->temporary_size)
        table->methods->bind_temporary_resource(table, &to_temporary);
    if (op->persistent && dispatch->reads_persistent)
        table->methods->bind_persistent_resource(table, &to_persistent);
    if (dispatch->input.type != DML_BINDING_NONE)
        table->methods->bind_inputs(table, 1, &dispatch->input);
    if (dispatch->output.type != DML_BINDING_NONE)
        table->methods->bind_outputs(table, 1, &dispatch->output);
}

/* What the recorder needs while the command list is open. */
typedef struct recording {
    dml_session *session;
    const dml_dispatch *dispatch;
    dml_binding_table *table;
} recording;

static void record_dispatches(d3d12_device *device, void *context) {
    const recording *r = context;
    const dml_command_recorder_methods *recorder = r->session->recorder->methods;
    ID3D12GraphicsCommandList_SetDescriptorHeaps(device->list, 1, &r->session->heap);
    transition_buffers(device->list, r->dispatch, D3D12_RESOURCE_STATE_COMMON,
                       D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    for (uint32_t i = 0; i < r->dispatch->times; i++) {
        const D3D12_RESOURCE_BARRIER writes = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
        if (i)
            ID3D12GraphicsCommandList_ResourceBarrier(device->list, 1, &writes);
        recorder->record_dispatch(r->session->recorder, (ID3D12CommandList *)device->list,
                                  r->dispatch->what, r->table);
    }
    transition_buffers(device->list, r->dispatch, D3D12_RESOURCE_STATE_UNORDERED_ACCESS,
                       D3D12_RESOURCE_STATE_COMMON);
}

gpu_status dml_run(dml_session *session, const dml_dispatch *dispatch, gpu_timing *timing,
                   gpu_failure *why) {
    recording r = {session, dispatch, NULL};
    gpu_status status = dml_session_reserve_descriptors(session, dispatch->descriptors, why);
    if (status != GPU_OK)
        return status;
    const dml_binding_table_desc desc = describe_table(session, dispatch);
    HRESULT hr = session->dml->methods->create_binding_table(
        session->dml, &desc, &iid_dml_binding_table, (void **)&r.table);
    if (hr < 0)
        return dml_fail(session, hr, "CreateBindingTable", why);
    bind(r.table, dispatch);
    status = d3d12_submit_recorded(session->device, record_dispatches, &r, timing, why);
    if (status == GPU_OK && session->dml->methods->get_device_removed_reason(session->dml) < 0)
        status = dml_fail(session, 0, "recording a dispatch", why);
    if (!d3d12_is_abandoned(session->device))
        r.table->methods->release(r.table);
    return status;
}
