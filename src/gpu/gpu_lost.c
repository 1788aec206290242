/* SPDX-License-Identifier: MIT */
/* Devices that are lost, and the time that a submission may take. */
#include "gpu_driver.h"
#include "host_system.h"

#define DEFAULT_TIMEOUT_MS 60000

bool cumsum_gpu_is_lost(const gpu_device *device, gpu_failure *why) {
    if (device->lost.status == GPU_OK)
        return false;
    *why = device->lost;
    return true;
}

gpu_status cumsum_gpu_lose(gpu_device *device, const gpu_failure *why) {
    device->lost = *why;
    return why->status;
}

gpu_status cumsum_gpu_check_time(gpu_device *device, uint64_t start, gpu_failure *why) {
    if ((cumsum_host_nanoseconds() - start) / 1000000 < device->timeout_ms)
        return GPU_OK;
    cumsum_gpu_refuse(why, GPU_TIMEOUT, "the GPU did not finish within %u ms", device->timeout_ms);
    return cumsum_gpu_lose(device, why);
}

void cumsum_gpu_limit_time(gpu_device *device, const cumsum_d3d12_options *options) {
    device->timeout_ms = options->timeout_in_ms ? options->timeout_in_ms : DEFAULT_TIMEOUT_MS;
}
