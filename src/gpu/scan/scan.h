/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_H
#define CUMSUM_GPU_SCAN_H

/*
 * The operator on a GPU. The caller's tensors are in host memory before and after a call, and the
 * output has the bits of the scalar reference. This is the interface of src/gpu/scan; everything
 * above it (src/gpu/api_*.c, tests) includes this header alone.
 */

#include "gpu_driver.h"
#include "problem.h"
#include "scan_commands.h"
#include "scan_shaders.h"

/* The shaders and buffers of one device. They are kept from one scan to the next. */
typedef struct gpu_scanner gpu_scanner;

/* Limits and replacements, for tests. All zero selects the defaults. No option changes a bit of the
 * output, unless it replaces a shader by one that computes something else. */
typedef struct gpu_scan_options {
    const scan_bytecodes *bytecodes; /* NULL: the driver's */
    uint64_t max_buffer; /* bytes; a larger tensor is scanned in pieces. 0: the device's limit */
    uint32_t chunk;      /* elements of a line per dispatch. 0: SCAN_CHUNK; more is too
                            much for some software devices (scan_pass.h). In a single pass, a
                            thread looks chunk / SCAN_TILE times for missing values */
    uint32_t groups;     /* of threads that keep the device busy, which is taken for a GPU. 0:
                            SCAN_BUSY_GROUPS, or on a software device the kernels for processors */
} gpu_scan_options;

typedef struct gpu_scan_timing {
    uint64_t ticks; /* GPU time without transfers; see cumsum_d3d12_device_info */
    uint64_t dispatches;
} gpu_scan_timing;

/* The device must outlive the scanner. options may be NULL. Shaders are created when a scan first
 * needs them. */
gpu_status cumsum_scanner_open(gpu_device *device, const gpu_scan_options *options,
                               gpu_scanner **scanner, gpu_failure *why);
void cumsum_scanner_close(gpu_scanner *scanner); /* NULL is allowed */

/*
 * Scans. input and output are valid bindings of the problem (the rules of cumsum_plan_execute);
 * equal pointers mean in place. The order is not the exact one, which has no shaders. timing may be
 * NULL.
 * Returns GPU_GUARD_BROKEN if a byte outside the output's elements was written on the GPU;
 * otherwise the driver's status.
 */
gpu_status cumsum_scan_run(gpu_scanner *scanner, const cumsum_problem *problem,
                           const cumsum_numerics *numerics, const void *input, void *output,
                           gpu_scan_timing *timing, gpu_failure *why);

/* What a recording needs. */
typedef struct scan_plan {
    uint64_t work; /* bytes of the work buffer; may be 0 */
    bool too_long; /* cumsum_scan_plan failed: more than SCAN_MOST_RECORDED dispatches */
} scan_plan;

/* Creates the shaders for recordings of a problem, in place or not. Its tensors fit into a buffer
 * of the device. */
gpu_status cumsum_scan_plan(gpu_scanner *scanner, const cumsum_problem *problem,
                            const cumsum_numerics *numerics, scan_plan *plan, gpu_failure *why);

/* Appends the dispatches to an ID3D12GraphicsCommandList, or a stream of CUDA. The buffers are
 * adopted ones, and in place the first two are equal; the work buffer's offset is a multiple of the
 * driver's record_alignment, the others are multiples of the element size. */
gpu_status cumsum_scan_record(gpu_scanner *scanner, const cumsum_problem *problem,
                              const cumsum_numerics *numerics, const scan_buffers *buffers,
                              bool in_place, void *command_list, gpu_failure *why);

#endif
