/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_D3D12_SESSION_H
#define CUMSUM_GPU_D3D12_SESSION_H

/*
 * A platform: how Direct3D 12 is loaded, how its adapters are listed, how a device is made. This
 * header uses no type of d3d12.h, since platform_vkd3d.c has to use vkd3d's own declarations.
 */

#include "gpu_driver.h"

/* Bytes of a raw buffer that Direct3D promises a shader to access. There is no query for more, and
 * whether there is memory for so much shows when a buffer is made. */
#define D3D12_PROMISED_VIEW ((uint64_t)4 << 27)

typedef struct d3d12_session {
    void *platform; /* the platform's own state */
    void *device;   /* an ID3D12Device; the session owns one reference */
    cumsum_d3d12_adapter adapter;
    uint64_t max_buffer; /* bytes of one buffer that a shader can reach all of */
} d3d12_session;

typedef struct d3d12_platform {
    const char *api; /* for cumsum_d3d12_device_info */

    gpu_status (*adapters)(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                           gpu_failure *why);
    gpu_status (*open)(const cumsum_d3d12_options *options, d3d12_session *session,
                       gpu_failure *why);
    void (*close)(d3d12_session *session);
    /* Instead of close, if the GPU may still be working: frees the platform's own structure, and
     * leaves the device and the libraries until the process ends. */
    void (*abandon)(d3d12_session *session);
} d3d12_platform;

#endif
