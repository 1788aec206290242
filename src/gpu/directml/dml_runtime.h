/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_RUNTIME_H
#define CUMSUM_GPU_DML_RUNTIME_H

/* Microsoft's operator on an open Direct3D 12 device, as a table of plain C functions: one for each
 * calling convention, and the device's driver names its own. */

#include <cumsum/cumsum.h>

#include "gpu_driver.h"

typedef struct dml_session dml_session;

/* HRESULTs of the two calls that look at a descriptor. */
typedef struct dml_answer {
    int32_t create;  /* CreateOperator */
    int32_t compile; /* CompileOperator; 0 where there was nothing to compile */
} dml_answer;

/* One execution. The tensors lie in the buffers from the offsets on, which are multiples of their
 * guaranteed alignment. */
typedef struct dml_job {
    const cumsum_operator_desc *desc;
    uint32_t execution_flags;
    gpu_binding input;
    uint64_t input_in_bytes;
    gpu_binding output;
    uint64_t output_in_bytes;
} dml_job;

struct dml_runtime {
    /* What DirectML's library is called here; NULL where there is none for this Direct3D. */
    const char *library;

    /* Loads `library` and makes a DirectML device. GPU_UNAVAILABLE where it is not there or does
     * not take the device. The device must outlive the session. */
    gpu_status (*open)(gpu_device *device, const char *library, bool debug_layer,
                       dml_session **session, gpu_failure *why);
    void (*close)(dml_session *session);                   /* NULL is allowed */
    uint32_t (*feature_level)(const dml_session *session); /* 0x6200 is 6.2; 0: unknown */

    /* Creates and compiles, whatever the descriptor. GPU_OK also where DirectML rejects it. */
    gpu_status (*ask)(dml_session *session, const cumsum_operator_desc *desc,
                      uint32_t execution_flags, dml_answer *answer, gpu_failure *why);

    /* Computes. GPU_REJECTED, and answer says which, where one of the two calls failed. timing may
     * be NULL; it has the operator alone, without its initialization. */
    gpu_status (*execute)(dml_session *session, const dml_job *job, dml_answer *answer,
                          gpu_timing *timing, gpu_failure *why);
};

#endif
