/* SPDX-License-Identifier: MIT */
/*
 * The public functions that list adapters and open and close a device, and failures as public
 * diagnostics. A device that opens is ready: its properties were read and measured, and its scanner
 * exists.
 */
#include "api_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_probe.h"
#include "diagnose.h"
#include "driver_registry.h"

/* The public status of each gpu_status that is a failure. */
static const cumsum_status statuses[] = {
    [GPU_UNAVAILABLE] = CUMSUM_NO_DEVICE,         [GPU_OUT_OF_MEMORY] = CUMSUM_OUT_OF_MEMORY,
    [GPU_DEVICE_REMOVED] = CUMSUM_DEVICE_REMOVED, [GPU_TIMEOUT] = CUMSUM_DEVICE_TIMEOUT,
    [GPU_REJECTED] = CUMSUM_DEVICE_FAILED,        [GPU_GUARD_BROKEN] = CUMSUM_GUARD_BROKEN};

/* A failure of the GPU concerns no tensor and no field. `value` is the HRESULT. */
cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why) {
    const cumsum_status status = statuses[why->status];
    if (diagnostic) {
        *diagnostic = (cumsum_diagnostic){.status = status,
                                          .tensor = "",
                                          .field = "",
                                          .dimension = -1,
                                          .value = (uint32_t)why->hresult,
                                          .rule = cumsum_status_string(status)};
        snprintf(diagnostic->message, sizeof diagnostic->message, "%s: %s",
                 cumsum_status_string(status), why->message);
    }
    return status;
}

uint64_t cumsum_gpu_nanoseconds(const cumsum_d3d12_device *device, uint64_t ticks) {
    return (uint64_t)((double)ticks * 1e9 / (double)device->info.timestamp_ticks_per_second);
}

cumsum_status cumsum_gpu_list(const gpu_driver *const *drivers, cumsum_d3d12_adapter *adapters,
                              size_t room, size_t *count, cumsum_diagnostic *diagnostic) {
    const gpu_driver *driver;
    gpu_failure why = {0};
    if (!count || (room && !adapters)) {
        return cumsum_diagnose_argument(diagnostic, count ? "adapters" : "count", 0, "NULL",
                                        "must be given");
    }
    if (cumsum_gpu_choose_driver(drivers, &driver, adapters, room, count, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    return CUMSUM_OK;
}

/* Reads the properties that Direct3D tells, and measures those that it leaves to the driver. */
static gpu_status read_info(cumsum_d3d12_device *device, gpu_failure *why) {
    device_behaviour behaviour;
    device->info = *device->gpu->driver->info(device->gpu);
    gpu_status status = cumsum_device_probe(device->gpu, &behaviour, why);
    if (status == GPU_OK) {
        device->info.flushes_float32_subnormals = behaviour.flushes_subnormals;
        device->info.half_conversion = behaviour.half_conversion;
    }
    return status;
}

/* On failure the caller closes what was opened. */
static gpu_status open_gpu(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                           cumsum_d3d12_device *device, gpu_failure *why) {
    const gpu_driver *driver;
    size_t count;
    gpu_status status = cumsum_gpu_choose_driver(drivers, &driver, NULL, 0, &count, why);
    if (status == GPU_OK)
        status = driver->open(options, &device->gpu, why);
    if (status == GPU_OK)
        status = read_info(device, why);
    if (status == GPU_OK)
        status = cumsum_scan_create(device->gpu, NULL, &device->scanner, why);
    return status;
}

cumsum_status cumsum_gpu_open(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                              cumsum_d3d12_device **device, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {.status = GPU_OUT_OF_MEMORY, .message = "no memory for a device"};
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    *device = NULL;
    cumsum_d3d12_device *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (open_gpu(drivers, options, made, &why) != GPU_OK) {
        cumsum_d3d12_close(made);
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    *device = made;
    return CUMSUM_OK;
}

cumsum_status cumsum_d3d12_adapters(cumsum_d3d12_adapter *adapters, size_t room, size_t *count,
                                    cumsum_diagnostic *diagnostic) {
    return cumsum_gpu_list(cumsum_gpu_drivers, adapters, room, count, diagnostic);
}

cumsum_status cumsum_d3d12_open(const cumsum_d3d12_options *options, cumsum_d3d12_device **device,
                                cumsum_diagnostic *diagnostic) {
    return cumsum_gpu_open(cumsum_gpu_drivers, options, device, diagnostic);
}

/* Also called for a device that was opened in part. The scanner's buffers and shaders must be
 * destroyed before the device that they belong to. */
void cumsum_d3d12_close(cumsum_d3d12_device *device) {
    if (device) {
        cumsum_scan_destroy(device->scanner);
        if (device->gpu)
            device->gpu->driver->close(device->gpu);
        free(device);
    }
}

const cumsum_d3d12_device_info *cumsum_d3d12_info(const cumsum_d3d12_device *device) {
    return device ? &device->info : NULL;
}
