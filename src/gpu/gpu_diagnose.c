/* SPDX-License-Identifier: MIT */
#include "gpu_diagnose.h"

#include <stdio.h>

static cumsum_status status_of(gpu_status status) {
    switch (status) {
    case GPU_OK:
        return CUMSUM_OK;
    case GPU_UNAVAILABLE:
        return CUMSUM_NO_DEVICE;
    case GPU_OUT_OF_MEMORY:
        return CUMSUM_OUT_OF_MEMORY;
    case GPU_DEVICE_REMOVED:
        return CUMSUM_DEVICE_REMOVED;
    case GPU_TIMEOUT:
        return CUMSUM_DEVICE_TIMEOUT;
    case GPU_REJECTED:
        return CUMSUM_DEVICE_FAILED;
    case GPU_GUARD_BROKEN:
        return CUMSUM_GUARD_BROKEN;
    }
    return CUMSUM_DEVICE_FAILED;
}

cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why) {
    cumsum_status status = status_of(why->status);
    if (status != CUMSUM_OK && diagnostic) {
        *diagnostic = (cumsum_diagnostic){.status = status,
                                          .tensor = "",
                                          .field = "",
                                          .dimension = -1,
                                          .value = (uint32_t)why->hresult,
                                          .rule = cumsum_status_string(status)};
        snprintf(diagnostic->message, sizeof diagnostic->message, "%s: %s",
                 cumsum_status_string(status), why->message);
    }
    return status;
}
