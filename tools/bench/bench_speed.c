/* SPDX-License-Identifier: MIT */
/* cumsum bench [PATTERN]: how fast the library is, beside copies of the same bytes and beside
 * competitors. */
#include <math.h>
#include <pthreadpool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "executor.h"
#include "memory_limit.h"
#include "progress.h"
#include "speed_measure.h"
#include "speed_report.h"

/* Unless --repetitions is given. */
#define PATIENCE 3.0

typedef struct speed_run {
    workload_selection selection;
    speed_settings settings;
    speed_report report;
    competitors others;
    pthreadpool_t pools[SELECTION_MAX]; /* by entry.place; NULL for one thread */
    /* By entry.place, the last entry that the competitors were asked about, and their answers,
     * which hold for every order. */
    workload_entry asked[SELECTION_MAX];
    competitor_time answers[SELECTION_MAX][COMPETITORS_MAX];
    uint32_t done;
    uint32_t measured;
    tool_error *error;
} speed_run;

static tool_status start_pools(speed_run *run, tool_error *error) {
    for (uint32_t i = 0; i < run->selection.thread_count; i++) {
        uint32_t threads = run->selection.threads[i];
        run->pools[i] = threads > 1 ? thread_pool_start(threads, error) : NULL;
        if (threads > 1 && !run->pools[i])
            return TOOL_ENVIRONMENT;
    }
    return TOOL_OK;
}

static tool_status begin(speed_run *run, const bench_settings *settings, tool_error *error) {
    const char *reason = "";
    if (!cumsum_kernel_available(settings->backend->kernel, &reason)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "kernel %s is not available: %s",
                         cumsum_kernel_name(settings->backend->kernel), reason);
    }
    run->settings.kernel = settings->backend->kernel;
    run->settings.repetitions = bench_repetitions(settings);
    run->settings.patience = settings->repetitions ? INFINITY : PATIENCE;
    tool_status status = start_pools(run, error);
    if (status == TOOL_OK && settings->against)
        status = competitors_begin(&run->others, settings->against, error);
    if (status == TOOL_OK)
        speed_report_begin(&run->report, settings->json, &run->others, run->settings.repetitions);
    return status;
}

static void end(speed_run *run) {
    competitors_end(&run->others);
    for (uint32_t i = 0; i < SELECTION_MAX; i++)
        if (run->pools[i])
            pthreadpool_destroy(run->pools[i]);
}

static tool_status ask_competitors(speed_run *run, const workload_operator *op,
                                   const workload_entry *entry, tool_error *error) {
    const uint32_t place = entry->place;
    workload_entry *asked = &run->asked[place];
    if (asked->work == entry->work && asked->type == entry->type)
        return TOOL_OK;
    *asked = *entry;
    memset(run->answers[place], 0, sizeof run->answers[place]);
    /* A competitor has an input, an output and, while it fills them, two copies. */
    if (memory_check(0, 4 * op->bytes, NULL) != TOOL_OK)
        return TOOL_OK;
    return competitors_measure(&run->others, entry, run->settings.repetitions, run->answers[place],
                               error);
}

static tool_status measure_entry(void *state, const workload_entry *entry,
                                 const workload_operator *op, const char *reason) {
    speed_run *run = state;
    speed_result result = {.entry = *entry, .skipped = reason};
    tool_status status = TOOL_OK;
    workload_name(result.name, entry);
    progress_show(run->done++, run->selection.count, result.name);
    if (op) {
        run->settings.pool = run->pools[entry->place];
        status = speed_measure(op, entry, &run->settings, &result.times, run->error);
        if (status == TOOL_OK)
            status = ask_competitors(run, op, entry, run->error);
        memcpy(result.competitor_times, run->answers[entry->place], sizeof result.competitor_times);
        run->measured++;
    }
    if (status == TOOL_OK)
        speed_report_result(&run->report, &result);
    return status;
}

tool_status bench_speed(const bench_settings *settings, tool_error *error) {
    speed_run run = {.error = error};
    const uint32_t processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t threads = settings->backend->threads ? settings->backend->threads : processors;
    tool_status status =
        workload_select(&run.selection, settings, settings->has_threads ? threads : 0, error);
    if (status != TOOL_OK)
        return status;
    if (settings->list)
        return workload_show(&run.selection);
    status = begin(&run, settings, error);
    if (status == TOOL_OK) {
        status = workload_each(&run.selection, measure_entry, &run);
        speed_report_end(&run.report);
        status = status == TOOL_OK && run.measured == 0 ? TOOL_SKIPPED : status;
    }
    end(&run);
    if (status == TOOL_ENVIRONMENT || status == TOOL_MISMATCH)
        fprintf(stderr, "cumsum: bench: %s\n", error->message);
    return status;
}
