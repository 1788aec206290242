/* SPDX-License-Identifier: MIT */
/* The public functions of cumsum/cuda.h: plans, and launches into streams of the caller's. */
#include <cumsum/cuda.h>

#include "cuda_device.h"
#include "diagnose.h"
#include "recording.h"

#define SCRATCH_ALIGNMENT 16

/* A cumsum_cuda_plan is a gpu_plan. */

static gpu_status open_number(void *number, gpu_device **gpu, uint64_t *most, gpu_failure *why) {
    cuda_device *device;
    const gpu_status status = cumsum_cuda_open_gpu(*(const int *)number, &device, why);
    *gpu = device ? &device->base : NULL;
    *most = UINT64_MAX;
    return status;
}

cumsum_status cumsum_cuda_plan_create(int device, const cumsum_operator_desc *desc,
                                      const cumsum_numerics *numerics, cumsum_feature_level level,
                                      cumsum_cuda_plan **plan, cumsum_diagnostic *diagnostic) {
    gpu_plan *made;
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    const cumsum_status status =
        cumsum_gpu_plan_create(open_number, &device, desc, numerics, level, &made, diagnostic);
    *plan = (cumsum_cuda_plan *)made;
    return status;
}

void cumsum_cuda_plan_destroy(cumsum_cuda_plan *plan) {
    cumsum_gpu_plan_destroy((gpu_plan *)plan);
}

uint64_t cumsum_cuda_plan_scratch(const cumsum_cuda_plan *plan) {
    return plan ? ((const gpu_plan *)plan)->scratch : 0;
}

static cumsum_status take(cuda_device *device, const cumsum_cuda_memory *memory, gpu_given *g,
                          cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    const char *rule;
    if (!memory || !memory->address)
        return cumsum_diagnose_argument(diagnostic, g->name, 0, "NULL", "must be given");
    g->size = memory->size_in_bytes;
    g->end = UINT64_MAX;
    g->binding = (gpu_binding){&device->everything, memory->address};
    if (cumsum_cuda_check_address(device, memory->address, &rule, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (!rule)
        return CUMSUM_OK;
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_BINDING,
                                                             .tensor = g->name,
                                                             .field = g->field,
                                                             .dimension = -1,
                                                             .value = memory->address,
                                                             .rule = rule});
}

cumsum_status cumsum_cuda_launch(const cumsum_cuda_plan *plan, struct CUstream_st *stream,
                                 const cumsum_cuda_memory *input, const cumsum_cuda_memory *output,
                                 const cumsum_cuda_memory *scratch, cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    const gpu_plan *base = (const gpu_plan *)plan;
    const cumsum_cuda_memory *const memory[GIVEN_COUNT] = {input, output, scratch};
    const int count = base->scratch ? GIVEN_COUNT : GIVEN_SCRATCH;
    gpu_given given[GIVEN_COUNT];
    cumsum_status status = CUMSUM_OK;
    cumsum_gpu_ask(base, "address", base->problem.element_size, SCRATCH_ALIGNMENT, given);
    for (int i = 0; i < count && status == CUMSUM_OK; i++)
        status = take((cuda_device *)base->gpu, memory[i], &given[i], diagnostic);
    return status == CUMSUM_OK ? cumsum_gpu_record(base, stream, given, diagnostic) : status;
}
