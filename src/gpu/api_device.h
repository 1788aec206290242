/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_API_DEVICE_H
#define CUMSUM_GPU_API_DEVICE_H

/* The structure behind a cumsum_d3d12_device, and what every public function of src/gpu needs. */

#include "device_drivers.h"
#include "gpu_driver.h"
#include "recording.h"

struct cumsum_d3d12_device {
    gpu_device *gpu;
    gpu_scanner *scanner;
};

#endif
