/* SPDX-License-Identifier: MIT */
/*
 * Recording into command lists of the caller's.
 *
 * Invariant: nothing is recorded before every argument was checked, so a call that fails leaves the
 * command list as it was.
 */
#include "api_device.h"
#include "diagnose.h"
#include "driver_registry.h"

/* Offsets of tensors and of scratch memory are multiples of these, as in DirectML. */
enum {
    TENSOR_ALIGNMENT = 16,
    SCRATCH_ALIGNMENT = 256
};
_Static_assert(SCRATCH_ALIGNMENT % GPU_BINDING_ALIGNMENT == 0, "scratch memory can be bound");

/* A cumsum_d3d12_plan is a gpu_plan. */

static gpu_status adopt_caller(void *device, gpu_device **gpu, uint64_t *most, gpu_failure *why) {
    const gpu_driver *driver;
    gpu_status status = cumsum_gpu_driver_of(cumsum_gpu_drivers, device, &driver, why);
    if (status == GPU_OK)
        status = driver->adopt(device, gpu, why);
    if (status == GPU_OK)
        *most = (*gpu)->info.max_buffer_in_bytes - GPU_BINDING_ALIGNMENT;
    return status;
}

cumsum_status cumsum_d3d12_plan_create(struct ID3D12Device *device,
                                       const cumsum_operator_desc *desc,
                                       const cumsum_numerics *numerics, cumsum_feature_level level,
                                       cumsum_d3d12_plan **plan, cumsum_diagnostic *diagnostic) {
    gpu_plan *made;
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    *plan = NULL;
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    const cumsum_status status =
        cumsum_gpu_plan_create(adopt_caller, device, desc, numerics, level, &made, diagnostic);
    *plan = (cumsum_d3d12_plan *)made;
    return status;
}

void cumsum_d3d12_plan_destroy(cumsum_d3d12_plan *plan) {
    cumsum_gpu_plan_destroy((gpu_plan *)plan);
}

uint64_t cumsum_d3d12_plan_scratch(const cumsum_d3d12_plan *plan) {
    return plan ? ((const gpu_plan *)plan)->scratch : 0;
}

/* The resource as a binding of the driver's. */
static cumsum_status adopt(const gpu_plan *plan, const cumsum_d3d12_buffer *buffer, gpu_given *g,
                           cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    if (!buffer || !buffer->resource)
        return cumsum_diagnose_argument(diagnostic, g->name, 0, "NULL", "must be given");
    g->memory = buffer->resource;
    g->size = buffer->size_in_bytes;
    g->binding.offset = buffer->offset_in_bytes;
    const gpu_status status = plan->gpu->driver->buffer_adopt(plan->gpu, buffer->resource,
                                                              &g->binding.buffer, &g->end, &why);
    if (status == GPU_REJECTED) {
        return cumsum_diagnose(
            diagnostic,
            &(cumsum_broken_rule){.status = CUMSUM_INVALID_BINDING,
                                  .tensor = g->name,
                                  .field = "resource",
                                  .dimension = -1,
                                  .value_name = "unusable",
                                  .rule = "must be a buffer made with "
                                          "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS"});
    }
    return status == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
}

cumsum_status
cumsum_d3d12_record(const cumsum_d3d12_plan *plan, struct ID3D12GraphicsCommandList *command_list,
                    const cumsum_d3d12_buffer *input, const cumsum_d3d12_buffer *output,
                    const cumsum_d3d12_buffer *scratch, cumsum_diagnostic *diagnostic) {
    if (!plan || !command_list) {
        return cumsum_diagnose_argument(diagnostic, plan ? "command_list" : "plan", 0, "NULL",
                                        "must be given");
    }
    const gpu_plan *base = (const gpu_plan *)plan;
    const cumsum_d3d12_buffer *const buffers[GIVEN_COUNT] = {input, output, scratch};
    const int count = base->scratch ? GIVEN_COUNT : GIVEN_SCRATCH;
    gpu_given given[GIVEN_COUNT];
    cumsum_status status = CUMSUM_OK;
    cumsum_gpu_ask(base, "offset_in_bytes", TENSOR_ALIGNMENT, SCRATCH_ALIGNMENT, given);
    for (int i = 0; i < count && status == CUMSUM_OK; i++)
        status = adopt(base, buffers[i], &given[i], diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_gpu_record(base, command_list, given, diagnostic);
    for (int i = 0; i < count; i++)
        base->gpu->driver->buffer_close(given[i].binding.buffer);
    return status;
}
