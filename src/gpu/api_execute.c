/* SPDX-License-Identifier: MIT */
/* An execution on the GPU: the checks of the CPU's, then the scan. */
#include "api_device.h"
#include "binding.h"
#include "diagnose.h"
#include "gpu_diagnose.h"
#include "problem.h"

/* The options' ranges, as cumsum_plan_create checks them. */
static cumsum_status check_numerics(const cumsum_numerics *n, cumsum_diagnostic *diagnostic) {
    const struct {
        const char *name;
        uint32_t value;
        uint32_t last;
    } options[] = {
        {"order", (uint32_t)n->order, CUMSUM_ORDER_EXACT},
        {"half_accumulator", (uint32_t)n->half_accumulator, CUMSUM_HALF_ACCUMULATOR_FLOAT16},
        {"half_store", (uint32_t)n->half_store, CUMSUM_HALF_STORE_IEEE},
        {"denormals", (uint32_t)n->denormals, CUMSUM_DENORMALS_FLUSH}};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].value > options[i].last) {
            return cumsum_diagnose_argument(diagnostic, options[i].name, options[i].value, NULL,
                                            "must be one of the values that cumsum.h lists");
        }
    }
    return CUMSUM_OK;
}

/* Integers have the same sums in every order; of floats only the CPU computes the exact ones. */
static cumsum_status choose_order(const cumsum_problem *problem, cumsum_numerics *numerics,
                                  cumsum_diagnostic *diagnostic) {
    if (numerics->order != CUMSUM_ORDER_EXACT) {
        return CUMSUM_OK;
    }
    if (problem->type == CUMSUM_DATA_TYPE_FLOAT32 || problem->type == CUMSUM_DATA_TYPE_FLOAT16) {
        return cumsum_diagnose(
            diagnostic, &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                                              .field = "order",
                                              .dimension = -1,
                                              .value = CUMSUM_ORDER_EXACT,
                                              .value_name = "EXACT",
                                              .rule = "exact sums are computed on the CPU alone",
                                              .rule_is_clause = true});
    }
    numerics->order = CUMSUM_ORDER_SEQUENTIAL;
    return CUMSUM_OK;
}

static uint64_t nanoseconds(uint64_t ticks, uint64_t ticks_per_second) {
    return (uint64_t)((double)ticks * 1e9 / (double)ticks_per_second);
}

/* What the device does to subnormals is done to all of them, those that only pass through too. */
static void choose_denormals(const cumsum_d3d12_device *device, const cumsum_problem *problem,
                             cumsum_numerics *numerics) {
    if (device->info.flushes_float32_subnormals && problem->type == CUMSUM_DATA_TYPE_FLOAT32) {
        numerics->denormals = CUMSUM_DENORMALS_FLUSH;
    }
}

static cumsum_status run(cumsum_d3d12_device *device, const cumsum_problem *problem,
                         const cumsum_numerics *numerics, const cumsum_binding *binding,
                         cumsum_d3d12_timing *timing, cumsum_diagnostic *diagnostic) {
    gpu_scan_timing measured = {0};
    gpu_failure why = {0};
    gpu_status status = cumsum_scan_run(device->scanner, problem, numerics, binding->input,
                                        binding->output, &measured, &why);
    if (status != GPU_OK) {
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    if (timing) {
        timing->nanoseconds = nanoseconds(measured.ticks, device->info.timestamp_ticks_per_second);
        timing->dispatches = measured.dispatches;
    }
    return CUMSUM_OK;
}

cumsum_status cumsum_d3d12_execute(cumsum_d3d12_device *device, const cumsum_operator_desc *desc,
                                   const cumsum_numerics *numerics, cumsum_feature_level level,
                                   const void *input, uint64_t input_in_bytes, void *output,
                                   uint64_t output_in_bytes, cumsum_d3d12_timing *timing,
                                   cumsum_diagnostic *diagnostic) {
    cumsum_numerics wanted = numerics ? *numerics : (cumsum_numerics){0};
    const cumsum_binding binding = {.input = input,
                                    .input_in_bytes = input_in_bytes,
                                    .output = output,
                                    .output_in_bytes = output_in_bytes};
    cumsum_problem problem;
    if (!device) {
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    }
    cumsum_status status = check_numerics(&wanted, diagnostic);
    if (status == CUMSUM_OK) {
        status = cumsum_problem_init(&problem, desc, level, diagnostic);
    }
    if (status == CUMSUM_OK) {
        status = choose_order(&problem, &wanted, diagnostic);
    }
    if (status == CUMSUM_OK) {
        choose_denormals(device, &problem, &wanted);
        status = cumsum_binding_check(&problem, &binding, diagnostic);
    }
    return status == CUMSUM_OK ? run(device, &problem, &wanted, &binding, timing, diagnostic)
                               : status;
}
