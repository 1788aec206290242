/* SPDX-License-Identifier: MIT */
#include "d3d12_device.h"
#include "host_clock.h"

/* What GetCompletedValue answers when the device is gone. */
#define FENCE_OF_A_REMOVED_DEVICE UINT64_MAX
/* Waiting is looking again and again, first at once and then at growing intervals: what the
 * implementations offer to be woken by differs from one to the next. */
#define LOOKS_WITHOUT_SLEEP 64
#define LONGEST_SLEEP_IN_US 1000

static gpu_status timed_out(d3d12_device *device, gpu_failure *why) {
    d3d12_refuse(why, GPU_TIMEOUT, "the GPU did not finish within %u ms", device->timeout_ms);
    device->lost = *why;
    device->abandoned = true;
    return GPU_TIMEOUT;
}

gpu_status d3d12_wait(d3d12_device *device, gpu_failure *why) {
    const uint64_t start = host_milliseconds();
    uint32_t pause = 0;
    for (uint32_t looks = 0;; looks++) {
        uint64_t reached = ID3D12Fence_GetCompletedValue(device->fence);
        if (reached == FENCE_OF_A_REMOVED_DEVICE) {
            HRESULT reason = ID3D12Device_GetDeviceRemovedReason(device->d3d);
            return d3d12_fail(device, reason < 0 ? reason : (HRESULT)0x887A0005,
                              "waiting for the GPU", why);
        }
        if (reached >= device->fence_value)
            return GPU_OK;
        if (host_milliseconds() - start >= device->timeout_ms)
            return timed_out(device, why);
        if (looks >= LOOKS_WITHOUT_SLEEP) {
            pause = pause < LONGEST_SLEEP_IN_US ? pause + 10 : LONGEST_SLEEP_IN_US;
            host_sleep(pause);
        }
    }
}

static gpu_status begin(d3d12_device *device, gpu_failure *why) {
    HRESULT hr = ID3D12CommandAllocator_Reset(device->allocator);
    if (hr >= 0)
        hr = ID3D12GraphicsCommandList_Reset(device->list, device->allocator, NULL);
    return hr < 0 ? d3d12_fail(device, hr, "resetting the command list", why) : GPU_OK;
}

static gpu_status execute(d3d12_device *device, gpu_failure *why) {
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)device->list};
    HRESULT hr = ID3D12GraphicsCommandList_Close(device->list);
    if (hr < 0)
        return d3d12_fail(device, hr, "closing the command list", why);
    ID3D12CommandQueue_ExecuteCommandLists(device->queue, 1, lists);
    hr = ID3D12CommandQueue_Signal(device->queue, device->fence, ++device->fence_value);
    if (hr < 0)
        return d3d12_fail(device, hr, "Signal", why);
    return d3d12_wait(device, why);
}

/* A device that was removed may have let the fence come, with nothing done. */
static gpu_status check(d3d12_device *device, gpu_failure *why) {
    HRESULT reason = ID3D12Device_GetDeviceRemovedReason(device->d3d);
    if (reason < 0)
        return d3d12_fail(device, reason, "executing commands", why);
    return d3d12_complaint(device, "executing commands", why);
}

gpu_status d3d12_submit_recorded(d3d12_device *device, d3d12_recorder record, void *context,
                                 gpu_timing *timing, gpu_failure *why) {
    const D3D12_QUERY_TYPE type = D3D12_QUERY_TYPE_TIMESTAMP;
    if (d3d12_lost(device, why))
        return why->status;
    gpu_status status = begin(device, why);
    if (status != GPU_OK)
        return status;
    if (timing)
        ID3D12GraphicsCommandList_EndQuery(device->list, device->queries, type, 0);
    record(device, context);
    if (timing) {
        ID3D12GraphicsCommandList_EndQuery(device->list, device->queries, type, 1);
        ID3D12GraphicsCommandList_ResolveQueryData(device->list, device->queries, type, 0, 2,
                                                   device->ticks.resource, 0);
    }
    status = execute(device, why);
    if (status == GPU_OK)
        status = check(device, why);
    if (timing && status == GPU_OK) {
        const uint64_t *ticks = device->ticks.mapped;
        timing->ticks = ticks[1] - ticks[0];
    }
    return status;
}

typedef struct command_list {
    const gpu_command *commands;
    size_t count;
} command_list;

static void record_commands(d3d12_device *device, void *context) {
    const command_list *list = context;
    d3d12_record(device, list->commands, list->count);
}

gpu_status d3d12_submit(gpu_device *base, const gpu_command *commands, size_t count,
                        gpu_timing *timing, gpu_failure *why) {
    command_list list = {commands, count};
    return d3d12_submit_recorded((d3d12_device *)base, record_commands, &list, timing, why);
}
