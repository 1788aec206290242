/* SPDX-License-Identifier: MIT */
/*
 * The table of functions over Direct3D 12, and opening and closing a device. Everything that every
 * submission needs (queue, command list, fence, timestamps, root signature) is made when the device
 * is opened, so that a later failure can only come from the work itself.
 *
 * Invariant: after a timeout the GPU may still be using what it was given, so nothing of it is
 * freed, neither objects nor libraries (d3d12_is_abandoned). Freed memory could be given to
 * somebody else while the GPU writes to it.
 */
#include <stdlib.h>

#include "d3d12_device.h"
#include "d3d12_guids.h"
#include "scan_shaders.h"

#if defined(CUMSUM_ABI_WINDOWS)
#define NATIVE_LIBRARY ""
#elif defined(CUMSUM_ABI_WSL)
#define NATIVE_LIBRARY "libd3d12"
#else
#define NATIVE_LIBRARY "libvkd3d"
#endif

/* The runtime returns E_INVALIDARG for a shader model that it does not know, so the highest is
 * asked for first. */
static uint32_t highest_shader_model(ID3D12Device *d3d) {
    for (uint32_t model = 0x67; model >= 0x60; model--) {
        D3D12_FEATURE_DATA_SHADER_MODEL data = {(D3D_SHADER_MODEL)model};
        if (ID3D12Device_CheckFeatureSupport(d3d, D3D12_FEATURE_SHADER_MODEL, &data, sizeof data) >=
            0)
            return (uint32_t)data.HighestShaderModel;
    }
    return 0x51;
}

/* A runtime that does not know a query leaves the answer at zero: the feature is missing. */
static void read_features(d3d12_device *device) {
    cumsum_d3d12_device_info *info = &device->base.info;
    D3D12_FEATURE_DATA_D3D12_OPTIONS1 one = {0};
    D3D12_FEATURE_DATA_D3D12_OPTIONS4 four = {0};
    ID3D12Device_CheckFeatureSupport(device->d3d, D3D12_FEATURE_D3D12_OPTIONS1, &one, sizeof one);
    ID3D12Device_CheckFeatureSupport(device->d3d, D3D12_FEATURE_D3D12_OPTIONS4, &four, sizeof four);
    info->adapter = device->session.adapter;
    info->api = d3d12_platform_here.api;
    info->native_16bit_shader_ops = four.Native16BitShaderOpsSupported != 0;
    info->int64_shader_ops = one.Int64ShaderOps != 0;
    info->wave_lanes_min = one.WaveOps ? one.WaveLaneCountMin : 0;
    info->wave_lanes_max = one.WaveOps ? one.WaveLaneCountMax : 0;
    info->shader_model = highest_shader_model(device->d3d);
    info->max_buffer_in_bytes = device->session.max_buffer;
    ID3D12CommandQueue_GetTimestampFrequency(device->queue, &info->timestamp_ticks_per_second);
}

/* A compute queue with one command list, which is recorded anew for each submission. */
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
    /* A new list is open; a submission begins by resetting a closed one. */
    if (hr >= 0)
        hr = ID3D12GraphicsCommandList_Close(device->list);
    return hr < 0 ? d3d12_fail(device, hr, "CreateCommandList", why) : GPU_OK;
}

/* The fence that submissions wait for, and the two timestamps around them. */
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
    return d3d12_resource_open(device, D3D12_HEAP_TYPE_READBACK, 2 * sizeof(uint64_t),
                               &device->ticks, why);
}

/* Makes everything that needs the ID3D12Device. With the debug layer, Direct3D's message queue is
 * kept. */
static gpu_status make_objects(d3d12_device *device, bool debug_layer, gpu_failure *why) {
    gpu_status status = make_queue(device, why);
    if (status == GPU_OK) {
        read_features(device);
        status = make_fence(device, why);
    }
    if (status == GPU_OK)
        status = d3d12_root_signature(device, why);
    if (status == GPU_OK && debug_layer) {
        ID3D12Device_QueryInterface(device->d3d, &iid_info_queue, (void **)&device->messages);
        status = d3d12_debug_error(device, "opening the device", why);
    }
    return status;
}

