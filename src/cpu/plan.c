/* SPDX-License-Identifier: MIT */
/* Plans: what is decided once, so that execution has nothing left to decide. */
#include "plan.h"

#include "exact_line.h"

#include "diagnose.h"
#include "plan_threads.h"
#include "processor_features.h"

#include <stdlib.h>

static cumsum_status out_of_range(cumsum_diagnostic *diagnostic, const char *option,
                                  uint32_t value) {
    cumsum_diagnose_argument(diagnostic, option, value, NULL,
                             "must be one of the values that cumsum.h lists");
    return CUMSUM_INVALID_ARGUMENT;
}

static cumsum_status check_numerics(const cumsum_numerics *numerics,
                                    cumsum_diagnostic *diagnostic) {
    if ((uint32_t)numerics->order > CUMSUM_ORDER_EXACT)
        return out_of_range(diagnostic, "order", (uint32_t)numerics->order);
    if ((uint32_t)numerics->half_accumulator > CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        return out_of_range(diagnostic, "half_accumulator", (uint32_t)numerics->half_accumulator);
    if ((uint32_t)numerics->half_store > CUMSUM_HALF_STORE_IEEE)
        return out_of_range(diagnostic, "half_store", (uint32_t)numerics->half_store);
    if ((uint32_t)numerics->denormals > CUMSUM_DENORMALS_FLUSH)
        return out_of_range(diagnostic, "denormals", (uint32_t)numerics->denormals);
    return CUMSUM_OK;
}

static cumsum_status find_kernel(cumsum_kernel kernel, const cumsum_kernel_table **table,
                                 cumsum_diagnostic *diagnostic) {
    if ((uint32_t)kernel > CUMSUM_KERNEL_NEON)
        return out_of_range(diagnostic, "kernel", (uint32_t)kernel);
    const char *reason = NULL;
    *table = cumsum_kernel_find(kernel, &reason);
    if (*table)
        return CUMSUM_OK;
    cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                                                      .field = "kernel",
                                                      .dimension = -1,
                                                      .value = (uint32_t)kernel,
                                                      .value_name = cumsum_kernel_name(kernel),
                                                      .rule = reason,
                                                      .rule_is_clause = true});
    return CUMSUM_UNSUPPORTED;
}

static void take_table(cumsum_plan *plan, const cumsum_kernel_table *table) {
    plan->kernel = table->kernel;
    plan->compute_panel = table->select(&plan->shape, &plan->arithmetic);
    if (!plan->compute_panel) {
        plan->kernel = CUMSUM_KERNEL_REFERENCE;
        plan->compute_panel = cumsum_reference_kernels.select(&plan->shape, &plan->arithmetic);
    }
}

bool cumsum_plan_has_vectors(const cumsum_plan *plan) {
    return plan->compute_panel != cumsum_reference_kernels.select(NULL, NULL) &&
           plan->compute_panel != cumsum_exact_panel;
}

/* Rows of fewer lines do not fill what kernels do at once. */
#define SHORT_ROW 32

static bool has_short_rows(const cumsum_plan *plan) {
    return cumsum_plan_has_vectors(plan) && !plan->problem.output_may_overlap &&
           plan->shape.outer_rank > 1 && plan->shape.outer[0].size < SHORT_ROW;
}

/* What does not fit in the caches with its input will not be found there by who reads it next, so
 * it need not be read before it is overwritten, nor push anything out. */
static bool larger_than_caches(const cumsum_problem *problem) {
    const uint64_t elements = problem->lines * problem->line_length; /* at most 2^32 - 1 */
    return 2 * elements * problem->element_size > cumsum_last_cache_size();
}

static cumsum_plan *make_plan(const cumsum_problem *problem, const cumsum_plan_options *options,
                              const cumsum_kernel_table *table) {
    cumsum_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return NULL;
    plan->problem = *problem;
    plan->arithmetic = (cumsum_arithmetic){
        .type = problem->type, .exclusive = problem->exclusive, .numerics = options->numerics};
    plan->floating_point =
        problem->type == CUMSUM_DATA_TYPE_FLOAT32 || problem->type == CUMSUM_DATA_TYPE_FLOAT16;
    cumsum_shape_init(&plan->shape, problem);
    plan->lines_per_panel =
        problem->output_may_overlap ? cumsum_shape_lines_apart(&plan->shape) : UINT64_MAX;
    take_table(plan, table);
    plan->merges_groups = has_short_rows(plan);
    plan->stream = larger_than_caches(problem);
    cumsum_plan_decide_threads(plan, options->thread_pool,
                               table->select_segments(&plan->arithmetic));
    return plan;
}

cumsum_status cumsum_plan_create(const cumsum_operator_desc *desc,
                                 const cumsum_plan_options *options, cumsum_plan **plan,
                                 cumsum_diagnostic *diagnostic) {
    static const cumsum_plan_options defaults;
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    *plan = NULL;
    if (!options)
        options = &defaults;
    cumsum_problem problem;
    const cumsum_kernel_table *table = NULL;
    cumsum_status status = check_numerics(&options->numerics, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init(&problem, desc, options->feature_level, diagnostic);
    if (status == CUMSUM_OK)
        status = find_kernel(options->kernel, &table, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    *plan = make_plan(&problem, options, table);
    if (*plan)
        return CUMSUM_OK;
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_OUT_OF_MEMORY,
                                                             .field = "plan",
                                                             .dimension = -1,
                                                             .value = sizeof **plan,
                                                             .value_name = "too large",
                                                             .rule = "must fit in memory"});
}

void cumsum_plan_destroy(cumsum_plan *plan) {
    free(plan);
}

cumsum_kernel cumsum_plan_kernel(const cumsum_plan *plan) {
    return plan ? plan->kernel : CUMSUM_KERNEL_AUTO;
}
