/* SPDX-License-Identifier: MIT */
/* Measures one entry: the operator, or the oracle on the operator's outputs, and two copies of as
 * many bytes. The measurements are interleaved, so that a change of the machine's speed affects all
 * of them. */
#include "measure.h"

#include <math.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench_copies.h"
#include "executor.h"
#include "lines.h"
#include "memory.h"
#include "order_tools.h"
#include "report.h"

/* The least duration of a repetition: reading the clock is negligible beside it. */
#define LEAST_SECONDS 2e-3

/* A call that takes as long as this needs no warm-up call before it. */
#define LONG_SECONDS 0.25

/* One thread copies fewer bytes than this in less time than it takes to wake another thread. */
#define SHARED_COPY_FROM (UINT64_C(1) << 20)

typedef struct measured_call {
    const workload_operator *op;
    const cumsum_plan *plan;
    struct pthreadpool *pool;
    const workload_task *task;
    cumsum_status status;
    bool failed; /* a judged output fails */
} measured_call;

typedef void call_function(measured_call *call);
typedef void copy_function(unsigned char *to, const unsigned char *from, uint64_t size);

static void call_operator(measured_call *call) {
    const workload_operator *op = call->op;
    cumsum_status status = cumsum_plan_execute(
        call->plan, workload_source(op), op->input_buffer.total_tensor_size_in_bytes, op->output,
        op->output_buffer.total_tensor_size_in_bytes, NULL);
    call->status = status == CUMSUM_OK ? call->status : status;
}

static void call_judge(measured_call *call) {
    const workload_operator *op = call->op;
    cumsum_judgement judgement;
    const cumsum_judge_options options = {.no_orders = call->task->no_orders,
                                          .thread_pool = call->pool};
    cumsum_status status = cumsum_judge(
        &op->desc, op->input, op->input_buffer.total_tensor_size_in_bytes, op->output,
        op->output_buffer.total_tensor_size_in_bytes, &options, NULL, &judgement, NULL);
    call->status = status == CUMSUM_OK ? call->status : status;
    call->failed |= status == CUMSUM_OK && !judgement.pass;
}

static double add_in_binary32(void *context, double a, double b) {
    (void)context;
    return (double)(float)(a + b);
}

static double add_in_binary64(void *context, double a, double b) {
    (void)context;
    return a + b;
}

/* Sums the packed lines in an order that the library does not compute. */
static void sum_in_order(const workload_operator *op, const char *name, cumsum_addition *add) {
    const cumsum_data_type type = op->input_buffer.data_type;
    const uint64_t length = op->work->sizes[op->work->axis];
    cumsum_composed_order order;
    (void)cumsum_order_read(name, &order);
    double *sums = tool_calloc(length, sizeof *sums);
    double *scratch = tool_calloc(cumsum_order_scratch(&order, length), sizeof *scratch);
    for (uint64_t first = 0; first < workload_elements(op->work); first += length) {
        for (uint64_t i = 0; i < length; i++)
            sums[i] = line_load(type, op->input, first + i);
        cumsum_order_scan(&order, sums, length, false, scratch, add, NULL);
        for (uint64_t i = 0; i < length; i++)
            line_store(type, op->output, first + i, sums[i]);
    }
    free(scratch);
    free(sums);
}

/* What the oracle judges. */
static void compute_sums(measured_call *call) {
    if (call->op->work->sums == CUMSUM_NAMED_HILLIS_STEELE)
        sum_in_order(call->op, "hillis-steele", add_in_binary32);
    else if (call->op->work->sums == CUMSUM_NAMED_SEQUENTIAL_BINARY64)
        sum_in_order(call->op, "sequential", add_in_binary64);
    else
        call_operator(call);
}

static cumsum_order order_of(const workload_entry *entry) {
    return entry->task->judge && entry->work->sums == CUMSUM_NAMED_BLOCKED ? CUMSUM_ORDER_BLOCKED
                                                                           : entry->task->order;
}

typedef struct shared_copy {
    copy_function *copy;
    const workload_operator *op;
} shared_copy;

static void copy_segment(void *context, size_t start, size_t size) {
    const shared_copy *shared = context;
    shared->copy(shared->op->output + start, shared->op->input + start, size);
}

static void copy_with(const measured_call *call, copy_function *copy) {
    uint64_t bytes = call->op->bytes;
    if (!call->pool || bytes < SHARED_COPY_FROM) {
        copy(call->op->output, call->op->input, bytes);
        return;
    }
    shared_copy shared = {copy, call->op};
    uint64_t threads = pthreadpool_get_threads_count(call->pool);
    uint64_t segment = (bytes / threads / 64 + 1) * 64;
    pthreadpool_parallelize_1d_tile_1d(call->pool, copy_segment, &shared, bytes, segment, 0);
}

static void call_memcpy(measured_call *call) {
    copy_with(call, bench_copy);
}

static void call_streaming(measured_call *call) {
    copy_with(call, bench_streaming_copy);
}

/* On one thread the time of the processor: other programs do not count. */
static double now_of(const measured_call *call) {
    return call->pool ? bench_now() : bench_processor_now();
}

static double seconds_of(call_function *function, measured_call *call, uint64_t iterations) {
    double start = now_of(call);
    for (uint64_t i = 0; i < iterations; i++)
        function(call);
    return now_of(call) - start;
}

/* The number of calls in a repetition. Warms up as well. */
static uint64_t calibrate(call_function *function, measured_call *call) {
    uint64_t iterations = 1;
    if (seconds_of(function, call, 1) >= LONG_SECONDS)
        return 1;
    while (seconds_of(function, call, iterations) < LEAST_SECONDS)
        iterations *= 2;
    return iterations;
}

