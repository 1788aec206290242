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
    uint64_t lines_per_panel;        /* so many lines of a panel at most do not share addresses */
    bool merges_groups;              /* rows are short: a panel has some of them */
    struct pthreadpool *thread_pool; /* NULL: the calling thread alone */
    size_t lines_per_task;           /* threads over the lines; only with a thread pool */
    const cumsum_segment_functions *line; /* NULL, or threads inside each line */
    uint64_t segment_length;              /* of a line, for one thread at a time: even tiles */
    bool stream;                          /* see cumsum_panel */
};

/* Is it computed by vectors? Not by the reference, and not in the exact order. */
bool cumsum_plan_has_vectors(const cumsum_plan *plan);

/* Computes count lines from line number first on (in row-major order), panel by panel. */
void cumsum_plan_compute_lines(const cumsum_plan *plan, const cumsum_binding *binding,
                               uint64_t first, uint64_t count);

/* The panel of `count` elements of line number `line` from position k on. */
cumsum_panel cumsum_plan_segment(const cumsum_plan *plan, const cumsum_binding *binding,
                                 uint64_t line, uint64_t k, uint64_t count);

#endif
