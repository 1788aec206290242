/* SPDX-License-Identifier: MIT */
/* The public functions of cumsum/cuda.h: plans, and launches into streams of the caller's. */
#include <cumsum/cuda.h>

#include <stdlib.h>

#include "cuda_device.h"
#include "diagnose.h"
#include "recording.h"

#define SCRATCH_ALIGNMENT 16

struct cumsum_cuda_plan {
    gpu_plan base;
};

static cumsum_status plan_on_gpu(gpu_plan *plan, int gpu, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    cuda_device *device;
    if (cumsum_cuda_open_gpu(gpu, &device, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    plan->gpu = &device->base;
    return cumsum_gpu_plan_make(plan, UINT64_MAX, diagnostic);
}

cumsum_status cumsum_cuda_plan_create(int device, const cumsum_operator_desc *desc,
                                      const cumsum_numerics *numerics, cumsum_feature_level level,
                                      cumsum_cuda_plan **plan, cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    *plan = NULL;
    cumsum_cuda_plan *made = calloc(1, sizeof *made);
    if (!made) {
        const gpu_failure why = {GPU_OUT_OF_MEMORY, 0, "no memory for a plan"};
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    cumsum_status status = cumsum_gpu_read(&made->base.problem, &made->base.numerics, desc,
                                           numerics, level, diagnostic);
    if (status == CUMSUM_OK)
        status = plan_on_gpu(&made->base, device, diagnostic);
    if (status == CUMSUM_OK)
        *plan = made;
    else
        cumsum_cuda_plan_destroy(made);
    return status;
}

/* Also called for a plan that was made in part. */
void cumsum_cuda_plan_destroy(cumsum_cuda_plan *plan) {
    cumsum_gpu_plan_close(plan ? &plan->base : NULL);
    free(plan);
}

uint64_t cumsum_cuda_plan_scratch(const cumsum_cuda_plan *plan) {
    return plan ? plan->base.scratch : 0;
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
    return rule ? cumsum_diagnose_binding(diagnostic, g->name, g->field, memory->address, 0, rule)
                : CUMSUM_OK;
}

cumsum_status cumsum_cuda_launch(const cumsum_cuda_plan *plan, struct CUstream_st *stream,
                                 const cumsum_cuda_memory *input, const cumsum_cuda_memory *output,
                                 const cumsum_cuda_memory *scratch, cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    const cumsum_cuda_memory *const memory[GIVEN_COUNT] = {input, output, scratch};
    const int count = plan->base.scratch ? GIVEN_COUNT : GIVEN_SCRATCH;
    gpu_given given[GIVEN_COUNT];
    cumsum_status status = CUMSUM_OK;
    cumsum_gpu_ask(&plan->base, "address", plan->base.problem.element_size, SCRATCH_ALIGNMENT,
                   given);
    for (int i = 0; i < count && status == CUMSUM_OK; i++)
        status = take((cuda_device *)plan->base.gpu, memory[i], &given[i], diagnostic);
    return status == CUMSUM_OK ? cumsum_gpu_record(&plan->base, stream, given, diagnostic) : status;
}
