/* SPDX-License-Identifier: MIT */
/* The shaders of a device's scanner are exchanged for those of a variant while it is measured. */
#include "gpu_variants.h"

#ifndef _WIN32
#include <dlfcn.h>
#endif

#include "cuda_device.h"
#include "scan_job.h"

/* Attributes of cuFuncGetAttribute. */
enum {
    LOCAL_BYTES = 3,
    REGISTERS = 4
};

scan_shaders gpu_variant_begin(cumsum_d3d12_device *device, const scan_bytecodes *kernels) {
    const scan_shaders before = device->scanner->shaders;
    device->scanner->shaders = (scan_shaders){.device = before.device, .bytecodes = kernels};
    return before;
}

/* Older drivers may lack the function: then the number is 0. */
static int groups_of(const cuda_library *cuda, const gpu_shader *shader) {
    int groups = 0;
#ifndef _WIN32
    int (*occupancy)(int *groups, void *kernel, int threads, size_t shared) = NULL;
    *(void **)&occupancy = dlsym(cuda->handle, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (occupancy)
        occupancy(&groups, shader->kernel, (int)shader->threads, 0);
#else
    (void)cuda, (void)shader;
#endif
    return groups;
}

static kernel_use ask_driver(cuda_device *gpu, const gpu_shader *shader) {
    kernel_use use = {0};
    void *context;
    gpu->cuda.push(gpu->context);
    gpu->cuda.attribute(&use.registers, REGISTERS, shader->kernel);
    gpu->cuda.attribute(&use.spilled, LOCAL_BYTES, shader->kernel);
    use.groups = groups_of(&gpu->cuda, shader);
    gpu->cuda.pop(&context);
    use.threads = use.groups * (double)shader->threads / 2048;
    return use;
}

/* Those of the blocked order. The first one that was made has most of the elements, since totals of
 * tiles can be scanned by the ones after it; and totals of an element type have that or a lower
 * one. */
static const scan_kernel kernels[] = {SCAN_BLOCKED_SINGLE, SCAN_BLOCKED_LINE, SCAN_BLOCKED_TILE};

static kernel_use find_kernel(cumsum_d3d12_device *device) {
    gpu_shader *(*const made)[SCAN_ELEMENTS] = device->scanner->shaders.made;
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int element = SCAN_ELEMENTS - 1; element >= 0; element--)
            if (made[kernels[k]][element]) {
                kernel_use use = ask_driver((cuda_device *)device->gpu, made[kernels[k]][element]);
                use.kernel = kernels[k];
                use.element = (scan_element)element;
                return use;
            }
    return (kernel_use){.kernel = SCAN_KERNELS};
}

kernel_use gpu_variant_end(cumsum_d3d12_device *device, const scan_shaders *before) {
    const kernel_use use = find_kernel(device);
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++)
            device->gpu->driver->shader_close(device->scanner->shaders.made[kernel][element]);
    device->scanner->shaders = *before;
    return use;
}
