/* SPDX-License-Identifier: MIT */
/*
 * Makes plans: checks the options, finds the kernel, and decides once how the lines are enumerated,
 * whether stores bypass the caches and how the work is divided among threads. Execution then has
 * nothing left to decide and cannot fail, except for the memory that it is given.
 *
 * The numbers below only affect speed. They were measured.
 */
#include "plan.h"

#include "diagnose.h"
#include "processor_features.h"
#include "staging.h"
#include "validate.h"

#include <pthreadpool.h>
#include <stdlib.h>

/* *table is set exactly if CUMSUM_OK is returned. FLOAT64 has the reference alone. */
static cumsum_status find_kernel(cumsum_kernel kernel, cumsum_data_type type,
                                 const cumsum_kernel_table **table, cumsum_diagnostic *diagnostic) {
    if ((uint32_t)kernel > CUMSUM_KERNEL_NEON) {
        cumsum_diagnose_argument(diagnostic, "kernel", (uint32_t)kernel, NULL,
                                 "must be one of the values that cumsum.h lists");
        return CUMSUM_INVALID_ARGUMENT;
    }
    const char *reason = "FLOAT64 has the kernel reference alone";
    if (type != CUMSUM_DATA_TYPE_FLOAT64)
        *table = cumsum_kernel_find(kernel, &reason);
    else if (kernel == CUMSUM_KERNEL_AUTO || kernel == CUMSUM_KERNEL_REFERENCE)
        *table = &cumsum_reference_kernels;
    if (*table)
        return CUMSUM_OK;
    cumsum_diagnose_unsupported(diagnostic, "kernel", (uint32_t)kernel, cumsum_kernel_name(kernel),
                                reason);
    return CUMSUM_UNSUPPORTED;
}

/* The reference computes one element at a time. */
static bool has_vectors(const cumsum_plan *plan) {
    return plan->kernel != CUMSUM_KERNEL_REFERENCE;
}

/* Overlapping outputs need the lines in row-major order, which merged groups do not keep. The
 * reference computes one group. */
static bool merges_groups(const cumsum_plan *plan) {
    return has_vectors(plan) && !plan->problem.output_may_overlap && plan->shape.outer_rank > 1;
}

/* Output that together with the input exceeds the caches is evicted before anything reads it.
 * Cache-bypassing stores save reading it from memory first, and evict nothing else. */
static bool larger_than_caches(const cumsum_problem *problem) {
    const uint64_t elements = problem->lines * problem->line_length; /* at most 2^32 - 1 */
    return 2 * elements * problem->element_size > cumsum_last_cache_size();
}

/* Minimum work per task, in elements: ten microseconds or more at the speed of the kernel, against
 * the few that waking a thread takes. Work for less than two tasks stays on the calling thread. */
#define VECTOR_ELEMENTS_PER_TASK UINT64_C(49152)
#define SCALAR_ELEMENTS_PER_TASK UINT64_C(16384)

static uint64_t elements_per_task(const cumsum_plan *plan) {
    return has_vectors(plan) ? VECTOR_ELEMENTS_PER_TASK : SCALAR_ELEMENTS_PER_TASK;
}

