/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_CUDA_DRIVER_H
#define CUMSUM_GPU_CUDA_DRIVER_H

/* The driver over CUDA. */

#include "gpu_driver.h"

extern const gpu_driver cumsum_cuda_driver;

/* Does the environment variable CUMSUM_PTX ask for CUDA? Then no other driver takes its place. */
bool cumsum_cuda_is_wanted(void);

#endif
