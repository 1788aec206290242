/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_SESSION_H
#define CUMSUM_GPU_DML_SESSION_H

/*
 * A DirectML device in one calling convention: what dml_session.c has for dml_execute.c.
 */

#include "d3d12_device.h"
#include "dml_interfaces.h"
#include "dml_runtime.h"

#define dml_fail                        CUMSUM_ABI(dml_fail)
#define dml_session_close               CUMSUM_ABI(session_close)
#define dml_session_open                CUMSUM_ABI(session_open)
#define dml_session_reserve_descriptors CUMSUM_ABI(session_reserve_descriptors)

struct dml_session {
    d3d12_device *device;
    void *library;
    dml_device *dml;
    dml_command_recorder *recorder;
    uint32_t feature_level; /* 0: unknown */
    /* Shader-visible descriptors for one dispatch. Kept, since making a heap is slow. */
    ID3D12DescriptorHeap *heap;
    uint32_t descriptors;
};

/* The functions of struct dml_runtime. */
gpu_status dml_session_open(gpu_device *device, const char *library, bool debug_layer,
                            dml_session **session, gpu_failure *why);
void dml_session_close(dml_session *session);
/* Makes sure that session->heap has at least `count` descriptors. */
gpu_status dml_session_reserve_descriptors(dml_session *session, uint32_t count, gpu_failure *why);
/* d3d12_fail, for calls after which DirectML itself may have removed the device. */
gpu_status dml_fail(dml_session *session, HRESULT hr, const char *call, gpu_failure *why);

#endif
