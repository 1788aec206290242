/* SPDX-License-Identifier: MIT */
#include "d3d12_device.h"

static gpu_status list_adapters(gpu_adapter *list, size_t room, size_t *count, gpu_failure *why) {
    return d3d12_platform_here.adapters(list, room, count, why);
}

static const gpu_device_info *info(const gpu_device *device) {
    return &((const d3d12_device *)device)->info;
}

static void *native_device(const gpu_device *device) {
    return ((const d3d12_device *)device)->d3d;
}

static void *native_queue(const gpu_device *device) {
    return ((const d3d12_device *)device)->queue;
}

#if defined(CUMSUM_ABI_WINDOWS)
#define DRIVER_NAME "windows"
#elif defined(CUMSUM_ABI_WSL)
#define DRIVER_NAME "wsl"
#else
#define DRIVER_NAME "vkd3d"
#endif

const gpu_driver d3d12_driver = {.name = DRIVER_NAME,
                                 .adapters = list_adapters,
                                 .open = d3d12_open,
                                 .close = d3d12_close,
                                 .info = info,
                                 .buffer_create = d3d12_buffer_create,
                                 .buffer_destroy = d3d12_buffer_destroy,
                                 .upload = d3d12_upload,
                                 .download = d3d12_download,
                                 .fill = d3d12_fill,
                                 .shader_create = d3d12_shader_create,
                                 .shader_destroy = d3d12_shader_destroy,
                                 .submit = d3d12_submit,
                                 .native_device = native_device,
                                 .native_queue = native_queue,
                                 .directml = &dml_runtime_here};
