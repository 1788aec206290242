/* SPDX-License-Identifier: MIT */
/*
 * An execution with Microsoft's operator: check, upload, execute, download, check guard bands.
 *
 * Bindings are checked here, by the rules of cumsum_plan_execute, before DirectML sees them: it
 * reacts to a wrong binding by removing the device. The output is uploaded too and downloaded
 * whole, so bytes that the tensor does not address must survive.
 */
#include <inttypes.h>
#include <stdio.h>

#include "api_directml.h"
#include "binding.h"
#include "diagnose.h"

/* One execution in progress. */
typedef struct execution {
    cumsum_directml *directml;
    const cumsum_problem *problem;
    const cumsum_binding *binding;
    dml_job job;
    /* The descriptor for DirectML: a copy, with lower alignments. */
    cumsum_operator_desc desc;
    cumsum_tensor_desc tensors[2];
    cumsum_buffer_tensor_desc buffers[2];
} execution;

static const char *store_name(cumsum_half_store store) {
    return store == CUMSUM_HALF_STORE_NEAREST_EVEN  ? "NEAREST_EVEN"
           : store == CUMSUM_HALF_STORE_TOWARD_ZERO ? "TOWARD_ZERO"
                                                    : "IEEE";
}

/* CUMSUM_UNSUPPORTED if the caller wants numerics that DirectML does not have on this device. Only
 * those that matter to the type are compared. */
static cumsum_status check_numerics(const cumsum_directml *directml, const cumsum_problem *problem,
                                    const cumsum_numerics *wanted, uint32_t execution_flags,
                                    cumsum_diagnostic *diagnostic) {
    const cumsum_numerics does = cumsum_directml_numerics(directml, execution_flags);
    const bool half = problem->type == CUMSUM_DATA_TYPE_FLOAT16;
    if (!wanted || (!half && problem->type != CUMSUM_DATA_TYPE_FLOAT32))
        return CUMSUM_OK;
    if (wanted->order != CUMSUM_ORDER_SEQUENTIAL) {
        return cumsum_diagnose_unsupported(diagnostic, "order", 0, "not SEQUENTIAL",
                                           "DirectML adds in sequential order");
    }
    if (half && wanted->half_accumulator != does.half_accumulator) {
        return cumsum_diagnose_unsupported(
            diagnostic, "half_accumulator", 0,
            wanted->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? "FLOAT16" : "FLOAT32",
            does.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16
                ? "DirectML sums FLOAT16 in FLOAT16 here, with this execution flag"
                : "DirectML sums FLOAT16 in FLOAT32 on this device, or without the "
                  "execution flag");
    }
    if (half && does.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 &&
        wanted->half_store != does.half_store) {
        return cumsum_diagnose_unsupported(
            diagnostic, "half_store", 0, store_name(wanted->half_store),
            does.half_store == CUMSUM_HALF_STORE_NEAREST_EVEN
                ? "DirectML rounds FLOAT16 to nearest even on this device"
                : "DirectML rounds FLOAT16 toward zero on a device without native "
                  "16-bit operations");
    }
    if (!half && wanted->denormals != CUMSUM_DENORMALS_PRESERVE) {
        return cumsum_diagnose_unsupported(diagnostic, "denormals", 0, "FLUSH",
                                           "with DirectML the driver decides about subnormals");
    }
    return CUMSUM_OK;
}

/* Tensors are bound behind a guard band, so a guaranteed alignment above its size cannot be kept.
 */
static void take_descriptor(execution *e, const cumsum_operator_desc *desc) {
    const cumsum_tensor_desc *from[2] = {desc->input_tensor, desc->output_tensor};
    e->desc = *desc;
    for (int i = 0; i < 2; i++) {
        e->buffers[i] = *(const cumsum_buffer_tensor_desc *)from[i]->desc;
        if (e->buffers[i].guaranteed_base_offset_alignment > SCAN_GUARD)
            e->buffers[i].guaranteed_base_offset_alignment = SCAN_GUARD;
        e->tensors[i] = (cumsum_tensor_desc){from[i]->type, &e->buffers[i]};
    }
    e->desc.input_tensor = &e->tensors[0];
    e->desc.output_tensor = &e->tensors[1];
    e->job.desc = &e->desc;
}

