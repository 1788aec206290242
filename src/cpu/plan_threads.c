/* SPDX-License-Identifier: MIT */
/* How a plan uses threads: over the lines, inside of them, or not at all. */
#include "plan_threads.h"

#include "exact_line.h"
#include "processor_features.h"

#include <pthreadpool.h>

/* Work for one task, in elements: some ten microseconds at least, by the speed of what computes,
 * against the few that waking a thread costs. Less work than two such tasks stays on the calling
 * thread. */
#define VECTOR_ELEMENTS_PER_TASK UINT64_C(49152)
#define SCALAR_ELEMENTS_PER_TASK UINT64_C(16384)

static uint64_t elements_per_task(const cumsum_plan *plan) {
    return cumsum_plan_has_vectors(plan) ? VECTOR_ELEMENTS_PER_TASK : SCALAR_ELEMENTS_PER_TASK;
}

static uint64_t round_up(uint64_t value, uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

static bool lines_are_neighbours(const cumsum_shape *shape, uint64_t element_size) {
    const cumsum_outer_dimension *row = &shape->outer[0];
    const int64_t element = (int64_t)element_size;
    return shape->lines > 1 && (row->input_step == element || row->output_step == element);
}

/* At least so many lines as make a task worth it, and whole vectors of them, unless these are few
 * and each is computed by itself. Where the panel's lines are neighbours, a row of them is
 * contiguous memory, which is cut as little as the number of threads allows, and at cache lines. */
static uint64_t choose_lines_per_task(const cumsum_shape *shape, uint64_t element_size,
                                      uint64_t elements, uint64_t threads, bool by_itself) {
    const uint64_t least = elements / shape->length + 1;
    const uint64_t row = shape->outer[0].size;
    if (!lines_are_neighbours(shape, element_size))
        return by_itself && least < 16 ? least : round_up(least, 16);
    if (shape->lines >= row * threads)
        return round_up(least, row);
    const uint64_t share = (row + threads - 1) / threads;
    return round_up(share > least ? share : least, 64);
}

/* Where there are so few lines that a quarter of the threads or more would have nothing to do. */
static bool too_few_lines(uint64_t lines, uint64_t threads) {
    const uint64_t rounds = (lines + threads - 1) / threads;
    return 4 * lines <= 3 * threads * rounds;
}

/* Half of a core's own cache for a part: beside it come its outputs, where they are not written
 * past the caches, or the next part, which is read meanwhile. And each thread gets some parts. */
static uint64_t choose_part_length(const cumsum_problem *problem, uint64_t threads) {
    const uint64_t most = (uint64_t)CUMSUM_SEGMENT_TILES * CUMSUM_TILE;
    const uint64_t in_cache = cumsum_second_cache_size() / 2 / problem->element_size;
    const uint64_t share = problem->line_length / (4 * threads);
    uint64_t length = in_cache < most ? in_cache : most;
    if (share < length)
        length = share;
    const uint64_t least = 16 * CUMSUM_TILE;
    return length < least ? least : length / (2 * CUMSUM_TILE) * (2 * CUMSUM_TILE);
}

/* Inside a line each element is read twice. Where one thread keeps memory busy nearly by itself, a
 * second one gains less than that costs: measured on Zen 4, 0.9 of the speed in blocked FLOAT32 and
 * 0.98 in INT32, with copies on two threads 1.2 to 1.6 times as fast as on one. */
static bool memory_is_busy(const cumsum_plan *plan, uint64_t threads) {
    return plan->stream && threads == 2 && plan->problem.element_size >= 4 &&
           plan->compute_panel != cumsum_exact_panel;
}

void cumsum_plan_decide_threads(cumsum_plan *plan, struct pthreadpool *pool,
                                const cumsum_segment_functions *line) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t elements = shape->lines * shape->length; /* at most 2^32 - 1 */
    const uint64_t task = elements_per_task(plan);
    const uint64_t element_size = plan->problem.element_size;
    const uint64_t threads = pool ? pthreadpool_get_threads_count(pool) : 1;
    if (threads < 2 || plan->problem.output_may_overlap || elements < 2 * task)
        return;
    if (line && shape->length >= 2 * task && too_few_lines(shape->lines, threads) &&
        !lines_are_neighbours(shape, element_size) && !memory_is_busy(plan, threads)) {
        plan->line = line;
        plan->segment_length = choose_part_length(&plan->problem, threads);
    } else if (shape->lines > 1) {
        plan->lines_per_task =
            (size_t)choose_lines_per_task(shape, element_size, task, threads, line != NULL);
    } else {
        return;
    }
    plan->thread_pool = pool;
}