static uint64_t round_up(uint64_t value, uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

/* True if elements with one index of neighbouring lines are neighbours in memory, in the input or
 * in the output. */
static bool is_interleaved(const cumsum_shape *shape, uint64_t element_size) {
    const cumsum_outer_dimension *group = &shape->outer[0];
    const int64_t element = (int64_t)element_size;
    return shape->lines > 1 && (group->input_step == element || group->output_step == element);
}

/*
 * How many lines one task computes: enough for `elements` elements. Kernels that put lines in lanes
 * get whole vectors of 16 lines, unless that leaves threads idle; kernels that scan each line by
 * itself (line_by_line) have no use for that if the lines are few.
 *
 * Interleaved lines of a group share cache lines. So tasks get whole groups, or, if there are fewer
 * groups than threads, each group is cut into as few pieces as there are threads. 64 lines are
 * whole cache lines.
 */
static uint64_t choose_lines_per_task(const cumsum_shape *shape, uint64_t element_size,
                                      uint64_t elements, uint64_t threads, bool line_by_line) {
    const uint64_t least = elements / shape->length + 1;
    const uint64_t group = shape->outer[0].size;
    const uint64_t share = (shape->lines + threads - 1) / threads;
    if (!is_interleaved(shape, element_size)) {
        const uint64_t most = line_by_line && least < 16 ? least : round_up(least, 16);
        return share < least ? least : share < most ? share : most;
    }
    if (shape->lines >= group * threads)
        return round_up(least, group);
    const uint64_t piece = (group + threads - 1) / threads;
    return round_up(piece > least ? piece : least, 64);
}

/* True if whole lines would leave a quarter of the threads or more idle: with `rounds` lines for
 * the busiest thread, threads * rounds lines would take as long. */
static bool too_few_lines(uint64_t lines, uint64_t threads) {
    const uint64_t rounds = (lines + threads - 1) / threads;
    return 4 * lines <= 3 * threads * rounds;
}

/* A segment takes half of a core's second-level cache, because it is read twice. The other half is
 * for its outputs, if they do not bypass the caches, or for the next segment, which is prefetched.
 * At least four segments a thread, so that no thread waits long for another one at the end. */
static uint64_t choose_segment_length(const cumsum_problem *problem, uint64_t threads) {
    const uint64_t most = (uint64_t)CUMSUM_SEGMENT_TILES * CUMSUM_TILE;
    const uint64_t in_cache = cumsum_second_cache_size() / 2 / problem->element_size;
    const uint64_t quarter = problem->line_length / (4 * threads);
    uint64_t length = in_cache < most ? in_cache : most;
    if (quarter < length)
        length = quarter;
    const uint64_t least = 16 * CUMSUM_TILE;
    return length < least ? least : length / (2 * CUMSUM_TILE) * (2 * CUMSUM_TILE);
}

/* A chained scan reads each element twice. If one thread nearly saturates memory, a second one
 * gains less than that costs: on Zen 4, where two threads copy 1.2 to 1.6 times as fast as one, the
 * chained scan ran at 0.9 (blocked FLOAT32) and 0.98 (INT32) of the speed of one thread. */
static bool is_memory_bound(const cumsum_plan *plan, uint64_t threads) {
    return plan->stream && threads == 2 && plan->problem.element_size >= 4 && !plan_is_exact(plan);
}

/* Sets the plan's members about threads; the others have been set. segments: the kernel's functions
 * for segments of a line, or NULL if it has none. */
static void decide_threads(cumsum_plan *plan, struct pthreadpool *pool,
                           const cumsum_segment_functions *segments) {
    const cumsum_shape *shape = &plan->shape;
    const uint64_t elements = shape->lines * shape->length; /* at most 2^32 - 1 */
    const uint64_t task = elements_per_task(plan);
    const uint64_t element_size = plan->problem.element_size;
    const uint64_t threads = pool ? pthreadpool_get_threads_count(pool) : 1;
    if (threads < 2 || plan->problem.output_may_overlap || elements < 2 * task)
        return;
    if (segments && shape->length >= 2 * task && too_few_lines(shape->lines, threads) &&
        !is_interleaved(shape, element_size) && !is_memory_bound(plan, threads)) {
        plan->segments = segments;
        plan->segment_length = choose_segment_length(&plan->problem, threads);
    }
    if (shape->lines > 1)
        plan->lines_per_task =
            (size_t)choose_lines_per_task(shape, element_size, task, threads, segments != NULL);
    if (plan->segments || plan->lines_per_task)
        plan->thread_pool = pool;
}

/* What a panel of interleaved lines keeps in scratch memory: in the blocked order of floats the
 * levels of a strip of lines, if these are longer than a tile (column_scan.inl.h), and all that it
 * keeps of a crossed one; in the exact order strips of a crossed one (exact_scan.h). */
static size_t scratch_size(const cumsum_plan *plan) {
    const cumsum_shape *shape = &plan->shape;
    const cumsum_order order = plan->panel_arithmetic.numerics.order;
    if (plan->staged_lines)
        return CUMSUM_STAGE_BYTES;
    if (!plan->floating_point || order == CUMSUM_ORDER_SEQUENTIAL || !has_vectors(plan) ||
        !is_interleaved(shape, plan->problem.element_size))
        return 0;
    if (order == CUMSUM_ORDER_EXACT)
        return shape->is_crossed ? CUMSUM_SCRATCH_EXACT : 0;
    return (cumsum_blocked_depth(shape->length) + shape->is_crossed) * CUMSUM_SCRATCH_LEVEL;
}

/* Whether the kernel can go on with lines from accumulators. Only where subnormals are flushed can
 * one be -0. A piece must leave it so, but the kernels add +0 behind the last element of a line,
 * which makes it +0. */
static bool continues_lines(const cumsum_plan *plan) {
    const cumsum_numerics *numerics = &plan->arithmetic.numerics;
    const bool may_end_at_minus_zero = plan->problem.type == CUMSUM_DATA_TYPE_FLOAT32 &&
                                       numerics->denormals == CUMSUM_DENORMALS_FLUSH;
    if (!plan->floating_point)
        return has_vectors(plan);
    return has_vectors(plan) && numerics->order == CUMSUM_ORDER_SEQUENTIAL &&
           !may_end_at_minus_zero;
}

/*
 * If no output has more than two terms, all orders give the same bits, and the sequential one is
 * the fastest: a sum of one or two numbers is rounded once, and the blocked order adds only zeros
 * besides. These make no difference but to a sum that was flushed to -0. A sum of two binary16 in
 * binary32 is exact, or so far from a tie of binary16 that both roundings together are one
 * (elements.h); and the exact order stores as IEEE 754 does.
 */
static void simplify_order(cumsum_plan *plan, const cumsum_kernel_table *table) {
    cumsum_numerics *numerics = &plan->panel_arithmetic.numerics;
    const uint64_t terms = plan->shape.length - plan->arithmetic.exclusive;
    plan->panel_arithmetic = plan->arithmetic;
    const bool flushes =
        numerics->order == CUMSUM_ORDER_BLOCKED && numerics->denormals == CUMSUM_DENORMALS_FLUSH;
    if (terms > (flushes ? 1 : 2) || table == &cumsum_reference_kernels)
        return; /* the kernels are compared with the reference's own orders */
    if (numerics->order == CUMSUM_ORDER_EXACT) {
        numerics->half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32;
        numerics->half_store = CUMSUM_HALF_STORE_IEEE;
    }
    numerics->order = CUMSUM_ORDER_SEQUENTIAL;
}

/* All of a plan but its scratch memory. */
static void decide_plan(cumsum_plan *plan, const cumsum_problem *problem,
                        const cumsum_plan_options *options, const cumsum_kernel_table *table) {
    plan->problem = *problem;
    plan->arithmetic = (cumsum_arithmetic){
        .type = problem->type, .exclusive = problem->exclusive, .numerics = options->numerics};
    plan->floating_point = cumsum_is_float(problem->type);
    cumsum_shape_init(&plan->shape, problem);
    simplify_order(plan, table);
    plan->lines_per_panel =
        problem->output_may_overlap ? cumsum_shape_disjoint_lines(&plan->shape) : UINT64_MAX;
    plan->kernel = table->kernel;
    plan->compute_panel = table->panel;
    plan->merges_groups = merges_groups(plan);
    plan->stream = larger_than_caches(problem);
    if (has_vectors(plan))
        cumsum_plan_choose_staging(plan);
    plan->line_segments = table->select_segments(&plan->arithmetic);
    plan->continues_lines = continues_lines(plan);
    decide_threads(plan, options->thread_pool, plan->line_segments);
}

/* One allocation, with the scratch memory behind the plan. */
static cumsum_plan *make_plan(const cumsum_problem *problem, const cumsum_plan_options *options,
                              const cumsum_kernel_table *table) {
    cumsum_plan decided = {.lines_per_task = 0};
    decide_plan(&decided, problem, options, table);
    const size_t threads =
        decided.thread_pool ? pthreadpool_get_threads_count(decided.thread_pool) : 1;
    const size_t size = scratch_size(&decided);
    cumsum_plan *plan = malloc(sizeof *plan + cumsum_scratch_bytes(threads, size));
    if (!plan)
        return NULL;
    *plan = decided;
    cumsum_scratch_init(&plan->scratch, threads, size, plan + 1);
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
    cumsum_status status =
        cumsum_validate_numerics(&options->numerics, CUMSUM_NUMERICS_COMPUTED, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_problem_init_computed(&problem, desc, options->feature_level, diagnostic);
    if (status == CUMSUM_OK)
        status = find_kernel(options->kernel, problem.type, &table, diagnostic);
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
