/* SPDX-License-Identifier: MIT */
/*
 * A DirectML device on a Direct3D 12 device: loading the library, opening, closing, the descriptor
 * heap, and failures.
 */
#include <stdlib.h>

#include "dml_session.h"
#include "host_system.h"

/* The feature level that has cumulative summation: 2.1. */
#define OPERATOR_LEVEL 0x2100u
/* Enough for every operator seen so far. A heap is replaced if an operator needs more. */
#define MIN_DESCRIPTORS 64u

static const IID iid_descriptor_heap = {
    0x8efb471d, 0x616c, 0x4f49, {0x90, 0xf7, 0x12, 0x7b, 0xb7, 0x63, 0xfa, 0x51}};

/* DirectML removes the device itself when it is used wrongly, and tells only when it is asked. */
gpu_status dml_fail(dml_session *session, HRESULT hr, const char *call, gpu_failure *why) {
    HRESULT reason =
        session->dml ? session->dml->methods->get_device_removed_reason(session->dml) : 0;
    if (reason >= 0)
        return d3d12_fail(session->device, hr, call, why);
    cumsum_gpu_refuse_result(why, GPU_DEVICE_REMOVED, reason,
                             "DirectML removed the device in %s: 0x%08x", call, (unsigned)reason);
    return cumsum_gpu_lose(&session->device->base, why);
}

/* GPU_UNAVAILABLE, since nothing is wrong: DirectML exists, but it cannot use this device. */
static gpu_status unsupported_device(HRESULT hr, gpu_failure *why) {
    return cumsum_gpu_refuse_result(
        why, GPU_UNAVAILABLE, hr,
        "DirectML does not support this device: DMLCreateDevice returned 0x%08x", (unsigned)hr);
}

/* `library` is looked up by name, so the system's search order decides which DirectML is loaded. */
static gpu_status create_device(dml_session *session, const char *library, bool debug_layer,
                                gpu_failure *why) {
    dml_create_device_function create;
    const library_function function = {"DMLCreateDevice", &create};
    const gpu_status status = cumsum_library_load(library, &function, 1, &session->library, why);
    if (status != GPU_OK)
        return status;
    HRESULT hr = create(session->device->d3d, debug_layer, &iid_dml_device, (void **)&session->dml);
    return hr < 0 ? unsupported_device(hr, why) : GPU_OK;
}

/* DirectML is given all levels that are known and returns the highest that it supports. */
static void read_feature_level(dml_session *session) {
    static const uint32_t levels[] = {0x1000, 0x2000, 0x2100, 0x3000, 0x3100,
                                      0x4000, 0x4100, 0x5000, 0x5100, 0x5200,
                                      0x6000, 0x6100, 0x6200, 0x6300, 0x6400};
    const dml_feature_levels_query query = {sizeof levels / sizeof levels[0], levels};
    uint32_t level = 0;
    HRESULT hr = session->dml->methods->check_feature_support(
        session->dml, DML_FEATURE_LEVELS, sizeof query, &query, sizeof level, &level);
    session->feature_level = hr < 0 ? 0 : level;
}

static gpu_status make_recorder(dml_session *session, gpu_failure *why) {
    read_feature_level(session);
    /* A level of 0 is unknown: CreateOperator then decides. */
    if (session->feature_level && session->feature_level < OPERATOR_LEVEL) {
        return cumsum_gpu_refuse(
            why, GPU_UNAVAILABLE,
            "DirectML has feature level %u.%u here, and the operator needs 2.1",
            session->feature_level >> 12, session->feature_level >> 8 & 15);
    }
    HRESULT hr = session->dml->methods->create_command_recorder(
        session->dml, &iid_dml_command_recorder, (void **)&session->recorder);
    return hr < 0 ? dml_fail(session, hr, "CreateCommandRecorder", why) : GPU_OK;
}

/* With an abandoned device, everything that the GPU may still use stays until the process ends. */
void dml_session_close(dml_session *session) {
    if (session && !d3d12_is_abandoned(session->device)) {
        d3d12_release(session->heap);
        d3d12_release(session->recorder);
        d3d12_release(session->dml);
        cumsum_library_close(session->library);
    }
    free(session);
}

gpu_status dml_session_open(gpu_device *device, const char *library, bool debug_layer,
                            dml_session **session, gpu_failure *why) {
    *session = NULL;
    dml_session *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a DirectML device");
    made->device = (d3d12_device *)device;
    gpu_status status = create_device(made, library, debug_layer, why);
    if (status == GPU_OK)
        status = make_recorder(made, why);
    if (status != GPU_OK) {
        dml_session_close(made);
        return status;
    }
    *session = made;
    return GPU_OK;
}

/* Every submission waits for the GPU, so the GPU does not use the old heap when it is replaced. */
gpu_status dml_session_reserve_descriptors(dml_session *session, uint32_t count, gpu_failure *why) {
    if (session->heap && session->descriptors >= count)
        return GPU_OK;
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                             .NumDescriptors =
                                                 count < MIN_DESCRIPTORS ? MIN_DESCRIPTORS : count,
                                             .Flags = D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE};
    d3d12_release(session->heap);
    session->heap = NULL;
    session->descriptors = 0;
    HRESULT hr = ID3D12Device_CreateDescriptorHeap(session->device->d3d, &desc,
                                                   &iid_descriptor_heap, (void **)&session->heap);
    if (hr < 0) {
        session->heap = NULL;
        return d3d12_fail(session->device, hr, "CreateDescriptorHeap", why);
    }
    session->descriptors = desc.NumDescriptors;
    return GPU_OK;
}
