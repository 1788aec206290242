/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_API_DEVICE_H
#define CUMSUM_GPU_API_DEVICE_H

/* The structure behind a cumsum_d3d12_device, and what every public function of src/gpu needs. */

#include <cumsum/d3d12.h>

#include "gpu_driver.h"
#include "scan.h"

struct cumsum_d3d12_device {
    gpu_device *gpu;
    gpu_scanner *scanner;
    cumsum_d3d12_device_info info;
};

/* cumsum_d3d12_adapters and cumsum_d3d12_open with other drivers, for tests. */
cumsum_status cumsum_gpu_list(const gpu_driver *const *drivers, cumsum_d3d12_adapter *adapters,
                              size_t room, size_t *count, cumsum_diagnostic *diagnostic);
cumsum_status cumsum_gpu_open(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                              cumsum_d3d12_device **device, cumsum_diagnostic *diagnostic);

/* Performs every check of cumsum_plan_create. `given` may be NULL; *numerics receives those that
 * the shaders compute with. */
cumsum_status cumsum_gpu_read(cumsum_problem *problem, cumsum_numerics *numerics,
                              const cumsum_operator_desc *desc, const cumsum_numerics *given,
                              cumsum_feature_level level, cumsum_diagnostic *diagnostic);

/* Fills in diagnostic, which may be NULL, for a failure of the GPU. Returns its status. */
cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why);

/* The arguments of a measurement that an execution does not have. */
cumsum_status cumsum_gpu_check_measurement(const cumsum_d3d12_speed *speed, uint32_t repetitions,
                                           cumsum_diagnostic *diagnostic);

/* A duration in the device's ticks as nanoseconds. */
uint64_t cumsum_gpu_nanoseconds(const cumsum_d3d12_device *device, uint64_t ticks);

#endif