/* Makes the buffers and uploads both tensors. */
static gpu_status place_tensors(execution *e, gpu_failure *why) {
    scan_memory *memory = &e->directml->memory;
    const bool in_place = e->binding->input == e->binding->output;
    e->job.input_in_bytes = scan_round_up(e->problem->input_size, 4);
    e->job.output_in_bytes = scan_round_up(e->problem->output_size, 4);
    gpu_status status =
        cumsum_scan_reserve(memory, SCAN_OUTPUT, e->job.output_in_bytes + 2 * SCAN_GUARD, why);
    if (status == GPU_OK && !in_place)
        status =
            cumsum_scan_reserve(memory, SCAN_INPUT, e->job.input_in_bytes + 2 * SCAN_GUARD, why);
    if (status != GPU_OK)
        return status;
    e->job.output = (gpu_binding){memory->buffer[SCAN_OUTPUT], SCAN_GUARD};
    e->job.input = in_place ? e->job.output : (gpu_binding){memory->buffer[SCAN_INPUT], SCAN_GUARD};
    status =
        cumsum_scan_upload(memory, SCAN_OUTPUT, e->binding->output, e->problem->output_size, why);
    if (status == GPU_OK && !in_place)
        status =
            cumsum_scan_upload(memory, SCAN_INPUT, e->binding->input, e->problem->input_size, why);
    return status;
}

static gpu_status run_guarded(execution *e, cumsum_directml_answer *answer, gpu_failure *why) {
    cumsum_directml *directml = e->directml;
    gpu_status status = place_tensors(e, why);
    if (status == GPU_OK)
        status = directml->runtime->execute(directml->session, &e->job, answer, why);
    return status == GPU_OK ? cumsum_scan_get_output(&directml->memory, e->binding->output,
                                                     e->problem->output_size, why)
                            : status;
}

/* A compilation that fails is a limit of the device (64-bit integers, say): unsupported, no
 * failure.
 */
static cumsum_status explain(const execution *e, const cumsum_directml_answer *answer,
                             const gpu_failure *why, cumsum_diagnostic *diagnostic) {
    if (why->status == GPU_REJECTED && answer->compile_operator < 0) {
        char rule[96];
        snprintf(rule, sizeof rule,
                 "DirectML cannot compile the operator for this device (0x%08" PRIx32 ")",
                 (uint32_t)answer->compile_operator);
        cumsum_status status =
            cumsum_diagnose_unsupported(diagnostic, "DataType", (uint32_t)e->problem->type,
                                        cumsum_data_type_name(e->problem->type), rule);
        if (diagnostic)
            diagnostic->rule = "DirectML must be able to compile the operator for this device";
        return status;
    }
    return cumsum_gpu_diagnose(diagnostic, why);
}

static cumsum_status execute_and_explain(execution *e, cumsum_diagnostic *diagnostic) {
    cumsum_directml_answer answer = {0};
    gpu_failure why = {0};
    return run_guarded(e, &answer, &why) == GPU_OK ? CUMSUM_OK
                                                   : explain(e, &answer, &why, diagnostic);
}

cumsum_status cumsum_directml_execute(cumsum_directml *directml, const cumsum_operator_desc *desc,
                                      const cumsum_numerics *numerics, uint32_t execution_flags,
                                      cumsum_feature_level level, const void *input,
                                      uint64_t input_in_bytes, void *output,
                                      uint64_t output_in_bytes, cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {input, input_in_bytes, output, output_in_bytes};
    cumsum_problem problem;
    cumsum_status status = cumsum_problem_init(&problem, desc, level, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_binding_check(&problem, &binding, diagnostic);
    if (status == CUMSUM_OK)
        status = check_numerics(directml, &problem, numerics, execution_flags, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    execution e = {.directml = directml,
                   .problem = &problem,
                   .binding = &binding,
                   .job = {.execution_flags = execution_flags}};
    take_descriptor(&e, desc);
    return execute_and_explain(&e, diagnostic);
}
