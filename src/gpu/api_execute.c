/* SPDX-License-Identifier: MIT */
/*
 * The public functions that compute and that measure. Both perform the checks of the CPU's
 * functions before the GPU sees any of the arguments.
 */
#include "api_device.h"
#include "binding.h"
#include "diagnose.h"
#include "problem.h"

#define MAX_REPETITIONS 1000

/* The arguments of a computation, after they were checked. */
typedef struct api_work {
    cumsum_problem problem;
    cumsum_numerics numerics; /* as the device will compute */
    cumsum_binding binding;
} api_work;

/* Performs every check of cumsum_plan_create and cumsum_plan_execute. numerics may be NULL. */
static cumsum_status check_work(api_work *work, const cumsum_d3d12_device *device,
                                const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                                cumsum_feature_level level, const cumsum_binding *binding,
                                cumsum_diagnostic *diagnostic) {
    *work = (api_work){.binding = *binding};
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    cumsum_status status =
        cumsum_gpu_read(&work->problem, &work->numerics, desc, numerics, level, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_binding_check(&work->problem, binding, diagnostic);
    return status;
}

static cumsum_status run_scan(cumsum_d3d12_device *device, const api_work *work,
                              cumsum_d3d12_timing *timing, cumsum_diagnostic *diagnostic) {
    gpu_scan_timing measured = {0};
    gpu_failure why = {0};
    gpu_status status = cumsum_scan_run(device->scanner, &work->problem, &work->numerics,
                                        work->binding.input, work->binding.output, &measured, &why);
    if (status != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (timing) {
        timing->nanoseconds = cumsum_gpu_nanoseconds(device, measured.ticks);
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
    api_work work;
    cumsum_status status = check_work(&work, device, desc, numerics, level, &binding, diagnostic);
    return status == CUMSUM_OK ? run_scan(device, &work, timing, diagnostic) : status;
}

cumsum_status cumsum_gpu_check_measurement(const cumsum_d3d12_speed *speed, uint32_t repetitions,
                                           cumsum_diagnostic *diagnostic) {
    if (!speed)
        return cumsum_diagnose_argument(diagnostic, "speed", 0, "NULL", "must be given");
    if (repetitions < 1 || repetitions > MAX_REPETITIONS) {
        return cumsum_diagnose_argument(diagnostic, "repetitions", repetitions, NULL,
                                        "must be from 1 to 1000");
    }
    return CUMSUM_OK;
}

cumsum_status cumsum_d3d12_measure(cumsum_d3d12_device *device, const cumsum_operator_desc *desc,
                                   const cumsum_numerics *numerics, cumsum_feature_level level,
                                   const void *input, uint64_t input_in_bytes, void *output,
                                   uint64_t output_in_bytes, uint32_t repetitions,
                                   cumsum_d3d12_speed *speed, cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {input, input_in_bytes, output, output_in_bytes};
    api_work work;
    gpu_failure why = {0};
    cumsum_status status = cumsum_gpu_check_measurement(speed, repetitions, diagnostic);
    if (status == CUMSUM_OK)
        status = check_work(&work, device, desc, numerics, level, &binding, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    return cumsum_scan_measure(device->scanner, &work.problem, &work.numerics, input, output,
                               repetitions, speed, &why) == GPU_OK
               ? CUMSUM_OK
               : cumsum_gpu_diagnose(diagnostic, &why);
}
