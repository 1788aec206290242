/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_API_WORK_H
#define CUMSUM_GPU_API_WORK_H

/* What a caller wants computed, checked. */

#include "api_device.h"
#include "binding.h"
#include "problem.h"

typedef struct cumsum_api_work {
    cumsum_problem problem;
    cumsum_numerics numerics; /* as the device computes them */
    cumsum_binding binding;
} cumsum_api_work;

/* Every check of cumsum_plan_create and cumsum_plan_execute, and those of the device. numerics may
 * be NULL. */
cumsum_status cumsum_api_prepare(cumsum_api_work *work, const cumsum_d3d12_device *device,
                                 const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                                 cumsum_feature_level level, const cumsum_binding *binding,
                                 cumsum_diagnostic *diagnostic);

uint64_t cumsum_api_nanoseconds(const cumsum_d3d12_device *device, uint64_t ticks);

#endif
