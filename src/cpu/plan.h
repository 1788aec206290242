/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PLAN_H
#define CUMSUM_CPU_PLAN_H

#include "binding.h"
#include "kernel_table.h"
#include "shape.h"

#include <stddef.h>

/* Everything that execution needs, decided once. Nothing in it changes afterwards. */
struct cumsum_plan {
    cumsum_problem problem;
    cumsum_arithmetic arithmetic;
    cumsum_shape shape;
    cumsum_kernel kernel;
    bool floating_point; /* the floating-point mode matters */
    cumsum_panel_function *compute_panel;
    struct pthreadpool *thread_pool; /* NULL: the calling thread alone */
    size_t lines_per_task;           /* only with a thread pool */
    bool stream;                     /* see cumsum_panel */
};

/* Computes count lines from line number first on (in row-major order), panel by panel. */
void cumsum_plan_compute_lines(const cumsum_plan *plan, const cumsum_binding *binding,
                               uint64_t first, uint64_t count);

#endif
