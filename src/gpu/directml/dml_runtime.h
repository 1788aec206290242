/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_DML_RUNTIME_H
#define CUMSUM_GPU_DML_RUNTIME_H

/*
 * Microsoft's operator on an open Direct3D 12 device, as a table of plain C functions. There is one
 * table for each calling convention; a device's driver names the one for its own. No type of
 * Direct3D or DirectML appears here, so api_directml*.c is compiled once.
 */

#include "directml_operator.h"
#include "gpu_driver.h"

typedef struct dml_session dml_session;

/* One execution. Each tensor begins at the offset in its buffer, which is a multiple of the
 * tensor's guaranteed alignment. */
typedef struct dml_job {
    const cumsum_operator_desc *desc;
    uint32_t execution_flags;
    gpu_binding input;
    uint64_t input_in_bytes;
    gpu_binding output;
    uint64_t output_in_bytes;
} dml_job;

struct dml_runtime {
    /* The file name of DirectML's library; NULL if there is none for this calling convention. */
    const char *library;

    /* Loads `library` and makes a DirectML device. GPU_UNAVAILABLE if the library is missing or
     * does not support the device. The device must outlive the session. */
    gpu_status (*open)(gpu_device *device, const char *library, bool debug_layer,
                       dml_session **session, gpu_failure *why);
    void (*close)(dml_session *session);                   /* NULL is allowed */
    uint32_t (*feature_level)(const dml_session *session); /* 0x6200 is 6.2; 0: unknown */

    /* Creates and compiles an operator, valid or not. GPU_OK also if DirectML rejects it. */
    gpu_status (*ask)(dml_session *session, const cumsum_operator_desc *desc,
                      uint32_t execution_flags, cumsum_directml_answer *answer, gpu_failure *why);

    /* Computes. GPU_REJECTED if CreateOperator or CompileOperator failed; `answer` says which. */
    gpu_status (*execute)(dml_session *session, const dml_job *job, cumsum_directml_answer *answer,
                          gpu_failure *why);
};

#endif
