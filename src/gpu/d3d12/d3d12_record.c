/* SPDX-License-Identifier: MIT */
/*
 * Records commands into a command list, with the barriers that Direct3D leaves to its users.
 *
 * Invariants: every buffer is in the state COMMON between two lists. A transition brings it into
 * the state that a command needs. A command sees what the one before it wrote: a change of state
 * orders two commands, and where the state does not change (two dispatches that write a buffer) a
 * UAV barrier does.
 */
#include "d3d12_device.h"

/* Staging buffers keep the one state that Direct3D gives them, and callers' buffers the one that
 * the caller gives them. */
void d3d12_transition(ID3D12GraphicsCommandList *list, gpu_buffer *buffer,
                      D3D12_RESOURCE_STATES to) {
    if (!buffer || buffer->heap != D3D12_HEAP_TYPE_DEFAULT || buffer->state == to)
        return;
    const D3D12_RESOURCE_BARRIER barrier = {
        .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        .Transition = {.pResource = buffer->resource,
                       .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                       .StateBefore = buffer->state,
                       .StateAfter = to}};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
    buffer->state = to;
}

/* Without a resource, the barrier is for all buffers that shaders have written. */
void d3d12_uav_barrier(ID3D12GraphicsCommandList *list) {
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

static D3D12_GPU_VIRTUAL_ADDRESS address(const gpu_binding *binding) {
    return ID3D12Resource_GetGPUVirtualAddress(binding->buffer->resource) + binding->offset;
}

static void record_dispatch(ID3D12GraphicsCommandList *list, const gpu_command *c) {
    d3d12_uav_barrier(list);
    for (int i = 0; i < GPU_SLOTS; i++)
        d3d12_transition(list, c->writable[i].buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    ID3D12GraphicsCommandList_SetPipelineState(list, c->shader->pipeline);
    if (c->constant_count) {
        ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 0, c->constant_count,
                                                               c->constants, 0);
    }
    for (UINT i = 0; i < GPU_SLOTS; i++) {
        if (c->writable[i].buffer) {
            ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 1 + i,
                                                                        address(&c->writable[i]));
        }
    }
    ID3D12GraphicsCommandList_Dispatch(list, c->groups[0], c->groups[1], c->groups[2]);
}

/* Two copies to one buffer leave its state unchanged. Through COMMON and back they get an order. */
static void record_copy(ID3D12GraphicsCommandList *list, const gpu_command *c) {
    gpu_buffer *target = c->target.buffer;
    if (target->state == D3D12_RESOURCE_STATE_COPY_DEST)
        d3d12_transition(list, target, D3D12_RESOURCE_STATE_COMMON);
    d3d12_transition(list, c->source.buffer, D3D12_RESOURCE_STATE_COPY_SOURCE);
    d3d12_transition(list, target, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12GraphicsCommandList_CopyBufferRegion(list, target->resource, c->target.offset,
                                               c->source.buffer->resource, c->source.offset,
                                               c->bytes);
}

/* Brings every buffer of a command back to COMMON. */
static void to_common(ID3D12GraphicsCommandList *list, const gpu_command *c) {
    for (int i = 0; i < GPU_SLOTS; i++)
        d3d12_transition(list, c->writable[i].buffer, D3D12_RESOURCE_STATE_COMMON);
    d3d12_transition(list, c->source.buffer, D3D12_RESOURCE_STATE_COMMON);
    d3d12_transition(list, c->target.buffer, D3D12_RESOURCE_STATE_COMMON);
}

void d3d12_record(const d3d12_device *device, ID3D12GraphicsCommandList *list,
                  const gpu_command *commands, size_t count) {
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, device->root);
    for (size_t i = 0; i < count; i++)
        if (commands[i].type == GPU_DISPATCH)
            record_dispatch(list, &commands[i]);
        else
            record_copy(list, &commands[i]);
    for (size_t i = 0; i < count; i++)
        to_common(list, &commands[i]);
}
