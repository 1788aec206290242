/* SPDX-License-Identifier: MIT */
/* An execution on the GPU: the checks of the CPU's, then the scan. */
#include "api_device.h"
#include "api_work.h"
#include "gpu_diagnose.h"

static cumsum_status run(cumsum_d3d12_device *device, const cumsum_api_work *work,
                         cumsum_d3d12_timing *timing, cumsum_diagnostic *diagnostic) {
    gpu_scan_timing measured = {0};
    gpu_failure why = {0};
    gpu_status status = cumsum_scan_run(device->scanner, &work->problem, &work->numerics,
                                        work->binding.input, work->binding.output, &measured, &why);
    if (status != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (timing) {
        timing->nanoseconds = cumsum_api_nanoseconds(device, measured.ticks);
        timing->dispatches = measured.dispatches;
    }
    return CUMSUM_OK;
}

cumsum_status cumsum_d3d12_execute(cumsum_d3d12_device *device, const cumsum_operator_desc *desc,
                                   const cumsum_numerics *numerics, cumsum_feature_level level,
                                   const void *input, uint64_t input_in_bytes, void *output,
                                   uint64_t output_in_bytes, cumsum_d3d12_timing *timing,
                                   cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {input, input_in_bytes, output, output_in_bytes};
    cumsum_api_work work;
    cumsum_status status =
        cumsum_api_prepare(&work, device, desc, numerics, level, &binding, diagnostic);
    return status == CUMSUM_OK ? run(device, &work, timing, diagnostic) : status;
}
