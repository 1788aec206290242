/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DRIVER_REGISTRY_H
#define CUMSUM_GPU_DRIVER_REGISTRY_H

/* The drivers of this build, and the choice of one at run time. */

#include "gpu_driver.h"

/* In the order in which they are tried. NULL ends the list. */
extern const gpu_driver *const cumsum_gpu_drivers[];

/* Chooses the first of `drivers` that has an adapter, and lists its adapters. If none has one, the
 * message names what each driver lacks. */
gpu_status cumsum_gpu_choose_driver(const gpu_driver *const *drivers, const gpu_driver **driver,
                                    cumsum_d3d12_adapter *list, size_t room, size_t *count,
                                    gpu_failure *why);

/* Chooses the driver that understands a COM object of the caller's, by the library that the
 * object's methods are in. */
gpu_status cumsum_gpu_driver_of(const gpu_driver *const *drivers, const void *object,
                                const gpu_driver **driver, gpu_failure *why);

#endif
