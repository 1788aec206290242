/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_PLAN_THREADS_H
#define CUMSUM_CPU_PLAN_THREADS_H

#include "plan.h"

/* Sets the members of the plan that are about threads; the others are set. line: the functions for
 * parts of a line, or NULL where lines are computed in one piece. */
void cumsum_plan_decide_threads(cumsum_plan *plan, struct pthreadpool *pool,
                                const cumsum_segment_functions *line);

#endif
