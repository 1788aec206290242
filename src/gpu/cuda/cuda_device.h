/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_CUDA_DEVICE_H
#define CUMSUM_GPU_CUDA_DEVICE_H

/* A GPU over CUDA: what the driver (cuda_driver.c), the plans (api_cuda.c) and
 * bench/gpu_variants.c share. */

#include "cuda_library.h"

struct gpu_buffer {
    struct cuda_device *device;
    cuda_address memory;
};

struct gpu_shader {
    struct cuda_device *device;
    void *module;
    void *kernel;
    unsigned threads; /* of a group */
};

typedef struct cuda_device {
    gpu_device base;
    cuda_library cuda;
    int gpu;
    void *context;         /* the GPU's primary one, which is retained */
    gpu_buffer everything; /* all memory: an offset in it is an address */
    void *begin, *end;     /* events around a submission */
} cuda_device;

/* Opens GPU number `gpu`, which may be none of them, for plans: without events. */
gpu_status cumsum_cuda_open_gpu(int gpu, cuda_device **device, gpu_failure *why);

/* Whether a kernel of the device's GPU can use an address. *rule receives NULL, or what the address
 * breaks. */
gpu_status cumsum_cuda_check_address(cuda_device *device, cuda_address address, const char **rule,
                                     gpu_failure *why);

#endif
