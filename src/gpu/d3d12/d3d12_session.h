/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_D3D12_SESSION_H
#define CUMSUM_GPU_D3D12_SESSION_H

/* What a platform does before there is an ID3D12Device, and what only it can do afterwards. No type
 * of d3d12.h, so that a platform may use other headers. */

#include "gpu_driver.h"

typedef struct d3d12_session {
    void *platform; /* the platform's own state */
    void *device;   /* an ID3D12Device, one reference of which is the session's */
    gpu_adapter adapter;
    uint64_t max_buffer; /* bytes of one buffer that a shader can reach all of */
} d3d12_session;

typedef struct d3d12_platform {
    const char *api; /* for gpu_device_info */

    gpu_status (*adapters)(gpu_adapter *list, size_t room, size_t *count, gpu_failure *why);
    gpu_status (*open)(const gpu_open_options *options, d3d12_session *session, gpu_failure *why);
    void (*close)(d3d12_session *session);
    /* Instead of close, where the GPU may still be at work: frees the platform's own structure, and
     * leaves the device and the libraries to the end of the process. */
    void (*abandon)(d3d12_session *session);

    /* D3D12SerializeRootSignature: desc is a D3D12_ROOT_SIGNATURE_DESC, *blob an ID3DBlob. */
    int32_t (*serialize)(d3d12_session *session, const void *desc, void **blob);

    /* True where a validation layer outside of Direct3D has found something since the last call;
     * text receives the first of it. NULL: there is no such layer. */
    bool (*complaint)(d3d12_session *session, char *text, size_t room);
} d3d12_platform;

#endif
