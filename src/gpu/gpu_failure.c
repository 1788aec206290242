/* SPDX-License-Identifier: MIT */
/* Why a call failed, in a sentence, and as a public diagnostic. */
#include <stdarg.h>
#include <stdio.h>

#include "gpu_driver.h"

gpu_status cumsum_gpu_refuse_result(gpu_failure *why, gpu_status status, int32_t hresult,
                                    const char *format, ...) {
    va_list values;
    *why = (gpu_failure){.status = status, .hresult = hresult};
    va_start(values, format);
    vsnprintf(why->message, sizeof why->message, format, values);
    va_end(values);
    return status;
}

/* The public status of each gpu_status that is a failure. */
static const cumsum_status statuses[] = {
    [GPU_UNAVAILABLE] = CUMSUM_NO_DEVICE,         [GPU_OUT_OF_MEMORY] = CUMSUM_OUT_OF_MEMORY,
    [GPU_DEVICE_REMOVED] = CUMSUM_DEVICE_REMOVED, [GPU_TIMEOUT] = CUMSUM_DEVICE_TIMEOUT,
    [GPU_REJECTED] = CUMSUM_DEVICE_FAILED,        [GPU_GUARD_BROKEN] = CUMSUM_GUARD_BROKEN};

/* A failure of the GPU concerns no tensor and no field. `value` is the HRESULT. */
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
