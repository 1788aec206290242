/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_GPU_VARIANTS_H
#define CUMSUM_BENCH_GPU_VARIANTS_H

/* Executions over CUDA with the kernels of a variant (variants.h), and what the driver made of the
 * kernel that takes most of the time. */

#include "api_device.h"
#include "scan_shaders.h"

typedef struct kernel_use {
    scan_kernel kernel; /* SCAN_KERNELS: no kernel of the blocked order ran, and the rest is 0 */
    scan_element element;
    int registers;  /* of a thread */
    int spilled;    /* bytes of a thread */
    int groups;     /* that a multiprocessor runs at a time */
    double threads; /* that it then has, a part of 2048 */
} kernel_use;

/* Executions on the device take these kernels from here on. */
scan_shaders gpu_variant_begin(cumsum_d3d12_device *device, const scan_bytecodes *kernels);

/* They take `before` again, which gpu_variant_begin returned. Returns what ran since. */
kernel_use gpu_variant_end(cumsum_d3d12_device *device, const scan_shaders *before);

#endif
