/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "dml_session.h"
#include "dynamic_library.h"

/* What CreateOperator needs at least for a cumulative summation. */
#define LEVEL_OF_THE_OPERATOR 0x2100u

gpu_status dml_fail(dml_session *session, HRESULT hr, const char *call, gpu_failure *why) {
    HRESULT reason =
        session->dml ? session->dml->methods->get_device_removed_reason(session->dml) : 0;
    if (reason >= 0)
        return d3d12_fail(session->device, hr, call, why);
    d3d12_refuse(why, GPU_DEVICE_REMOVED, "DirectML removed the device in %s: 0x%08x", call,
                 (unsigned)reason);
    why->hresult = reason;
    session->device->lost = *why;
    return GPU_DEVICE_REMOVED;
}

/* DirectML is there, but not for this device: nothing ran, and nothing is wrong. */
static gpu_status not_taken(HRESULT hr, gpu_failure *why) {
    d3d12_refuse(why, GPU_UNAVAILABLE,
                 "DirectML does not take this device: DMLCreateDevice "
                 "answered 0x%08x",
                 (unsigned)hr);
    why->hresult = hr;
    return GPU_UNAVAILABLE;
}

static gpu_status create_device(dml_session *session, const char *library, bool debug_layer,
                                gpu_failure *why) {
    dml_create_device_function create;
    gpu_status status = cumsum_library_open(library, &session->library, why);
    if (status == GPU_OK)
        status = cumsum_library_find(session->library, library, "DMLCreateDevice", &create, why);
    if (status != GPU_OK)
        return status;
    HRESULT hr = create(session->device->d3d, debug_layer, &iid_dml_device, (void **)&session->dml);
    return hr < 0 ? not_taken(hr, why) : GPU_OK;
}

static void ask_feature_level(dml_session *session) {
    static const uint32_t levels[] = {0x1000, 0x2000, 0x2100, 0x3000, 0x3100,
                                      0x4000, 0x4100, 0x5000, 0x5100, 0x5200,
                                      0x6000, 0x6100, 0x6200, 0x6300, 0x6400};
    const dml_feature_levels_query query = {sizeof levels / sizeof levels[0], levels};
    uint32_t level = 0;
    HRESULT hr = session->dml->methods->check_feature_support(
        session->dml, DML_FEATURE_LEVELS, sizeof query, &query, sizeof level, &level);
    session->feature_level = hr < 0 ? 0 : level;
}

static gpu_status prepare(dml_session *session, gpu_failure *why) {
    ask_feature_level(session);
    if (session->feature_level && session->feature_level < LEVEL_OF_THE_OPERATOR) {
        return d3d12_refuse(why, GPU_UNAVAILABLE,
                            "DirectML has feature level %u.%u here, and the operator needs 2.1",
                            session->feature_level >> 12, session->feature_level >> 8 & 15);
    }
    HRESULT hr = session->dml->methods->create_command_recorder(
        session->dml, &iid_dml_command_recorder, (void **)&session->recorder);
    return hr < 0 ? dml_fail(session, hr, "CreateCommandRecorder", why) : GPU_OK;
}

/* What an abandoned device may still be using is left to the end of the process. */
static void close_session(dml_session *session) {
    if (session && !session->device->abandoned) {
        if (session->heap)
            ID3D12DescriptorHeap_Release(session->heap);
        if (session->recorder)
            session->recorder->methods->release(session->recorder);
        if (session->dml)
            session->dml->methods->release(session->dml);
        cumsum_library_close(session->library);
    }
    free(session);
}

static gpu_status open_session(gpu_device *device, const char *library, bool debug_layer,
                               dml_session **session, gpu_failure *why) {
    *session = NULL;
    dml_session *made = calloc(1, sizeof *made);
    if (!made)
        return d3d12_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a DirectML device");
    made->device = (d3d12_device *)device;
    gpu_status status = create_device(made, library, debug_layer, why);
    if (status == GPU_OK)
        status = prepare(made, why);
    if (status != GPU_OK) {
        close_session(made);
        return status;
    }
    *session = made;
    return GPU_OK;
}

static uint32_t feature_level(const dml_session *session) {
    return session->feature_level;
}

static gpu_status ask(dml_session *session, const cumsum_operator_desc *desc,
                      uint32_t execution_flags, dml_answer *answer, gpu_failure *why) {
    dml_compiled op = {0};
    if (d3d12_lost(session->device, why))
        return why->status;
    gpu_status status = dml_operator_compile(session, desc, execution_flags, &op, answer, why);
    dml_operator_end(session, &op);
    return status == GPU_REJECTED ? GPU_OK : status;
}

#if defined(CUMSUM_ABI_WINDOWS)
#define DML_LIBRARY "DirectML.dll"
#elif defined(CUMSUM_ABI_WSL)
#define DML_LIBRARY "libdirectml.so"
#else
/* Microsoft's libdirectml.so calls methods in Linux's convention, which vkd3d's are not in. */
#define DML_LIBRARY NULL
#endif

const struct dml_runtime dml_runtime_here = {.library = DML_LIBRARY,
                                             .open = open_session,
                                             .close = close_session,
                                             .feature_level = feature_level,
                                             .ask = ask,
                                             .execute = dml_execute};
