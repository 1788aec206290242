/* SPDX-License-Identifier: MIT */
/* Loads NVIDIA's driver, and tells its GPUs and its errors. */
#include "cuda_library.h"

#include <stdio.h>

#include "host_system.h"

#ifdef _WIN32
#define CUDA_LIBRARY "nvcuda.dll"
#else
#define CUDA_LIBRARY "libcuda.so.1"
#endif

gpu_status cumsum_cuda_check(const cuda_library *cuda, int result, const char *call,
                             gpu_failure *why) {
    const char *name = NULL;
    if (result == CUDA_OK)
        return GPU_OK;
    cuda->error(result, &name);
    const gpu_status status = result == CUDA_OUT_OF_MEMORY ? GPU_OUT_OF_MEMORY
                              : result >= CUDA_FIRST_KEPT && result <= CUDA_LAST_KEPT
                                  ? GPU_DEVICE_REMOVED
                                  : GPU_REJECTED;
    return cumsum_gpu_refuse_result(why, status, result, "CUDA: %s: error %d, %s", call, result,
                                    name ? name : "unknown");
}

#define LIBRARY_FUNCTION(member, name, parameters) {#name, &cuda->member},

static gpu_status find_functions(cuda_library *cuda, gpu_failure *why) {
    const library_function functions[] = {CUDA_FUNCTIONS(LIBRARY_FUNCTION)};
    return cumsum_library_load(CUDA_LIBRARY, functions, sizeof functions / sizeof functions[0],
                               &cuda->handle, why);
}

/* No GPU, or none that the driver can use, is GPU_UNAVAILABLE. */
static gpu_status list_gpus(const cuda_library *cuda, adapter_list *list, gpu_failure *why) {
    int version = 0, count = 0;
    gpu_status status = cumsum_cuda_check(cuda, cuda->init(0), "cuInit", why);
    if (status == GPU_OK)
        status = cumsum_cuda_check(cuda, cuda->version(&version), "cuDriverGetVersion", why);
    if (status == GPU_OK)
        status = cumsum_cuda_check(cuda, cuda->count(&count), "cuDeviceGetCount", why);
    if (status == GPU_OK && count == 0)
        status = cumsum_gpu_refuse(why, GPU_UNAVAILABLE, "CUDA has no GPU");
    if (status != GPU_OK)
        return why->status = GPU_UNAVAILABLE;
    for (int gpu = 0; gpu < count && gpu < GPU_MAX_ADAPTERS; gpu++) {
        cumsum_d3d12_adapter *adapter = &list->at[gpu].adapter;
        size_t bytes = 0;
        *adapter = (cumsum_d3d12_adapter){.vendor_id = 0x10de};
        cuda->name(adapter->name, sizeof adapter->name, gpu);
        cuda->memory(&bytes, gpu);
        adapter->dedicated_memory_in_bytes = bytes;
        snprintf(adapter->driver, sizeof adapter->driver, "for CUDA %d.%d", version / 1000,
                 version / 10 % 100);
        list->count++;
    }
    return GPU_OK;
}

gpu_status cumsum_cuda_load(cuda_library *cuda, adapter_list *list, gpu_failure *why) {
    *list = (adapter_list){0};
    *cuda = (cuda_library){0};
    gpu_status status = find_functions(cuda, why);
    if (status == GPU_OK)
        status = list_gpus(cuda, list, why);
    if (status != GPU_OK)
        cumsum_library_close(cuda->handle);
    return status;
}
