/* SPDX-License-Identifier: MIT */
/*
 * The public functions of directml_operator.h but for the execution: opening, closing, asking.
 * Everything about the operator's numerics that is not documented by Microsoft was measured
 * (docs/devices.md).
 */
#include "api_directml.h"

#include <stdio.h>
#include <stdlib.h>

cumsum_status cumsum_directml_open_library(cumsum_d3d12_device *device, const char *library,
                                           bool debug_layer, cumsum_directml **directml,
                                           cumsum_diagnostic *diagnostic) {
    gpu_failure why = {.status = GPU_OUT_OF_MEMORY, .message = "no memory for a DirectML device"};
    cumsum_directml *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_diagnose(diagnostic, &why);
    made->device = device;
    made->runtime = device->gpu->driver->directml;
    made->memory.device = device->gpu;
    if (made->runtime->open(device->gpu, library, debug_layer, &made->session, &why) != GPU_OK) {
        free(made);
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    *directml = made;
    return CUMSUM_OK;
}

/* vkd3d's calling convention excludes DirectML (dml_execute.c), and a driver for tests has none. */
static cumsum_status no_directml(const cumsum_d3d12_device *device, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {.status = GPU_UNAVAILABLE};
    snprintf(why.message, sizeof why.message,
             "DirectML needs Windows or WSL, but this is a device of %s", device->gpu->info.api);
    return cumsum_gpu_diagnose(diagnostic, &why);
}

cumsum_status cumsum_directml_open(cumsum_d3d12_device *device, bool debug_layer,
                                   cumsum_directml **directml, cumsum_diagnostic *diagnostic) {
    *directml = NULL;
    const struct dml_runtime *runtime = device->gpu->driver->directml;
    if (!runtime || !runtime->library)
        return no_directml(device, diagnostic);
    return cumsum_directml_open_library(device, runtime->library, debug_layer, directml,
                                        diagnostic);
}

void cumsum_directml_close(cumsum_directml *directml) {
    if (directml) {
        cumsum_scan_memory_close(&directml->memory);
        directml->runtime->close(directml->session);
        free(directml);
    }
}

uint32_t cumsum_directml_feature_level(const cumsum_directml *directml) {
    return directml->runtime->feature_level(directml->session);
}

/* Both FLOAT16 properties depend on whether the device has native 16-bit operations. */
cumsum_numerics cumsum_directml_numerics(const cumsum_directml *directml,
                                         uint32_t execution_flags) {
    const bool native = directml->device->gpu->info.native_16bit_shader_ops;
    const bool half =
        (execution_flags & CUMSUM_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION) != 0;
    return (cumsum_numerics){.half_accumulator = native && half ? CUMSUM_HALF_ACCUMULATOR_FLOAT16
                                                                : CUMSUM_HALF_ACCUMULATOR_FLOAT32,
                             .half_store = native ? CUMSUM_HALF_STORE_NEAREST_EVEN
                                                  : CUMSUM_HALF_STORE_TOWARD_ZERO};
}

/* The descriptor is not validated first: the answer to an invalid one is what the caller wants. */
cumsum_status cumsum_directml_ask(cumsum_directml *directml, const cumsum_operator_desc *desc,
                                  uint32_t execution_flags, cumsum_directml_answer *answer,
                                  cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    return directml->runtime->ask(directml->session, desc, execution_flags, answer, &why) == GPU_OK
               ? CUMSUM_OK
               : cumsum_gpu_diagnose(diagnostic, &why);
}
