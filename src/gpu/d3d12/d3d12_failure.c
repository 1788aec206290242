/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "d3d12_device.h"

/* Of dxgi.h, winerror.h. They are here since their headers are not on every platform. */
#define HR_OUT_OF_MEMORY   ((HRESULT)0x8007000E)
#define HR_DEVICE_REMOVED  ((HRESULT)0x887A0005)
#define HR_DEVICE_HUNG     ((HRESULT)0x887A0006)
#define HR_DEVICE_RESET    ((HRESULT)0x887A0007)
#define HR_DRIVER_INTERNAL ((HRESULT)0x887A0020)
#define HR_INVALID_CALL    ((HRESULT)0x887A0001)

static const struct {
    HRESULT hr;
    const char *words;
} removal_reasons[] = {
    {HR_DEVICE_HUNG, "DXGI_ERROR_DEVICE_HUNG: the GPU took too long or was given a bad command"},
    {HR_DEVICE_REMOVED, "DXGI_ERROR_DEVICE_REMOVED: the GPU was taken out or its driver changed"},
    {HR_DEVICE_RESET, "DXGI_ERROR_DEVICE_RESET: another program's command made the GPU start anew"},
    {HR_DRIVER_INTERNAL, "DXGI_ERROR_DRIVER_INTERNAL_ERROR: the driver failed"},
    {HR_INVALID_CALL, "DXGI_ERROR_INVALID_CALL: the device was given invalid parameters"},
    {HR_OUT_OF_MEMORY, "E_OUTOFMEMORY: the GPU's memory is used up"},
};

static const char *removal_words(HRESULT reason) {
    for (size_t i = 0; i < sizeof removal_reasons / sizeof removal_reasons[0]; i++)
        if (removal_reasons[i].hr == reason)
            return removal_reasons[i].words;
    return "no reason that is known";
}

static bool means_removed(HRESULT hr) {
    return hr == HR_DEVICE_REMOVED || hr == HR_DEVICE_HUNG || hr == HR_DEVICE_RESET ||
           hr == HR_DRIVER_INTERNAL;
}

gpu_status d3d12_refuse(gpu_failure *why, gpu_status status, const char *format, ...) {
    va_list values;
    why->status = status;
    why->hresult = 0;
    va_start(values, format);
    vsnprintf(why->message, sizeof why->message, format, values);
    va_end(values);
    return status;
}

static gpu_status removed(d3d12_device *device, HRESULT hr, HRESULT reason, const char *call,
                          gpu_failure *why) {
    d3d12_refuse(why, GPU_DEVICE_REMOVED, "the device was removed in %s: 0x%08x, %s", call,
                 (unsigned)(reason ? reason : hr), removal_words(reason ? reason : hr));
    why->hresult = reason ? reason : hr;
    if (device)
        device->lost = *why;
    return GPU_DEVICE_REMOVED;
}

gpu_status d3d12_fail(d3d12_device *device, HRESULT hr, const char *call, gpu_failure *why) {
    HRESULT reason = device && device->d3d ? ID3D12Device_GetDeviceRemovedReason(device->d3d) : 0;
    if (means_removed(hr) || reason < 0)
        return removed(device, hr, reason < 0 ? reason : 0, call, why);
    if (hr == HR_OUT_OF_MEMORY)
        d3d12_refuse(why, GPU_OUT_OF_MEMORY, "%s: the device is out of memory", call);
    else
        d3d12_refuse(why, GPU_REJECTED, "%s answered 0x%08x", call, (unsigned)hr);
    why->hresult = hr;
    return why->status;
}

bool d3d12_lost(const d3d12_device *device, gpu_failure *why) {
    if (device->lost.status == GPU_OK)
        return false;
    *why = device->lost;
    return true;
}
