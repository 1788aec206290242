/* SPDX-License-Identifier: MIT */
/*
 * Recording into command lists of the caller's: plans, and the checks of the caller's buffers.
 *
 * Invariant: nothing is recorded before every argument was checked, so a call that fails leaves the
 * command list as it was.
 */
#include <stdlib.h>

#include "api_device.h"
#include "diagnose.h"
#include "driver_registry.h"

/* Offsets of tensors and of scratch memory are multiples of these, as in DirectML. */
enum {
    TENSOR_ALIGNMENT = 16,
    SCRATCH_ALIGNMENT = 256
};
_Static_assert(SCRATCH_ALIGNMENT % GPU_BINDING_ALIGNMENT == 0, "scratch memory can be bound");

struct cumsum_d3d12_plan {
    gpu_device *gpu;
    gpu_scanner *scanner;
    cumsum_problem problem;
    cumsum_numerics numerics;
    uint64_t scratch; /* bytes */
};

/* A tensor that a buffer of the device cannot hold would have to be scanned in pieces. */
static cumsum_status check_size(const cumsum_d3d12_plan *plan, const char *tensor, uint64_t extent,
                                cumsum_diagnostic *diagnostic) {
    const uint64_t most =
        plan->gpu->driver->info(plan->gpu)->max_buffer_in_bytes - GPU_BINDING_ALIGNMENT;
    const uint64_t bytes = extent * plan->problem.element_size;
    if (bytes <= most)
        return CUMSUM_OK;
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                                                             .tensor = tensor,
                                                             .field = "SizeInBytes",
                                                             .dimension = -1,
                                                             .value = bytes,
                                                             .limit = most,
                                                             .show_limit = true,
                                                             .rule = "must be at most what a "
                                                                     "shader can access"});
}

static cumsum_status make_scans(cumsum_d3d12_plan *plan, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    scan_plan scans;
    gpu_status status = cumsum_scanner_open(plan->gpu, NULL, &plan->scanner, &why);
    if (status != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    status = cumsum_scan_plan(plan->scanner, &plan->problem, &plan->numerics, &scans, &why);
    plan->scratch = scans.work;
    if (scans.too_long || scans.work > plan->gpu->driver->info(plan->gpu)->max_buffer_in_bytes) {
        return cumsum_diagnose(
            diagnostic,
            &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                                  .tensor = CUMSUM_OUTPUT_NAME,
                                  .field = "Strides",
                                  .dimension = -1,
                                  .value_name = "such",
                                  .rule = "a recording has at most 65536 dispatches and 512 MiB of "
                                          "scratch memory",
                                  .rule_is_clause = true});
    }
    return status == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
}

