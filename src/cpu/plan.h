/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PLAN_H
#define CUMSUM_CPU_PLAN_H

/*
 * The plan, and what execution does with it. plan.c makes one; execute.c runs it, on the calling
 * thread or on a pool; panel.c cuts lines into panels for the kernels; chained_scan.c puts several
 * threads on one line. Execution reads the plan and writes nothing of it but scratch memory, so a
 * plan may be executed by several threads at once.
 */

#include "binding.h"
#include "kernel_table.h"
#include "scratch.h"
#include "shape.h"

#include <stddef.h>

struct cumsum_plan {
    cumsum_problem problem;
    cumsum_arithmetic arithmetic;
    cumsum_arithmetic panel_arithmetic; /* the same bits for whole lines, perhaps in less time */
    cumsum_shape shape;
    cumsum_kernel kernel;
    bool floating_point; /* the floating-point environment matters */
    cumsum_panel_function *compute_panel;
    uint64_t lines_per_panel; /* at most: lines of a panel must not share output addresses */
    bool merges_groups;       /* a panel has several groups of lines */
    bool stream;              /* see cumsum_panel */
    /* For pieces of lines (carry_execute.c); NULL: these are computed without the kernel. */
    const cumsum_segment_functions *line_segments;
    bool continues_lines;   /* for the same: the kernel starts from cumsum_panel.carry */
    uint64_t staged_lines;  /* if not 0: lines that are computed at once, staging.h */
    cumsum_scratch scratch; /* for the panels: a place for each thread */

    /* Threads. Without a pool the calling thread does everything. With one, the threads work inside
     * each line if there are segments and they serve; otherwise whole lines are distributed. */
    struct pthreadpool *thread_pool;
    size_t lines_per_task; /* 0: there is one line */
    const cumsum_segment_functions *segments;
    uint64_t segment_length; /* elements, an even number of tiles */
};

/* Computes count lines from line number first on, panel by panel. Lines are numbered in the order
 * of shape.outer. scratch: see cumsum_panel. */
void cumsum_plan_compute_lines(const cumsum_plan *plan, const cumsum_binding *binding,
                               uint64_t first, uint64_t count, void *scratch);

/* Has the task take so many lines, in shares of the plan's threads, or all at once by the calling
 * thread. The task brackets its work with cumsum_pool_acquire and _release of the context. */
void cumsum_plan_share_lines(const cumsum_plan *plan, uint64_t lines,
                             void (*task)(void *context, size_t first, size_t count),
                             void *context);

/* The panel of `count` elements of line number `line` from position k on, in traversal order. */
cumsum_panel cumsum_plan_segment(const cumsum_plan *plan, const cumsum_binding *binding,
                                 uint64_t line, uint64_t k, uint64_t count);

/* Computes all lines, one after the other, with the threads of the pool inside each. Only for a
 * plan with segment functions. */
void cumsum_plan_chained_scan(const cumsum_plan *plan, const cumsum_binding *binding);

/* Exact sums, rounded once? */
static inline bool plan_is_exact(const cumsum_plan *plan) {
    return plan->floating_point && plan->panel_arithmetic.numerics.order == CUMSUM_ORDER_EXACT;
}

#endif
