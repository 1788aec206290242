/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_CUDA_DRIVER_H
#define CUMSUM_GPU_CUDA_DRIVER_H

/* The driver over CUDA, for those who ask for it by the environment variable CUMSUM_PTX. */

#include "gpu_driver.h"

extern const gpu_driver cumsum_cuda_driver;

/* Does CUMSUM_PTX ask for CUDA? Then no other driver takes its place. */
bool cumsum_cuda_is_wanted(void);

#endif
