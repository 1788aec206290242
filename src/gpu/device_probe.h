/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DEVICE_PROBE_H
#define CUMSUM_GPU_DEVICE_PROBE_H

/* What a device does where Direct3D leaves it a choice, measured. */

#include <cumsum/d3d12.h>

#include "gpu_driver.h"

typedef struct device_habits {
    bool flushes_subnormals; /* FLOAT32: as terms or as sums */
    cumsum_d3d12_half_conversion half_conversion;
} device_habits;

gpu_status cumsum_device_probe(gpu_device *device, device_habits *habits, gpu_failure *why);

#endif
