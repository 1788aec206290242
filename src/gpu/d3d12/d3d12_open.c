/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "d3d12_device.h"
#include "d3d12_guids.h"

#define DEFAULT_TIMEOUT_MS 60000

static gpu_status make_queue(d3d12_device *device, gpu_failure *why) {
    ID3D12Device *d3d = device->d3d;
    const D3D12_COMMAND_LIST_TYPE type = D3D12_COMMAND_LIST_TYPE_COMPUTE;
    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = type};
    HRESULT hr = ID3D12Device_CreateCommandQueue(d3d, &queue, &iid_queue, (void **)&device->queue);
    if (hr < 0)
        return d3d12_fail(device, hr, "CreateCommandQueue", why);
    hr =
        ID3D12Device_CreateCommandAllocator(d3d, type, &iid_allocator, (void **)&device->allocator);
    if (hr < 0)
        return d3d12_fail(device, hr, "CreateCommandAllocator", why);
    hr = ID3D12Device_CreateCommandList(d3d, 0, type, device->allocator, NULL, &iid_command_list,
                                        (void **)&device->list);
    if (hr >= 0)
        hr = ID3D12GraphicsCommandList_Close(device->list);
    return hr < 0 ? d3d12_fail(device, hr, "CreateCommandList", why) : GPU_OK;
}

static gpu_status make_fence(d3d12_device *device, gpu_failure *why) {
    const D3D12_QUERY_HEAP_DESC queries = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 2};
    HRESULT hr = ID3D12Device_CreateFence(device->d3d, 0, D3D12_FENCE_FLAG_NONE, &iid_fence,
                                          (void **)&device->fence);
    if (hr < 0)
        return d3d12_fail(device, hr, "CreateFence", why);
    hr = ID3D12Device_CreateQueryHeap(device->d3d, &queries, &iid_query_heap,
                                      (void **)&device->queries);
    if (hr < 0)
        return d3d12_fail(device, hr, "CreateQueryHeap", why);
    return d3d12_buffer_init(device, D3D12_HEAP_TYPE_READBACK, 2 * sizeof(uint64_t), &device->ticks,
                             why);
}

static gpu_status prepare(d3d12_device *device, bool debug_layer, gpu_failure *why) {
    gpu_status status = make_queue(device, why);
    if (status == GPU_OK) {
        d3d12_features(device);
        status = make_fence(device, why);
    }
    if (status == GPU_OK)
        status = d3d12_root_signature(device, why);
    if (status == GPU_OK && debug_layer) {
        ID3D12Device_QueryInterface(device->d3d, &iid_info_queue, (void **)&device->messages);
        status = d3d12_complaint(device, "opening the device", why);
    }
    return status;
}

gpu_status d3d12_open(const gpu_open_options *options, gpu_device **device, gpu_failure *why) {
    static const gpu_open_options defaults = {0};
    const gpu_open_options *wanted = options ? options : &defaults;
    *device = NULL;
    d3d12_device *d = calloc(1, sizeof *d);
    if (!d)
        return d3d12_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    d->base.driver = &d3d12_driver;
    d->timeout_ms = wanted->timeout_ms ? wanted->timeout_ms : DEFAULT_TIMEOUT_MS;
    gpu_status status = d3d12_platform_here.open(wanted, &d->session, why);
    if (status != GPU_OK) {
        free(d);
        return status;
    }
    d->d3d = d->session.device;
    status = prepare(d, wanted->debug_layer, why);
    if (status != GPU_OK) {
        d3d12_close(&d->base);
        return status;
    }
    *device = &d->base;
    return GPU_OK;
}

static void release(void *object) {
    if (object)
        IUnknown_Release((IUnknown *)object);
}

/* What the GPU may still be using is left to the end of the process: to free it would be to give
 * its memory to somebody else while the GPU writes to it. */
void d3d12_close(gpu_device *base) {
    d3d12_device *device = (d3d12_device *)base;
    if (device && device->abandoned) {
        d3d12_platform_here.abandon(&device->session);
    } else if (device) {
        d3d12_buffer_release(&device->staging_down);
        d3d12_buffer_release(&device->staging_up);
        d3d12_buffer_release(&device->ticks);
        release(device->messages);
        release(device->queries);
        release(device->fence);
        release(device->root);
        release(device->list);
        release(device->allocator);
        release(device->queue);
        d3d12_platform_here.close(&device->session);
    }
    free(device);
}
