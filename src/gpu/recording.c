/* SPDX-License-Identifier: MIT */
/* Plans for devices of the caller's, and the checks of the caller's memory. */
#include "recording.h"

#include <stdlib.h>

#include "diagnose.h"
#include "validate.h"

/* Integers have the same sums in every order, so the exact one can be replaced. Exact
 * floating-point sums are computed on the CPU only. */
static cumsum_status choose_order(const cumsum_problem *problem, cumsum_numerics *numerics,
                                  cumsum_diagnostic *diagnostic) {
    if (numerics->order != CUMSUM_ORDER_EXACT)
        return CUMSUM_OK;
    if (problem->type == CUMSUM_DATA_TYPE_FLOAT32 || problem->type == CUMSUM_DATA_TYPE_FLOAT16) {
        return cumsum_diagnose_unsupported(diagnostic, "order", CUMSUM_ORDER_EXACT, "EXACT",
                                           "exact sums are computed on the CPU alone");
    }
    numerics->order = CUMSUM_ORDER_SEQUENTIAL;
    return CUMSUM_OK;
}

cumsum_status cumsum_gpu_read(cumsum_problem *problem, cumsum_numerics *numerics,
                              const cumsum_operator_desc *desc, const cumsum_numerics *given,
                              cumsum_feature_level level, cumsum_diagnostic *diagnostic) {
    *numerics = given ? *given : (cumsum_numerics){0};
    cumsum_status status = cumsum_validate_numerics(numerics, CUMSUM_NUMERICS_COMPUTED, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init(problem, desc, level, diagnostic);
    return status == CUMSUM_OK ? choose_order(problem, numerics, diagnostic) : status;
}

/* A tensor that a buffer of the device cannot hold would have to be scanned in pieces. */
static cumsum_status check_size(const gpu_plan *plan, const char *tensor, uint64_t extent,
                                uint64_t most, cumsum_diagnostic *diagnostic) {
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

static cumsum_status make_scans(gpu_plan *plan, uint64_t most, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    scan_plan scans;
    gpu_status status = cumsum_scanner_open(plan->gpu, NULL, &plan->scanner, &why);
    if (status != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    status = cumsum_scan_plan(plan->scanner, &plan->problem, &plan->numerics, &scans, &why);
    plan->scratch = scans.work;
    if (!scans.too_long && scans.work <= most)
        return status == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
    return cumsum_diagnose(
        diagnostic,
        &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                              .tensor = CUMSUM_OUTPUT_NAME,
                              .field = "Strides",
                              .dimension = -1,
                              .value_name = "such that elements overlap",
                              .rule = "a plan has at most 65536 dispatches (kernels), and scratch "
                                      "memory that a shader can access",
                              .rule_is_clause = true});
}

static cumsum_status make_plan(gpu_plan *plan, gpu_plan_open *open, void *device,
                               cumsum_diagnostic *diagnostic) {
    const cumsum_problem *problem = &plan->problem;
    uint64_t most = 0;
    gpu_failure why = {0};
    if (open(device, &plan->gpu, &most, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    cumsum_status status =
        check_size(plan, CUMSUM_INPUT_NAME, problem->input_extent, most, diagnostic);
    if (status == CUMSUM_OK)
        status = check_size(plan, CUMSUM_OUTPUT_NAME, problem->output_extent, most, diagnostic);
    return status == CUMSUM_OK ? make_scans(plan, most, diagnostic) : status;
}

cumsum_status cumsum_gpu_plan_create(gpu_plan_open *open, void *device,
                                     const cumsum_operator_desc *desc,
                                     const cumsum_numerics *numerics, cumsum_feature_level level,
                                     gpu_plan **plan, cumsum_diagnostic *diagnostic) {
    gpu_plan *made = calloc(1, sizeof *made);
    *plan = NULL;
    if (!made) {
        const gpu_failure why = {GPU_OUT_OF_MEMORY, 0, "no memory for a plan"};
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    cumsum_status status =
        cumsum_gpu_read(&made->problem, &made->numerics, desc, numerics, level, diagnostic);
    if (status == CUMSUM_OK)
        status = make_plan(made, open, device, diagnostic);
    if (status == CUMSUM_OK)
        *plan = made;
    else
        cumsum_gpu_plan_destroy(made);
    return status;
}

void cumsum_gpu_plan_destroy(gpu_plan *plan) {
    if (plan) {
        cumsum_scanner_close(plan->scanner);
        if (plan->gpu)
            plan->gpu->driver->close(plan->gpu);
        free(plan);
    }
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

void cumsum_gpu_ask(const gpu_plan *plan, const char *field, uint64_t tensor_alignment,
                    uint64_t scratch_alignment, gpu_given given[GIVEN_COUNT]) {
    const cumsum_problem *p = &plan->problem;
    given[GIVEN_INPUT] = (gpu_given){.name = CUMSUM_INPUT_NAME,
                                     .field = field,
                                     .needed = p->input_size,
                                     .occupied = p->input_extent * p->element_size,
                                     .alignment = larger(p->input_alignment, tensor_alignment)};
    given[GIVEN_OUTPUT] = (gpu_given){.name = CUMSUM_OUTPUT_NAME,
                                      .field = field,
                                      .needed = p->output_size,
                                      .occupied = p->output_extent * p->element_size,
                                      .alignment = larger(p->output_alignment, tensor_alignment)};
    given[GIVEN_SCRATCH] = (gpu_given){.name = "Scratch",
                                       .field = field,
                                       .needed = plan->scratch,
                                       .occupied = plan->scratch,
                                       .alignment = scratch_alignment};
}

static cumsum_status check_given(const gpu_given *g, cumsum_diagnostic *diagnostic) {
    const uint64_t place = g->binding.offset;
    if (g->size < g->needed)
        return cumsum_diagnose_binding(diagnostic, g->name, "size_in_bytes", g->size, g->needed,
                                       "must be at least what the plan needs");
    if (place % g->alignment)
        return cumsum_diagnose_binding(diagnostic, g->name, g->field, place, g->alignment,
                                       "must be a multiple of the alignment");
    if (place <= g->end && g->size <= g->end - place)
        return CUMSUM_OK;
    return cumsum_diagnose_binding(diagnostic, g->name, "size_in_bytes", g->size,
                                   place < g->end ? g->end - place : 0,
                                   "must not reach past the end of the resource");
}

static bool overlap(const gpu_given *a, const gpu_given *b) {
    return a->memory == b->memory && a->binding.offset < b->binding.offset + b->occupied &&
           b->binding.offset < a->binding.offset + a->occupied;
}

/* In place, as in cumsum_plan_execute, needs equal strides and total sizes. */
static cumsum_status check_overlap(const gpu_plan *plan, const gpu_given given[GIVEN_COUNT],
                                   cumsum_diagnostic *diagnostic) {
    const gpu_given *input = &given[GIVEN_INPUT];
    const gpu_given *output = &given[GIVEN_OUTPUT];
    const gpu_given *scratch = &given[GIVEN_SCRATCH];
    const bool same = input->binding.offset == output->binding.offset;
    const gpu_given *other = NULL;
    const gpu_given *with = scratch;
    if (overlap(input, output) && !(same && plan->problem.same_layout)) {
        other = output;
        with = input;
    } else if (scratch->needed && overlap(input, scratch)) {
        other = input;
    } else if (scratch->needed && overlap(output, scratch)) {
        other = output;
    }
    if (!other)
        return CUMSUM_OK;
    return cumsum_diagnose_binding(
        diagnostic, other->name, other->field, other->binding.offset, with->binding.offset,
        with == scratch ? "must not lie in memory that overlaps Scratch's"
                        : "must not lie in memory that overlaps InputTensor's, except in "
                          "place with the same strides and total size");
}

/* Without scratch memory the slot has the output, which no shader then writes through it. */
cumsum_status cumsum_gpu_record(const gpu_plan *plan, void *target, gpu_given given[GIVEN_COUNT],
                                cumsum_diagnostic *diagnostic) {
    gpu_failure why = {0};
    cumsum_status status = CUMSUM_OK;
    for (int i = 0; i < (plan->scratch ? GIVEN_COUNT : GIVEN_SCRATCH) && status == CUMSUM_OK; i++)
        status = check_given(&given[i], diagnostic);
    if (status == CUMSUM_OK)
        status = check_overlap(plan, given, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    const bool in_place = overlap(&given[GIVEN_INPUT], &given[GIVEN_OUTPUT]);
    const scan_buffers buffers = {given[in_place ? GIVEN_OUTPUT : GIVEN_INPUT].binding,
                                  given[GIVEN_OUTPUT].binding,
                                  given[plan->scratch ? GIVEN_SCRATCH : GIVEN_OUTPUT].binding};
    const gpu_status recorded = cumsum_scan_record(plan->scanner, &plan->problem, &plan->numerics,
                                                   &buffers, in_place, target, &why);
    return recorded == GPU_OK ? CUMSUM_OK : cumsum_gpu_diagnose(diagnostic, &why);
}
