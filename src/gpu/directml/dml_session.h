/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_SESSION_H
#define CUMSUM_GPU_DML_SESSION_H

/*
 * DirectML in one calling convention: its structures, and the functions that its files share. The
 * calls go one way:
 *
 *     dml_execute -> dml_operator -> dml_session
 *                 -> dml_run      -> dml_session
 */

#include "d3d12_device.h"
#include "dml_interfaces.h"
#include "dml_runtime.h"

#define dml_fail                        CUMSUM_ABI(dml_fail)
#define dml_operator_prepare            CUMSUM_ABI(operator_prepare)
#define dml_operator_compile            CUMSUM_ABI(operator_compile)
#define dml_operator_close              CUMSUM_ABI(operator_close)
#define dml_run                         CUMSUM_ABI(dml_run)
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

/* A compiled operator and what it needs to be initialized and executed. */
typedef struct dml_compiled {
    dml_operator *op;
    dml_dispatchable *compiled;
    dml_dispatchable *initializer;
    dml_binding_properties to_initialize;
    dml_binding_properties to_execute;
    gpu_buffer *temporary;  /* as large as either dispatch needs, or NULL */
    gpu_buffer *persistent; /* made by the initializer, read by the operator; or NULL */
} dml_compiled;

/* One dispatch and its bindings. */
typedef struct dml_dispatch {
    dml_dispatchable *what; /* the initializer or the compiled operator */
    uint32_t descriptors;
    uint64_t temporary_size;
    const dml_compiled *compiled; /* the owner of the temporary and persistent resources */
    bool reads_persistent;
    dml_typed_desc input; /* for the initializer an array of one binding, or none */
    dml_typed_desc output;
    gpu_buffer *buffers[4]; /* all buffers that are bound, each once; NULL: none */
    uint32_t times;         /* that it is done, in one submission; at least 1 */
} dml_dispatch;

/* dml_session.c */

/* The functions of struct dml_runtime. */
gpu_status dml_session_open(gpu_device *device, const char *library, bool debug_layer,
                            dml_session **session, gpu_failure *why);
void dml_session_close(dml_session *session);
/* Makes sure that session->heap has at least `count` descriptors. */
gpu_status dml_session_reserve_descriptors(dml_session *session, uint32_t count, gpu_failure *why);
/* d3d12_fail, for calls after which DirectML itself may have removed the device. */
gpu_status dml_fail(dml_session *session, HRESULT hr, const char *call, gpu_failure *why);

/* dml_operator.c */

/* Creates and compiles an operator. `answer` receives both results. */
gpu_status dml_operator_compile(dml_session *session, const cumsum_operator_desc *desc,
                                uint32_t execution_flags, dml_compiled *op, dml_answer *answer,
                                gpu_failure *why);
/* Makes the initializer and the buffers of a compiled operator. */
gpu_status dml_operator_prepare(dml_session *session, dml_compiled *op, gpu_failure *why);
/* Releases what compile and begin made, also after a failure of either. */
void dml_operator_close(dml_session *session, dml_compiled *op);

/* dml_run.c: binds, records, submits and waits. */
gpu_status dml_run(dml_session *session, const dml_dispatch *dispatch, gpu_timing *timing,
                   gpu_failure *why);

#endif
