/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_H
#define CUMSUM_GPU_SCAN_H

/* The operator on a GPU: host memory in, host memory out, with the bits of the reference. */

#include "gpu_driver.h"
#include "problem.h"
#include "scan_shaders.h"

/* Shaders and buffers of a device, kept from scan to scan. */
typedef struct gpu_scanner gpu_scanner;

/* How to compute, all zero for the best. None of it changes a bit. */
typedef struct gpu_scan_options {
    const scan_bytecodes *bytecodes; /* NULL: cumsum_scan_bytecodes */
    uint64_t max_buffer;             /* bytes; longer tensors go in pieces. 0: the device's */
    uint32_t chunk; /* elements of a line in one dispatch of the sequential order. 0: SCAN_CHUNK */
} gpu_scan_options;

typedef struct gpu_scan_timing {
    uint64_t ticks; /* on the GPU, transfers apart; gpu_device_info.ticks_per_second */
    uint64_t dispatches;
} gpu_scan_timing;

/* The device must outlive the scanner. options may be NULL. Compiles nothing yet. */
gpu_status cumsum_scan_create(gpu_device *device, const gpu_scan_options *options,
                              gpu_scanner **scanner, gpu_failure *why);
void cumsum_scan_destroy(gpu_scanner *scanner); /* NULL is allowed */

/*
 * Scans. input and output are valid bindings of the problem (cumsum_plan_execute's rules); in place
 * they are the same. timing may be NULL.
 * GPU_REJECTED for the exact order, which has no shaders; GPU_GUARD_BROKEN where a byte outside the
 * output's elements was written on the GPU; and what the driver answers.
 */
gpu_status cumsum_scan_run(gpu_scanner *scanner, const cumsum_problem *problem,
                           const cumsum_numerics *numerics, const void *input, void *output,
                           gpu_scan_timing *timing, gpu_failure *why);

#endif