/* Also called for a device that was opened in part. */
static void close_device(gpu_device *base) {
    d3d12_device *device = (d3d12_device *)base;
    if (device && d3d12_is_abandoned(device)) {
        d3d12_platform_here.abandon(&device->session);
    } else if (device) {
        d3d12_resource_close(&device->staging_down);
        d3d12_resource_close(&device->staging_up);
        d3d12_resource_close(&device->ticks);
        d3d12_release(device->messages);
        d3d12_release(device->queries);
        d3d12_release(device->fence);
#ifdef _WIN32
        if (device->event)
            CloseHandle(device->event);
#endif
        d3d12_release(device->root);
        d3d12_release(device->list);
        d3d12_release(device->allocator);
        d3d12_release(device->queue);
        if (device->session.platform)
            d3d12_platform_here.close(&device->session);
        else
            d3d12_release(device->d3d);
    }
    free(device);
}

/* On failure everything that was made is released, and *device is NULL. */
static gpu_status open_device(const cumsum_d3d12_options *options, gpu_device **device,
                              gpu_failure *why) {
    static const cumsum_d3d12_options defaults = {0};
    const cumsum_d3d12_options *wanted = options ? options : &defaults;
    *device = NULL;
    d3d12_device *d = calloc(1, sizeof *d);
    if (!d)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    d->base.driver = &d3d12_driver;
    cumsum_gpu_limit_time(&d->base, wanted);
    gpu_status status = d3d12_platform_here.open(wanted, &d->session, why);
    if (status != GPU_OK) {
        free(d);
        return status;
    }
    d->d3d = d->session.device;
    status = make_objects(d, wanted->debug_layer, why);
    if (status != GPU_OK) {
        close_device(&d->base);
        return status;
    }
    *device = &d->base;
    return GPU_OK;
}

/* The device belongs to no session. It can make pipelines and record, and it has no queue. */
static gpu_status adopt_device(void *native_device, gpu_device **device, gpu_failure *why) {
    *device = NULL;
    d3d12_device *d = calloc(1, sizeof *d);
    if (!d)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a device");
    d->base.driver = &d3d12_driver;
    d->base.info.max_buffer_in_bytes = D3D12_PROMISED_VIEW;
    d->d3d = native_device;
    ID3D12Device_AddRef(d->d3d);
    const gpu_status status = d3d12_root_signature(d, why);
    if (status == GPU_OK)
        *device = &d->base;
    else
        close_device(&d->base);
    return status;
}

static gpu_status record_on_list(const gpu_device *device, void *native_list,
                                 const gpu_command *commands, size_t count, gpu_failure *why) {
    ID3D12GraphicsCommandList *list = native_list;
    const D3D12_COMMAND_LIST_TYPE type = ID3D12GraphicsCommandList_GetType(list);
    if (type != D3D12_COMMAND_LIST_TYPE_DIRECT && type != D3D12_COMMAND_LIST_TYPE_COMPUTE)
        return cumsum_gpu_refuse(why, GPU_REJECTED,
                                 "the command list's type is neither DIRECT nor COMPUTE");
    d3d12_record((const d3d12_device *)device, list, commands, count);
    return GPU_OK;
}

static gpu_status list_of_platform(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                   gpu_failure *why) {
    return d3d12_platform_here.adapters(list, room, count, why);
}

const gpu_driver d3d12_driver = {.adapters = list_of_platform,
                                 .open = open_device,
                                 .close = close_device,
                                 .buffer_open = d3d12_buffer_open,
                                 .buffer_close = d3d12_buffer_close,
                                 .upload = d3d12_upload,
                                 .download = d3d12_download,
                                 .fill = d3d12_fill,
                                 .bytecodes = &cumsum_dxbc,
                                 .shader_open = d3d12_shader_open,
                                 .shader_close = d3d12_shader_close,
                                 .submit = d3d12_submit,
                                 .record_alignment = GPU_BINDING_ALIGNMENT,
                                 .native_library = NATIVE_LIBRARY,
                                 .adopt = adopt_device,
                                 .buffer_adopt = d3d12_buffer_adopt,
                                 .record = record_on_list,
                                 .directml = &dml_runtime_here};
