/* SPDX-License-Identifier: MIT */
/* Why a call failed, in a sentence. */
#include <stdarg.h>
#include <stdio.h>

#include "gpu_driver.h"

gpu_status cumsum_gpu_refuse(gpu_failure *why, gpu_status status, const char *format, ...) {
    va_list values;
    *why = (gpu_failure){.status = status};
    va_start(values, format);
    vsnprintf(why->message, sizeof why->message, format, values);
    va_end(values);
    return status;
}
