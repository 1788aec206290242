/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_SESSION_H
#define CUMSUM_GPU_DML_SESSION_H

/* DirectML in one calling convention: its structures, and what its files offer each other. */

#include "d3d12_device.h"
#include "dml_interfaces.h"
#include "dml_runtime.h"

#define dml_descriptors_reserve CUMSUM_ABI(descriptors_reserve)
#define dml_execute             CUMSUM_ABI(dml_execute)
#define dml_fail                CUMSUM_ABI(dml_fail)
#define dml_operator_begin      CUMSUM_ABI(operator_begin)
#define dml_operator_compile    CUMSUM_ABI(operator_compile)
#define dml_operator_end        CUMSUM_ABI(operator_end)
#define dml_run                 CUMSUM_ABI(dml_run)

struct dml_session {
    d3d12_device *device;
    void *library;
    dml_device *dml;
    dml_command_recorder *recorder;
    uint32_t feature_level;
    /* Shader-visible descriptors for one dispatch. Kept, since a heap is slow to make. */
    ID3D12DescriptorHeap *heap;
    uint32_t descriptors;
};

/* An operator, ready to be bound. */
typedef struct dml_compiled {
    dml_operator *op;
    dml_dispatchable *compiled;
    dml_dispatchable *initializer;
    dml_binding_properties to_initialize;
    dml_binding_properties to_execute;
    gpu_buffer *temporary;  /* as large as either dispatch needs, or NULL */
    gpu_buffer *persistent; /* made by the initializer, read by the operator; or NULL */
} dml_compiled;

/* What a dispatch binds. An array of one for the initializer, where DirectML owns the input. */
typedef struct dml_dispatch {
    dml_dispatchable *what;
    uint32_t descriptors;
    uint64_t temporary_size;
    const dml_compiled *compiled; /* whose temporary resource it uses */
    bool reads_persistent;
    dml_typed_desc input;
    dml_typed_desc output;
    gpu_buffer *buffers[4]; /* everything that is bound, each once; NULL: none */
} dml_dispatch;

/* dml_open.c. d3d12_fail, where DirectML itself may have removed the device. */
gpu_status dml_fail(dml_session *session, HRESULT hr, const char *call, gpu_failure *why);

/* dml_descriptors.c: at least so many, and where they begin. */
gpu_status dml_descriptors_reserve(dml_session *session, uint32_t count, gpu_failure *why);

/* dml_operator.c. end may be given what begin or compile left unfinished. */
gpu_status dml_operator_compile(dml_session *session, const cumsum_operator_desc *desc,
                                uint32_t execution_flags, dml_compiled *op, dml_answer *answer,
                                gpu_failure *why);
gpu_status dml_operator_begin(dml_session *session, dml_compiled *op, gpu_failure *why);
void dml_operator_end(dml_session *session, dml_compiled *op);

/* dml_run.c: binds, records, submits and waits. */
gpu_status dml_run(dml_session *session, const dml_dispatch *dispatch, gpu_timing *timing,
                   gpu_failure *why);

/* dml_execute.c */
gpu_status dml_execute(dml_session *session, const dml_job *job, dml_answer *answer,
                       gpu_timing *timing, gpu_failure *why);

#endif
