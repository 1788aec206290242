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

/* The public structures are copies, so that gpu_driver.h can change without them. */
static cumsum_d3d12_adapter public_adapter(const gpu_adapter *a) {
    cumsum_d3d12_adapter adapter = {.vendor_id = a->vendor_id,
                                    .device_id = a->device_id,
                                    .software = a->software,
                                    .dedicated_memory_in_bytes = a->dedicated_bytes};
    _Static_assert(sizeof adapter.name == sizeof a->name, "a name fits");
    _Static_assert(sizeof adapter.driver == sizeof a->driver, "a version fits");
    memcpy(adapter.name, a->name, sizeof adapter.name);
    memcpy(adapter.driver, a->driver, sizeof adapter.driver);
    return adapter;
}

static cumsum_d3d12_device_info public_info(const gpu_device_info *i) {
    return (cumsum_d3d12_device_info){.adapter = public_adapter(&i->adapter),
                                      .api = i->api,
                                      .native_16bit_shader_ops = i->native16,
                                      .int64_shader_ops = i->int64,
                                      .wave_lanes_min = i->wave_min,
                                      .wave_lanes_max = i->wave_max,
                                      .shader_model = i->shader_model,
                                      .max_buffer_in_bytes = i->max_buffer,
                                      .timestamp_ticks_per_second = i->ticks_per_second};
}

/* *count is the number of adapters; no more than room and GPU_MAX_ADAPTERS of them are copied. */
cumsum_status cumsum_gpu_list(const gpu_driver *const *drivers, cumsum_d3d12_adapter *adapters,
                              size_t room, size_t *count, cumsum_diagnostic *diagnostic) {
    gpu_adapter list[GPU_MAX_ADAPTERS];
    const gpu_driver *driver;
    gpu_failure why = {0};
    if (!count || (room && !adapters)) {
        return cumsum_diagnose_argument(diagnostic, count ? "adapters" : "count", 0, "NULL",
                                        "must be given");
    }
    if (cumsum_gpu_choose_driver(drivers, &driver, list, GPU_MAX_ADAPTERS, count, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    for (size_t i = 0; i < *count && i < room && i < GPU_MAX_ADAPTERS; i++)
        adapters[i] = public_adapter(&list[i]);
    return CUMSUM_OK;
}

/* Reads the properties that Direct3D tells, and measures those that it leaves to the driver. */
static gpu_status read_info(cumsum_d3d12_device *device, gpu_failure *why) {
    device_behaviour behaviour;
    device->info = public_info(device->gpu->driver->info(device->gpu));
    gpu_status status = cumsum_device_probe(device->gpu, &behaviour, why);
    if (status == GPU_OK) {
        device->info.flushes_float32_subnormals = behaviour.flushes_subnormals;
        device->info.half_conversion = behaviour.half_conversion;
        device->loses_signs = behaviour.loses_signs;
    }
    return status;
}

/* On failure the caller closes what was opened. */
static gpu_status open_gpu(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                           cumsum_d3d12_device *device, gpu_failure *why) {
    gpu_open_options wanted = {0};
    gpu_adapter list[GPU_MAX_ADAPTERS];
    const gpu_driver *driver;
    size_t count;
    if (options) {
        wanted.adapter = options->adapter;
        wanted.debug_layer = options->debug_layer;
        wanted.timeout_ms = options->timeout_in_ms;
    }
    gpu_status status =
        cumsum_gpu_choose_driver(drivers, &driver, list, GPU_MAX_ADAPTERS, &count, why);
    if (status == GPU_OK)
        status = driver->open(&wanted, &device->gpu, why);
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
