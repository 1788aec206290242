/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_API_WORK_H
#define CUMSUM_GPU_API_WORK_H

/* The arguments of a computation, after they were checked. */

#include "api_device.h"
#include "binding.h"
#include "problem.h"

typedef struct cumsum_api_work {
    cumsum_problem problem;
    cumsum_numerics numerics; /* as the device will compute, see cumsum_api_prepare */
    cumsum_binding binding;
} cumsum_api_work;

/* Performs every check of cumsum_plan_create and cumsum_plan_execute, and adapts the numerics to
 * the device: integers need no exact order, and a device that flushes FLOAT32 subnormals gets
 * FLUSH. numerics may be NULL. Returns CUMSUM_UNSUPPORTED for exact floating-point sums. */
cumsum_status cumsum_api_prepare(cumsum_api_work *work, const cumsum_d3d12_device *device,
                                 const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                                 cumsum_feature_level level, const cumsum_binding *binding,
                                 cumsum_diagnostic *diagnostic);

/* A duration in the device's ticks as nanoseconds. */
uint64_t cumsum_api_nanoseconds(const cumsum_d3d12_device *device, uint64_t ticks);

#endif
