/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_API_DIRECTML_H
#define CUMSUM_GPU_API_DIRECTML_H

/* The structure behind a cumsum_directml. */

#include "api_device.h"
#include "directml_operator.h"
#include "dml_runtime.h"
#include "scan_memory.h"

struct cumsum_directml {
    cumsum_d3d12_device *device;
    const struct dml_runtime *runtime;
    dml_session *session;
    scan_memory memory; /* the buffers of the input and the output */
};

/* cumsum_directml_open with another library, for tests. */
cumsum_status cumsum_directml_open_library(cumsum_d3d12_device *device, const char *library,
                                           bool debug_layer, cumsum_directml **directml,
                                           cumsum_diagnostic *diagnostic);

#endif
