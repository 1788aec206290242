/* SPDX-License-Identifier: MIT */
/*
 * Buffers: one committed resource each. Upload and readback buffers stay mapped as long as they
 * live, which Direct3D allows.
 *
 * Invariant: a released buffer is all zero, and releasing it again does nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "d3d12_device.h"
#include "d3d12_guids.h"

/* Direct3D fixes the state of upload and readback buffers; the others begin in COMMON. */
static D3D12_RESOURCE_STATES first_state(D3D12_HEAP_TYPE heap) {
    return heap == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
           : heap == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                              : D3D12_RESOURCE_STATE_COMMON;
}

/* Only buffers in the GPU's own memory can be written by shaders. */
static D3D12_RESOURCE_DESC resource_desc(D3D12_HEAP_TYPE heap, uint64_t bytes) {
    return (D3D12_RESOURCE_DESC){.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                 .Width = bytes,
                                 .Height = 1,
                                 .DepthOrArraySize = 1,
                                 .MipLevels = 1,
                                 .Format = DXGI_FORMAT_UNKNOWN,
                                 .SampleDesc = {.Count = 1},
                                 .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
                                 .Flags = heap == D3D12_HEAP_TYPE_DEFAULT
                                              ? D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
                                              : D3D12_RESOURCE_FLAG_NONE};
}

gpu_status d3d12_resource_open(d3d12_device *device, D3D12_HEAP_TYPE heap, uint64_t bytes,
                               gpu_buffer *buffer, gpu_failure *why) {
    const D3D12_HEAP_PROPERTIES properties = {
        .Type = heap, .CreationNodeMask = 1, .VisibleNodeMask = 1};
    const D3D12_RESOURCE_DESC desc = resource_desc(heap, bytes);
    *buffer =
        (gpu_buffer){.device = device, .bytes = bytes, .heap = heap, .state = first_state(heap)};
    HRESULT hr = ID3D12Device_CreateCommittedResource(
        device->d3d, &properties, D3D12_HEAP_FLAG_NONE, &desc, buffer->state, NULL, &iid_resource,
        (void **)&buffer->resource);
    if (hr >= 0 && heap != D3D12_HEAP_TYPE_DEFAULT)
        hr = ID3D12Resource_Map(buffer->resource, 0, NULL, &buffer->mapped);
    if (hr < 0) {
        char call[64];
        snprintf(call, sizeof call, "creating a buffer of %" PRIu64 " bytes", bytes);
        d3d12_resource_close(buffer);
        return d3d12_fail(device, hr, call, why);
    }
    return GPU_OK;
}

/* Nothing needs the copies that still wait to be made to the buffer. */
static void forget_waiting(d3d12_device *device, const gpu_buffer *buffer) {
    size_t kept = 0;
    for (size_t i = 0; i < device->waiting_count; i++)
        if (device->waiting[i].target.buffer != buffer)
            device->waiting[kept++] = device->waiting[i];
    device->waiting_count = kept;
}

/* A buffer of an abandoned device is leaked: the GPU may still write to it. */
void d3d12_resource_close(gpu_buffer *buffer) {
    if (buffer->resource && !d3d12_is_abandoned(buffer->device)) {
        forget_waiting(buffer->device, buffer);
        if (buffer->mapped)
            ID3D12Resource_Unmap(buffer->resource, 0, NULL);
        d3d12_release(buffer->resource);
    }
    *buffer = (gpu_buffer){0};
}

/* Larger buffers than max_buffer may exist, but a shader could not access all of them. */
gpu_status d3d12_buffer_open(gpu_device *base, uint64_t bytes, gpu_buffer **buffer,
                             gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    *buffer = NULL;
    if (cumsum_gpu_is_lost(&device->base, why))
        return why->status;
    if (bytes > base->info.max_buffer_in_bytes) {
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY,
                                 "a buffer of %" PRIu64 " bytes is more than the device's %" PRIu64,
                                 bytes, base->info.max_buffer_in_bytes);
    }
    gpu_buffer *made = malloc(sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a buffer's description");
    gpu_status status = d3d12_resource_open(device, D3D12_HEAP_TYPE_DEFAULT, bytes, made, why);
    if (status == GPU_OK)
        status = d3d12_debug_error(device, "CreateCommittedResource", why);
    if (status != GPU_OK) {
        d3d12_buffer_close(made);
        return status;
    }
    *buffer = made;
    return GPU_OK;
}

static D3D12_RESOURCE_DESC desc_of(ID3D12Resource *resource) {
    D3D12_RESOURCE_DESC desc;
#ifdef CUMSUM_ABI_WSL
    desc = resource->lpVtbl->GetDesc(resource);
#else
    resource->lpVtbl->GetDesc(resource, &desc);
#endif
    return desc;
}

gpu_status d3d12_buffer_adopt(gpu_device *base, void *native, gpu_buffer **buffer, uint64_t *bytes,
                              gpu_failure *why) {
    ID3D12Resource *resource = native;
    const D3D12_RESOURCE_DESC desc = desc_of(resource);
    *buffer = NULL;
    if (desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER ||
        !(desc.Flags & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS))
        return cumsum_gpu_refuse(why, GPU_REJECTED,
                                 "the resource is no buffer for unordered access");
    gpu_buffer *made = malloc(sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a buffer's description");
    ID3D12Resource_AddRef(resource);
    *made = (gpu_buffer){.device = (d3d12_device *)base,
                         .resource = resource,
                         .bytes = desc.Width,
                         .heap = D3D12_HEAP_TYPE_CUSTOM};
    *bytes = desc.Width;
    *buffer = made;
    return GPU_OK;
}

void d3d12_buffer_close(gpu_buffer *buffer) {
    if (buffer) {
        d3d12_resource_close(buffer);
        free(buffer);
    }
}
