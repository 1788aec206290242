/* SPDX-License-Identifier: MIT */
/*
 * Executing commands: record, execute, wait for the fence.
 *
 * Waiting reads the fence's value repeatedly: it spins first, and then sleeps between two reads. On
 * Windows it sleeps until an event, since Sleep takes a tick of the timer, up to 15.6 ms. The other
 * platforms have events of their own kinds, and sleep well: there it sleeps for longer and longer.
 */
#include "d3d12_device.h"
#include "host_system.h"

#ifdef _WIN32
/* Wakes up in between, to look for the timeout. */
#define MOST_WAIT_MS 100

static void rest(d3d12_device *device, uint32_t times) {
    (void)times;
    if (!device->event)
        device->event = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (device->event &&
        ID3D12Fence_SetEventOnCompletion(device->fence, device->fence_value, device->event) >= 0)
        WaitForSingleObject(device->event, MOST_WAIT_MS);
    else
        cumsum_host_pause(1000);
}
#else
/* The sleeps grow up to MAX_SLEEP_US, which delays the end of a long submission by at most a
 * millisecond. */
#define SLEEP_STEP_US 10
#define MAX_SLEEP_US  1000

static void rest(d3d12_device *device, uint32_t times) {
    const uint32_t most = MAX_SLEEP_US / SLEEP_STEP_US;
    (void)device;
    cumsum_host_pause((times < most ? times : most) * SLEEP_STEP_US);
}
#endif

/* GetCompletedValue of a device that was removed, and the reason if the device names none:
 * DXGI_ERROR_DEVICE_REMOVED. */
#define REMOVED_FENCE_VALUE UINT64_MAX
#define REMOVED_RESULT      ((HRESULT)0x887A0005)
/* Short submissions end while spinning. */
#define SPINS 64

/* Waits until the GPU reaches device->fence_value. */
static gpu_status wait(d3d12_device *device, gpu_failure *why) {
    const uint64_t start = cumsum_host_nanoseconds();
    for (uint32_t reads = 0;; reads++) {
        uint64_t reached = ID3D12Fence_GetCompletedValue(device->fence);
        if (reached == REMOVED_FENCE_VALUE) {
            HRESULT reason = ID3D12Device_GetDeviceRemovedReason(device->d3d);
            return d3d12_fail(device, reason < 0 ? reason : REMOVED_RESULT, "waiting for the GPU",
                              why);
        }
        if (reached >= device->fence_value)
            return GPU_OK;
        if (cumsum_gpu_check_time(&device->base, start, why) != GPU_OK)
            return why->status;
        if (reads >= SPINS)
            rest(device, reads - SPINS + 1);
    }
}

/* Resetting the allocator is allowed since the GPU has finished the list before. */
static gpu_status reset_list(d3d12_device *device, gpu_failure *why) {
    HRESULT hr = ID3D12CommandAllocator_Reset(device->allocator);
    if (hr >= 0)
        hr = ID3D12GraphicsCommandList_Reset(device->list, device->allocator, NULL);
    return hr < 0 ? d3d12_fail(device, hr, "resetting the command list", why) : GPU_OK;
}

/* Executes the list and waits for the fence behind it. */
static gpu_status execute_list(d3d12_device *device, gpu_failure *why) {
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)device->list};
    HRESULT hr = ID3D12GraphicsCommandList_Close(device->list);
    if (hr < 0)
        return d3d12_fail(device, hr, "closing the command list", why);
    ID3D12CommandQueue_ExecuteCommandLists(device->queue, 1, lists);
    hr = ID3D12CommandQueue_Signal(device->queue, device->fence, ++device->fence_value);
    if (hr < 0)
        return d3d12_fail(device, hr, "Signal", why);
    return wait(device, why);
}

/* A removed device may signal the fence although it executed nothing. */
static gpu_status check_removed(d3d12_device *device, gpu_failure *why) {
    HRESULT reason = ID3D12Device_GetDeviceRemovedReason(device->d3d);
    if (reason < 0)
        return d3d12_fail(device, reason, "executing commands", why);
    return d3d12_debug_error(device, "executing commands", why);
}

/* The two timestamps are written by the GPU, before the first and after the last command, and
 * copied into the readback buffer `ticks`. */
gpu_status d3d12_submit_recorded(d3d12_device *device, d3d12_recorder record, void *context,
                                 gpu_timing *timing, gpu_failure *why) {
    const D3D12_QUERY_TYPE type = D3D12_QUERY_TYPE_TIMESTAMP;
    const size_t waiting = device->waiting_count;
    device->waiting_count = 0;
    device->waiting_bytes = 0;
    if (cumsum_gpu_is_lost(&device->base, why))
        return why->status;
    gpu_status status = reset_list(device, why);
    if (status != GPU_OK)
        return status;
    d3d12_record(device, device->list, device->waiting, waiting);
    if (timing)
        ID3D12GraphicsCommandList_EndQuery(device->list, device->queries, type, 0);
    record(device, context);
    if (timing) {
        ID3D12GraphicsCommandList_EndQuery(device->list, device->queries, type, 1);
        ID3D12GraphicsCommandList_ResolveQueryData(device->list, device->queries, type, 0, 2,
                                                   device->ticks.resource, 0);
    }
    status = execute_list(device, why);
    if (status == GPU_OK)
        status = check_removed(device, why);
    if (timing && status == GPU_OK) {
        const uint64_t *ticks = device->ticks.mapped;
        *timing = (gpu_timing){ticks[0], ticks[1] - ticks[0]};
    }
    return status;
}

/* d3d12_submit's commands, for its recorder. */
typedef struct command_list {
    const gpu_command *commands;
    size_t count;
} command_list;

static void record_commands(d3d12_device *device, void *context) {
    const command_list *list = context;
    d3d12_record(device, device->list, list->commands, list->count);
}

gpu_status d3d12_submit(gpu_device *base, const gpu_command *commands, size_t count,
                        gpu_timing *timing, gpu_failure *why) {
    command_list list = {commands, count};
    return d3d12_submit_recorded((d3d12_device *)base, record_commands, &list, timing, why);
}
