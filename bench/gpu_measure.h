/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_GPU_MEASURE_H
#define CUMSUM_BENCH_GPU_MEASURE_H

/*
 * Measures an execution by the device's own clock, beside copies of as many bytes. While a device's
 * `measuring` points to that of a device_measuring, each execution on the device is a measurement:
 * the library lets device_measure repeat its work.
 */

#include "gpu_driver.h"

/* Of repeated measurements, in nanoseconds. */
typedef struct device_times {
    uint64_t median;
    uint64_t least;
    uint64_t greatest;
} device_times;

/* Times by the device's timestamps, without the copies to and from it. Hot: a mean of executions
 * in one submission, after the same one; cold: after other data was read into the device's caches.
 */
typedef struct device_speed {
    device_times hot;
    device_times cold;
    device_times copy_hot; /* CopyBufferRegion of copied_bytes, from a buffer to another */
    device_times copy_cold;
    device_times shader_copy_hot; /* the same by a shader */
    device_times shader_copy_cold;
    uint64_t copied_bytes;
    uint32_t left_tiles; /* of 1024 elements, which the last execution's single pass left to the
                            dispatch behind it, since their threads had waited too long */
} device_speed;

typedef struct device_measuring {
    gpu_measuring measuring; /* first */
    uint32_t repetitions;    /* 0: the work is done once, and the times are 0 */
    uint64_t bytes;          /* of the elements, which are copied, but no more than the input has */
    bool measured;           /* false after an execution: NOT_MEASURED */
    device_speed speed;
} device_measuring;

#define NOT_MEASURED "only what fits into one buffer is measured"

/* The function `measure` of a device_measuring. The device is kept busy before the times are taken,
 * since its clock is slow after a pause. In the end the work is done once more, on the original
 * data. */
gpu_status device_measure(gpu_measuring *wanted, const gpu_work *work, gpu_failure *why);

#endif
