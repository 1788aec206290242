/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DEVICE_PROBE_H
#define CUMSUM_GPU_DEVICE_PROBE_H

/* Measures how a device computes in the cases that Direct3D leaves to the driver. */

#include <cumsum/d3d12.h>

#include "gpu_driver.h"

typedef struct device_behaviour {
    bool flushes_subnormals; /* FLOAT32: subnormal terms or subnormal sums become zeros */
    cumsum_d3d12_half_conversion half_conversion;
} device_behaviour;

gpu_status cumsum_device_probe(gpu_device *device, device_behaviour *behaviour, gpu_failure *why);

#endif
