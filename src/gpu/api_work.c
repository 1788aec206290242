/* SPDX-License-Identifier: MIT */
#include "api_work.h"

#include "diagnose.h"
#include "validate.h"

/* Integers have the same sums in every order; of floats only the CPU computes the exact ones. */
static cumsum_status choose_order(const cumsum_problem *problem, cumsum_numerics *numerics,
                                  cumsum_diagnostic *diagnostic) {
    if (numerics->order != CUMSUM_ORDER_EXACT)
        return CUMSUM_OK;
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

/* What the device does to subnormals is done to all of them, those that only pass through too. */
static void choose_denormals(const cumsum_d3d12_device *device, const cumsum_problem *problem,
                             cumsum_numerics *numerics) {
    if (device->info.flushes_float32_subnormals && problem->type == CUMSUM_DATA_TYPE_FLOAT32)
        numerics->denormals = CUMSUM_DENORMALS_FLUSH;
}

cumsum_status cumsum_api_prepare(cumsum_api_work *work, const cumsum_d3d12_device *device,
                                 const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                                 cumsum_feature_level level, const cumsum_binding *binding,
                                 cumsum_diagnostic *diagnostic) {
    *work = (cumsum_api_work){.binding = *binding};
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    if (numerics)
        work->numerics = *numerics;
    cumsum_status status =
        cumsum_validate_numerics(&work->numerics, CUMSUM_NUMERICS_COMPUTED, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init(&work->problem, desc, level, diagnostic);
    if (status == CUMSUM_OK)
        status = choose_order(&work->problem, &work->numerics, diagnostic);
    if (status == CUMSUM_OK) {
        choose_denormals(device, &work->problem, &work->numerics);
        status = cumsum_binding_check(&work->problem, binding, diagnostic);
    }
    return status;
}

uint64_t cumsum_api_nanoseconds(const cumsum_d3d12_device *device, uint64_t ticks) {
    return (uint64_t)((double)ticks * 1e9 / (double)device->info.timestamp_ticks_per_second);
}
