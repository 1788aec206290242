/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPORTED_DEVICE_DRIVERS_H
#define CUMSUM_EXPORTED_DEVICE_DRIVERS_H

/*
 * The devices of d3d12.h over other drivers than those of Direct3D: over CUDA, or over one that is
 * made for tests. The libraries export these functions for this project's own programs, but their
 * interfaces do not have them: the header is not installed, and any version may change them.
 */

#include <cumsum/cuda.h>
#include <cumsum/d3d12.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpu_driver;

/* cumsum_d3d12_adapters and cumsum_d3d12_open with the first of `drivers` that has an adapter. NULL
 * ends the list. All other functions of d3d12.h take the device, but for plans. */
CUMSUM_D3D12_API cumsum_status cumsum_gpu_list(const struct gpu_driver *const *drivers,
                                               cumsum_d3d12_adapter *adapters, size_t room,
                                               size_t *count, cumsum_diagnostic *diagnostic);
CUMSUM_D3D12_API cumsum_status cumsum_gpu_open(const struct gpu_driver *const *drivers,
                                               const cumsum_d3d12_options *options,
                                               cumsum_d3d12_device **device,
                                               cumsum_diagnostic *diagnostic);

/* The list with CUDA's driver alone. */
CUMSUM_CUDA_API const struct gpu_driver *const *cumsum_cuda_drivers(void);

#ifdef __cplusplus
}
#endif

#endif
