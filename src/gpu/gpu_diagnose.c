/* SPDX-License-Identifier: MIT */
#include "gpu_diagnose.h"

#include <stdio.h>

static const cumsum_status statuses[] = {
    [GPU_UNAVAILABLE] = CUMSUM_NO_DEVICE,         [GPU_OUT_OF_MEMORY] = CUMSUM_OUT_OF_MEMORY,
    [GPU_DEVICE_REMOVED] = CUMSUM_DEVICE_REMOVED, [GPU_TIMEOUT] = CUMSUM_DEVICE_TIMEOUT,
    [GPU_REJECTED] = CUMSUM_DEVICE_FAILED,        [GPU_GUARD_BROKEN] = CUMSUM_GUARD_BROKEN};

cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why) {
    const cumsum_status status = statuses[why->status];
    if (diagnostic) {
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
