/* SPDX-License-Identifier: MIT */
/*
 * Records commands into the command list, with the barriers that Direct3D leaves to its users.
 *
 * Invariants: every buffer is in the state COMMON between two lists. A transition brings it into
 * the state that a command needs. A command sees what the one before it wrote: a change of state
 * orders two commands, and where the state does not change (two dispatches that write a buffer) a
 * UAV barrier does.
 */
#include "d3d12_device.h"

/* Staging buffers keep the one state that Direct3D gives them. */
static void transition(d3d12_device *device, gpu_buffer *buffer, D3D12_RESOURCE_STATES to) {
    if (!buffer || buffer->heap != D3D12_HEAP_TYPE_DEFAULT || buffer->state == to)
        return;
    const D3D12_RESOURCE_BARRIER barrier = {
        .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        .Transition = {.pResource = buffer->resource,
                       .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                       .StateBefore = buffer->state,
                       .StateAfter = to}};
    ID3D12GraphicsCommandList_ResourceBarrier(device->list, 1, &barrier);
    buffer->state = to;
}

/* Without a resource, the barrier is for all buffers that shaders have written. */
static void uav_barrier(d3d12_device *device) {
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    ID3D12GraphicsCommandList_ResourceBarrier(device->list, 1, &barrier);
}

static D3D12_GPU_VIRTUAL_ADDRESS address(const gpu_binding *binding) {
    return ID3D12Resource_GetGPUVirtualAddress(binding->buffer->resource) + binding->offset;
}

static void record_dispatch(d3d12_device *device, const gpu_command *c) {
    ID3D12GraphicsCommandList *list = device->list;
    for (int i = 0; i < GPU_WRITABLE; i++)
        transition(device, c->writable[i].buffer, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    transition(device, c->readable.buffer, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE);
    ID3D12GraphicsCommandList_SetPipelineState(list, c->shader->pipeline);
    if (c->constant_count) {
        ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 0, c->constant_count,
                                                               c->constants, 0);
    }
    for (UINT i = 0; i < GPU_WRITABLE; i++) {
        if (c->writable[i].buffer) {
            ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 1 + i,
                                                                        address(&c->writable[i]));
        }
    }
    if (c->readable.buffer) {
        ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(list, 1 + GPU_WRITABLE,
                                                                   address(&c->readable));
    }
    ID3D12GraphicsCommandList_Dispatch(list, c->groups[0], c->groups[1], c->groups[2]);
}

static void record_copy(d3d12_device *device, const gpu_command *c) {
    transition(device, c->source.buffer, D3D12_RESOURCE_STATE_COPY_SOURCE);
    transition(device, c->target.buffer, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12GraphicsCommandList_CopyBufferRegion(device->list, c->target.buffer->resource,
                                               c->target.offset, c->source.buffer->resource,
                                               c->source.offset, c->bytes);
}

/* Two copies to one buffer leave its state unchanged. Through COMMON and back they get an order. */
static void order_copies(d3d12_device *device, const gpu_command *c, const gpu_command *previous) {
    if (previous->type == GPU_COPY && previous->target.buffer == c->target.buffer)
        transition(device, c->target.buffer, D3D12_RESOURCE_STATE_COMMON);
}

/* Brings every buffer of a command back to COMMON. */
static void to_common(d3d12_device *device, const gpu_command *c) {
    const gpu_binding *bindings[] = {&c->writable[0], &c->writable[1], &c->writable[2],
                                     &c->writable[3], &c->readable,    &c->source,
                                     &c->target};
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
        transition(device, bindings[i]->buffer, D3D12_RESOURCE_STATE_COMMON);
}

void d3d12_record(d3d12_device *device, const gpu_command *commands, size_t count) {
    ID3D12GraphicsCommandList_SetComputeRootSignature(device->list, device->root);
    for (size_t i = 0; i < count; i++) {
        const gpu_command *c = &commands[i];
        if (c->type == GPU_DISPATCH) {
            if (i && !c->beside_previous)
                uav_barrier(device);
            record_dispatch(device, c);
        } else {
            if (i && !c->beside_previous)
                order_copies(device, c, &commands[i - 1]);
            record_copy(device, c);
        }
    }
    for (size_t i = 0; i < count; i++)
        to_common(device, &commands[i]);
}
