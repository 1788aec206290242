/* SPDX-License-Identifier: MIT */
/*
 * Failures of Direct3D as gpu_failure. A failing HRESULT becomes a status and a sentence that names
 * the call. An error message of the debug layer counts as a failure of the call after which it is
 * found.
 *
 * Invariant: once a device was removed, it is lost (gpu_driver.h), and every later call returns it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "d3d12_device.h"

/* From dxgi.h and winerror.h, which do not exist on every platform. */
#define HR_OUT_OF_MEMORY   ((HRESULT)0x8007000E)
#define HR_DEVICE_REMOVED  ((HRESULT)0x887A0005)
#define HR_DEVICE_HUNG     ((HRESULT)0x887A0006)
#define HR_DEVICE_RESET    ((HRESULT)0x887A0007)
#define HR_DRIVER_INTERNAL ((HRESULT)0x887A0020)
#define HR_INVALID_CALL    ((HRESULT)0x887A0001)

static const struct {
    HRESULT hr;
    const char *text;
} removal_reasons[] = {
    {HR_DEVICE_HUNG, "DXGI_ERROR_DEVICE_HUNG: the GPU took too long or received a bad command"},
    {HR_DEVICE_REMOVED, "DXGI_ERROR_DEVICE_REMOVED: the GPU was unplugged or its driver changed"},
    {HR_DEVICE_RESET, "DXGI_ERROR_DEVICE_RESET: another program's command made the GPU reset"},
    {HR_DRIVER_INTERNAL, "DXGI_ERROR_DRIVER_INTERNAL_ERROR: the driver failed"},
    {HR_INVALID_CALL, "DXGI_ERROR_INVALID_CALL: the device received invalid parameters"},
    {HR_OUT_OF_MEMORY, "E_OUTOFMEMORY: the GPU is out of memory"},
};

static const char *removal_text(HRESULT reason) {
    for (size_t i = 0; i < sizeof removal_reasons / sizeof removal_reasons[0]; i++)
        if (removal_reasons[i].hr == reason)
            return removal_reasons[i].text;
    return "an unknown reason";
}

static bool means_removed(HRESULT hr) {
    return hr == HR_DEVICE_REMOVED || hr == HR_DEVICE_HUNG || hr == HR_DEVICE_RESET ||
           hr == HR_DRIVER_INTERNAL;
}

/* `reason` is the device's own, 0 if it gives none; then the call's result stands for it. */
static gpu_status removed(d3d12_device *device, HRESULT hr, HRESULT reason, const char *call,
                          gpu_failure *why) {
    const HRESULT shown = reason ? reason : hr;
    cumsum_gpu_refuse_result(why, GPU_DEVICE_REMOVED, shown,
                             "the device was removed in %s: 0x%08x, %s", call, (unsigned)shown,
                             removal_text(shown));
    return device ? cumsum_gpu_lose(&device->base, why) : GPU_DEVICE_REMOVED;
}

/* Any call may fail because the device was removed earlier, with an HRESULT that does not say so.
 * The device knows. */
gpu_status d3d12_fail(d3d12_device *device, HRESULT hr, const char *call, gpu_failure *why) {
    HRESULT reason = device && device->d3d ? ID3D12Device_GetDeviceRemovedReason(device->d3d) : 0;
    if (means_removed(hr) || reason < 0)
        return removed(device, hr, reason < 0 ? reason : 0, call, why);
    if (hr == HR_OUT_OF_MEMORY)
        return cumsum_gpu_refuse_result(why, GPU_OUT_OF_MEMORY, hr,
                                        "%s: the device is out of memory", call);
    return cumsum_gpu_refuse_result(why, GPU_REJECTED, hr, "%s returned 0x%08x", call,
                                    (unsigned)hr);
}

/* Copies the text of message `index`, if the message is an error. Direct3D gives a message in two
 * calls: the first returns its size. */
static bool error_text(ID3D12InfoQueue *messages, UINT64 index, char *text, size_t size) {
    SIZE_T bytes = 0;
    if (ID3D12InfoQueue_GetMessage(messages, index, NULL, &bytes) < 0 || !bytes)
        return false;
    D3D12_MESSAGE *message = malloc(bytes);
    bool found = message && ID3D12InfoQueue_GetMessage(messages, index, message, &bytes) >= 0 &&
                 message->Severity <= D3D12_MESSAGE_SEVERITY_ERROR;
    if (found)
        snprintf(text, size, "%s", message->pDescription);
    free(message);
    return found;
}

/* The first error in Direct3D's message queue. Empties the queue. */
static bool queued_error(ID3D12InfoQueue *messages, char *text, size_t size) {
    UINT64 count = ID3D12InfoQueue_GetNumStoredMessages(messages);
    bool found = false;
    for (UINT64 i = 0; i < count && !found; i++)
        found = error_text(messages, i, text, size);
    ID3D12InfoQueue_ClearStoredMessages(messages);
    return found;
}

gpu_status d3d12_debug_error(d3d12_device *device, const char *call, gpu_failure *why) {
    char text[sizeof why->message - 40] = "";
    return device->messages && queued_error(device->messages, text, sizeof text)
               ? cumsum_gpu_refuse(why, GPU_REJECTED, "%s: the debug layer: %s", call, text)
               : GPU_OK;
}