enum {
    MEMCPY,
    OPERATOR,
    STREAMING,
    CALLS
};

/* The state of measure_entry_on_cpu. */
typedef struct cpu_run {
    const measure_settings *settings;
    bench_results *results;
    pthreadpool_t pools[2]; /* by entry->place; NULL for one thread */
    uint32_t done;
    uint32_t measured;
    tool_error *error;
} cpu_run;

/* memcpy precedes the operator because it restores the input of an operator in place. Such an
 * operator is called once per repetition: sums of sums would grow to infinity. The oracle judges
 * outputs that are computed anew after each copy. Returns the number of repetitions. */
static uint32_t repeat(const cpu_run *run, measured_call *call, double *seconds[CALLS]) {
    uint64_t iterations[CALLS];
    call_function *const functions[CALLS] = {
        call_memcpy, call->task->judge ? call_judge : call_operator, call_streaming};
    const double start = bench_now();
    uint32_t r = 0;
    for (int i = 0; i < CALLS; i++) {
        const bool once = i == OPERATOR && call->op->work->in_place;
        if (i == OPERATOR && call->task->judge)
            compute_sums(call);
        iterations[i] = once ? 1 : calibrate(functions[i], call);
    }
    do {
        for (int i = 0; i < CALLS; i++) {
            if (i == OPERATOR && call->task->judge)
                compute_sums(call);
            seconds[i][r] = seconds_of(functions[i], call, iterations[i]) / (double)iterations[i];
        }
    } while (++r < run->results->repetitions && bench_now() - start < run->settings->patience);
    return r;
}

static void take_medians(const cpu_run *run, measured_call *call, bench_result *result) {
    double *seconds[CALLS], medians[CALLS];
    for (int i = 0; i < CALLS; i++)
        seconds[i] = tool_calloc(run->results->repetitions, sizeof(double));
    const uint32_t count = repeat(run, call, seconds);
    for (int i = 0; i < CALLS; i++) {
        medians[i] = bench_median(seconds[i], count);
        free(seconds[i]);
    }
    const double copy = fmin(medians[MEMCPY], medians[STREAMING]);
    result->seconds = medians[OPERATOR];
    result_add_speed(result, "elements_per_second", "cumsum", medians[OPERATOR]);
    result_add_speed(result, "memcpy_elements_per_second", "memcpy", medians[MEMCPY]);
    result_add_speed(result, "streaming_elements_per_second", "streaming", medians[STREAMING]);
    result_add_speed(result, "copy_elements_per_second", NULL, copy);
    result_add(result, "ratio_to_copy", "ratio", copy / medians[OPERATOR], 1);
}

static tool_status measure_on_cpu(const cpu_run *run, const workload_operator *op,
                                  bench_result *result, tool_error *error) {
    const workload_entry *entry = result->entry;
    pthreadpool_t pool = run->pools[entry->place];
    const cumsum_plan_options options = {.numerics = {.order = order_of(entry)},
                                         .kernel = run->settings->backend.kernel,
                                         .thread_pool = pool};
    cumsum_diagnostic diagnostic = {0};
    cumsum_plan *plan;
    if (cumsum_plan_create(&op->desc, &options, &plan, &diagnostic) != CUMSUM_OK)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s", diagnostic.message);
    measured_call call = {
        .op = op, .plan = plan, .pool = pool, .task = entry->task, .status = CUMSUM_OK};
    take_medians(run, &call, result);
    result->kernel = cumsum_kernel_name(cumsum_plan_kernel(plan));
    cumsum_plan_destroy(plan);
    if (call.failed)
        return tool_fail(error, TOOL_MISMATCH, "the oracle fails right outputs");
    return call.status == CUMSUM_OK
               ? TOOL_OK
               : tool_fail(error, TOOL_ENVIRONMENT, "%s", cumsum_status_string(call.status));
}

static tool_status measure_entry_on_cpu(void *state, const workload_entry *entry,
                                        const workload_operator *op, const char *failure) {
    cpu_run *run = state;
    bench_result result = {.entry = entry, .failure = failure};
    progress_show(run->done++, 0, entry->work->name);
    const tool_status status = op ? measure_on_cpu(run, op, &result, run->error) : TOOL_OK;
    if (status == TOOL_OK)
        results_show(run->results, &result);
    run->measured += status == TOOL_OK && op;
    return status;
}

tool_status measure_cpu(const measure_settings *settings, bench_results *results,
                        tool_error *error) {
    cpu_run run = {.settings = settings, .results = results, .error = error};
    const char *reason = "";
    tool_status status = TOOL_OK;
    if (!cumsum_kernel_available(settings->backend.kernel, &reason)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "kernel %s is not available: %s",
                         cumsum_kernel_name(settings->backend.kernel), reason);
    }
    results->explanation =
        "G elements/s. memcpy and streaming stores copy as many bytes in the same\n"
        "run; ratio: to the faster copy";
    for (int i = 0; i < 2 && status == TOOL_OK; i++) {
        const uint32_t threads = settings->selection.threads[i];
        run.pools[i] = threads > 1 ? thread_pool_open(threads, error) : NULL;
        status = threads > 1 && !run.pools[i] ? TOOL_ENVIRONMENT : TOOL_OK;
    }
    if (status == TOOL_OK)
        status = workload_each(&settings->selection, measure_entry_on_cpu, &run);
    for (int i = 0; i < 2; i++)
        if (run.pools[i])
            pthreadpool_destroy(run.pools[i]);
    if (status == TOOL_OK && run.measured == 0)
        return tool_fail(error, TOOL_SKIPPED, "nothing was measured");
    return status;
}
