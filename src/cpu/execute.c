/* SPDX-License-Identifier: MIT */
/*
 * Executes a plan: checks the memory, then computes all lines on the calling thread, or distributes
 * them over the threads of the plan's pool, or has these work inside each line.
 *
 * Once the memory has been accepted nothing can fail, and nothing is allocated. The result does not
 * depend on the number of threads or on which of them computes what.
 */
#include "plan.h"

#include "diagnose.h"
#include "fp_environment.h"
#include "pool_order.h"

#include <pthreadpool.h>

/* What every task of a parallel execution is given. */
typedef struct job {
    const cumsum_plan *plan;
    const cumsum_binding *binding;
} job;

/* Each thread has a floating-point environment of its own, so every task sets it. Integers need
 * none, and changing it is not free. */
static void compute_lines(const cumsum_plan *plan, const cumsum_binding *binding, uint64_t first,
                          uint64_t count) {
    void *const scratch = cumsum_scratch_take(&plan->scratch);
    if (plan->floating_point) {
        const cumsum_fp_environment found = cumsum_fp_enter();
        cumsum_plan_compute_lines(plan, binding, first, count, scratch);
        cumsum_fp_leave(found);
    } else {
        cumsum_plan_compute_lines(plan, binding, first, count, scratch);
    }
    cumsum_scratch_give_back(scratch);
}

/* A task of the pool: `count` lines from line `first` on. */
static void compute_task(void *context, size_t first, size_t count) {
    const job *j = context;
    cumsum_pool_acquire(context);
    compute_lines(j->plan, j->binding, first, count);
    cumsum_pool_release(context);
}

/* They share no output addresses: otherwise the plan has no pool. */
void cumsum_plan_share_lines(const cumsum_plan *plan, uint64_t lines,
                             void (*task)(void *context, size_t first, size_t count),
                             void *context) {
    cumsum_pool_release(context);
    if (plan->thread_pool && plan->lines_per_task)
        pthreadpool_parallelize_1d_tile_1d(plan->thread_pool, task, context, (size_t)lines,
                                           plan->lines_per_task, 0);
    else
        task(context, 0, (size_t)lines);
    cumsum_pool_acquire(context);
}

cumsum_status cumsum_plan_execute(const cumsum_plan *plan, const void *input,
                                  uint64_t input_in_bytes, void *output, uint64_t output_in_bytes,
                                  cumsum_diagnostic *diagnostic) {
    if (!plan)
        return cumsum_diagnose_argument(diagnostic, "plan", 0, "NULL", "must be given");
    const cumsum_binding binding = {.input = input,
                                    .input_in_bytes = input_in_bytes,
                                    .output = output,
                                    .output_in_bytes = output_in_bytes};
    const cumsum_status status = cumsum_binding_check(&plan->problem, &binding, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    /* Nothing can fail from here on. */
    job whole = {.plan = plan, .binding = &binding};
    if (plan->segments)
        cumsum_plan_chained_scan(plan, &binding);
    else
        cumsum_plan_share_lines(plan, plan->shape.lines, compute_task, &whole);
    return CUMSUM_OK;
}