static cumsum_status make_plan(cumsum_d3d12_plan *plan, void *device,
                               cumsum_diagnostic *diagnostic) {
    const gpu_driver *driver;
    gpu_failure why = {0};
    gpu_status adopted = cumsum_gpu_driver_of(cumsum_gpu_drivers, device, &driver, &why);
    if (adopted == GPU_OK)
        adopted = driver->adopt(device, &plan->gpu, &why);
    if (adopted != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    cumsum_status status =
        check_size(plan, CUMSUM_INPUT_NAME, plan->problem.input_extent, diagnostic);
    if (status == CUMSUM_OK)
        status = check_size(plan, CUMSUM_OUTPUT_NAME, plan->problem.output_extent, diagnostic);
    return status == CUMSUM_OK ? make_scans(plan, diagnostic) : status;
}

cumsum_status cumsum_d3d12_plan_create(struct ID3D12Device *device,
                                       const cumsum_operator_desc *desc,
                                       const cumsum_numerics *numerics, cumsum_feature_level level,
                                       cumsum_d3d12_plan **plan, cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    *plan = NULL;
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    cumsum_d3d12_plan *made = calloc(1, sizeof *made);
    if (!made) {
        const gpu_failure why = {GPU_OUT_OF_MEMORY, 0, "no memory for a plan"};
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    cumsum_status status =
        cumsum_gpu_read(&made->problem, &made->numerics, desc, numerics, level, diagnostic);
    if (status == CUMSUM_OK)
        status = make_plan(made, device, diagnostic);
    if (status == CUMSUM_OK)
        *plan = made;
    else
        cumsum_d3d12_plan_destroy(made);
    return status;
}

/* Also called for a plan that was made in part. */
void cumsum_d3d12_plan_destroy(cumsum_d3d12_plan *plan) {
    if (plan) {
        cumsum_scanner_close(plan->scanner);
        if (plan->gpu)
            plan->gpu->driver->close(plan->gpu);
        free(plan);
    }
}

uint64_t cumsum_d3d12_plan_scratch(const cumsum_d3d12_plan *plan) {
    return plan ? plan->scratch : 0;
}

/* One of the three buffers of a recording, and what the plan asks of it. */
typedef struct bound {
    const char *name;
    const cumsum_d3d12_buffer *given;
    uint64_t needed;    /* bytes that the binding must have */
    uint64_t occupied;  /* bytes that are accessed */
    uint64_t alignment; /* of the offset */
    gpu_binding adopted;
} bound;

/* The resource as a binding of the driver's. */
static cumsum_status adopt(const cumsum_d3d12_plan *plan, bound *b, uint64_t *width,
                           cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    const gpu_status status = plan->gpu->driver->buffer_adopt(plan->gpu, b->given->resource,
                                                              &b->adopted.buffer, width, &why);
    b->adopted.offset = b->given->offset_in_bytes;
    if (status == GPU_REJECTED) {
        return cumsum_diagnose(
            diagnostic,
            &(cumsum_broken_rule){.status = CUMSUM_INVALID_BINDING,
                                  .tensor = b->name,
                                  .field = "resource",
                                  .dimension = -1,
                                  .value_name = "unusable",
                                  .rule = "must be a buffer made with "
                                          "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS"});
    }
    return status == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
}

static cumsum_status check_bound(const cumsum_d3d12_plan *plan, bound *b,
                                 cumsum_diagnostic *diagnostic) {
    uint64_t width = 0;
    if (!b->given || !b->given->resource)
        return cumsum_diagnose_argument(diagnostic, b->name, 0, "NULL", "must be given");
    const uint64_t offset = b->given->offset_in_bytes;
    const uint64_t size = b->given->size_in_bytes;
    if (size < b->needed)
        return cumsum_diagnose_binding(diagnostic, b->name, "size_in_bytes", size, b->needed,
                                       "must be at least what the plan needs");
    if (offset % b->alignment)
        return cumsum_diagnose_binding(diagnostic, b->name, "offset_in_bytes", offset, b->alignment,
                                       "must be a multiple of the alignment");
    const cumsum_status status = adopt(plan, b, &width, diagnostic);
    if (status != CUMSUM_OK || (offset <= width && size <= width - offset))
        return status;
    return cumsum_diagnose_binding(diagnostic, b->name, "size_in_bytes", size,
                                   offset < width ? width - offset : 0,
                                   "must not reach past the end of the resource");
}

static bool bound_overlap(const bound *a, const bound *b) {
    const uint64_t at = a->given->offset_in_bytes;
    const uint64_t bt = b->given->offset_in_bytes;
    return a->given->resource == b->given->resource && at < bt + b->occupied &&
           bt < at + a->occupied;
}

/* In place, as in cumsum_plan_execute, needs equal strides and total sizes. */
static cumsum_status check_bounds_overlap(const cumsum_d3d12_plan *plan, const bound *input,
                                          const bound *output, const bound *scratch,
                                          cumsum_diagnostic *diagnostic) {
    const bool same = input->given->offset_in_bytes == output->given->offset_in_bytes;
    const bound *other = NULL;
    const bound *with = scratch;
    if (bound_overlap(input, output) && !(same && plan->problem.same_layout)) {
        other = output;
        with = input;
    } else if (scratch->needed && bound_overlap(input, scratch)) {
        other = input;
    } else if (scratch->needed && bound_overlap(output, scratch)) {
        other = output;
    }
    if (!other)
        return CUMSUM_OK;
    return cumsum_diagnose_binding(
        diagnostic, other->name, "offset_in_bytes", other->given->offset_in_bytes,
        with->given->offset_in_bytes,
        with == scratch ? "must not lie in memory that overlaps Scratch's"
                        : "must not lie in memory that overlaps InputTensor's, except in "
                          "place with the same strides and total size");
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Without scratch memory the slot has the output, which no shader then writes through it. */
static cumsum_status record_checked(const cumsum_d3d12_plan *plan, void *list, bound b[3],
                                    cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    cumsum_status status = check_bound(plan, &b[0], diagnostic);
    if (status == CUMSUM_OK)
        status = check_bound(plan, &b[1], diagnostic);
    if (status == CUMSUM_OK && plan->scratch)
        status = check_bound(plan, &b[2], diagnostic);
    if (status == CUMSUM_OK)
        status = check_bounds_overlap(plan, &b[0], &b[1], &b[2], diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const bool in_place = bound_overlap(&b[0], &b[1]);
    const scan_buffers buffers = {b[in_place ? 1 : 0].adopted, b[1].adopted,
                                  b[plan->scratch ? 2 : 1].adopted};
    const gpu_status recorded = cumsum_scan_record(plan->scanner, &plan->problem, &plan->numerics,
                                                   &buffers, in_place, list, &why);
    return recorded == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
}

cumsum_status
cumsum_d3d12_record(const cumsum_d3d12_plan *plan, struct ID3D12GraphicsCommandList *command_list,
                    const cumsum_d3d12_buffer *input, const cumsum_d3d12_buffer *output,
                    const cumsum_d3d12_buffer *scratch, cumsum_diagnostic *diagnostic) {
    if (!plan || !command_list) {
        return cumsum_diagnose_argument(diagnostic, plan ? "command_list" : "plan", 0, "NULL",
                                        "must be given");
    }
    const cumsum_problem *p = &plan->problem;
    bound b[] = {{.name = CUMSUM_INPUT_NAME,
                  .given = input,
                  .needed = p->input_size,
                  .occupied = p->input_extent * p->element_size,
                  .alignment = larger(p->input_alignment, TENSOR_ALIGNMENT)},
                 {.name = CUMSUM_OUTPUT_NAME,
                  .given = output,
                  .needed = p->output_size,
                  .occupied = p->output_extent * p->element_size,
                  .alignment = larger(p->output_alignment, TENSOR_ALIGNMENT)},
                 {.name = "Scratch",
                  .given = scratch,
                  .needed = plan->scratch,
                  .occupied = plan->scratch,
                  .alignment = SCRATCH_ALIGNMENT}};
    const cumsum_status status = record_checked(plan, command_list, b, diagnostic);
    for (size_t i = 0; i < sizeof b / sizeof b[0]; i++)
        plan->gpu->driver->buffer_close(b[i].adopted.buffer);
    return status;
}
