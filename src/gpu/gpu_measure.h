/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_GPU_MEASURE_H
#define CUMSUM_GPU_GPU_MEASURE_H

/* Measures work on a device by the device's own clock, beside copies of as many bytes. */

#include "device_speed.h"
#include "gpu_driver.h"
#include "problem.h"

/* Work that can be repeated on tensors that are on the device. */
typedef struct gpu_measured_work {
    gpu_device *device;
    /* Does it `times` times and waits. The time is from the first start to the last end. */
    gpu_status (*run)(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why);
    void *context;
    uint32_t most_at_once; /* times that fit into one submission; at least 1 */
    bool in_place;         /* it replaces `data`, which is restored before each run */
    gpu_binding data;      /* its input; in its buffer 12 more bytes follow */
    uint64_t bytes;        /* of data, a multiple of 4 */
    uint32_t repetitions;
} gpu_measured_work;

/* Fills in all times. speed->copied_bytes is the caller's. Last the work is done once more, on the
 * data as they were at the beginning. */
gpu_status cumsum_gpu_measure(const gpu_measured_work *work, cumsum_d3d12_speed *speed,
                              gpu_failure *why);

/* As many bytes as the elements take, in whole words, and no more than the input occupies. */
uint64_t cumsum_gpu_bytes_to_copy(const cumsum_problem *problem);

#endif
