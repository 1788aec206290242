/* SPDX-License-Identifier: MIT */
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

/* cumsum bench [PATTERN]: how fast the library is, beside copies of the same bytes. */

#define DEFAULT_REPETITIONS 5

/* Everything that one run needs. */
typedef struct speed_run {
    speed_selection selection;
    speed_settings settings;
    speed_report report;
    competitors others;
    pthreadpool_t pools[SELECTION_MAX]; /* as selection.threads; NULL for one thread */
    /* What the competitors said last, as selection.threads: they have no orders to choose from. */
    workload_entry asked[SELECTION_MAX];
    competitor_time answers[SELECTION_MAX][COMPETITORS_MAX];
    uint32_t done;
    uint32_t total;
    uint32_t measured;
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

/* Where a number of threads stands in the selection, which has it. */
static uint32_t place_of(const speed_run *run, uint32_t threads) {
    uint32_t i = 0;
    while (i + 1 < run->selection.thread_count && run->selection.threads[i] != threads)
        i++;
    return i;
}

static tool_status begin(speed_run *run, const bench_settings *settings, tool_error *error) {
    const char *reason = "";
    if (!cumsum_kernel_available(settings->backend->kernel, &reason)) {
        return tool_fail(error, TOOL_ENVIRONMENT, "kernel %s is not available: %s",
                         cumsum_kernel_name(settings->backend->kernel), reason);
    }
    run->settings.kernel = settings->backend->kernel;
    run->settings.repetitions = settings->repetitions ? settings->repetitions : DEFAULT_REPETITIONS;
    tool_status status = start_pools(run, error);
    if (status == TOOL_OK && settings->against)
        status = competitors_begin(&run->others, settings->against, error);
    if (status == TOOL_OK)
        speed_report_begin(&run->report, settings, &run->others, run->settings.repetitions);
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
    uint32_t place = place_of(run, entry->threads);
    workload_entry *asked = &run->asked[place];
    if (asked->work == entry->work && asked->type == entry->type)
        return TOOL_OK;
    *asked = *entry;
    memset(run->answers[place], 0, sizeof run->answers[place]);
    /* A competitor has an input, an output and, while it fills them, two more. */
    if (memory_check(4 * op->bytes, NULL) != TOOL_OK)
        return TOOL_OK;
    return competitors_measure(&run->others, entry, run->settings.repetitions, run->answers[place],
                               error);
}

static tool_status measure_entry(speed_run *run, const workload_operator *op,
                                 const workload_entry *entry, tool_error *error) {
    speed_result result = {.entry = *entry};
    workload_name(result.name, entry);
    progress_show(run->done++, run->total, result.name);
    uint32_t place = place_of(run, entry->threads);
    run->settings.pool = run->pools[place];
    tool_status status = speed_measure(op, entry, &run->settings, &result.times, error);
    if (status == TOOL_OK)
        status = ask_competitors(run, op, entry, error);
    if (status == TOOL_OK) {
        memcpy(result.competitor_times, run->answers[place], sizeof result.competitor_times);
        speed_report_result(&run->report, &result);
        run->measured++;
    }
    return status;
}

/* All entries of a workload and type: they share their memory. Where it cannot be had, they are
 * listed with the reason. */
static tool_status measure_operator(speed_run *run, const workload *w, cumsum_data_type type,
                                    tool_error *error) {
    workload_operator op;
    workload_entry entry = {.work = w, .type = type};
    if (!speed_wants(&run->selection, w, type))
        return TOOL_OK;
    tool_status status = workload_begin(&op, w, type, error);
    if (status != TOOL_OK) {
        speed_result result = {.skipped = error->message};
        while (speed_next(&run->selection, &entry)) {
            result.entry = entry;
            workload_name(result.name, &entry);
            speed_report_result(&run->report, &result);
            run->done++;
        }
        return TOOL_OK;
    }
    while (status == TOOL_OK && speed_next(&run->selection, &entry))
        status = measure_entry(run, &op, &entry, error);
    workload_end(&op);
    return status;
}

static tool_status measure_all(speed_run *run, tool_error *error) {
    tool_status status = TOOL_OK;
    for (const workload *w = workload_list; w->name && status == TOOL_OK; w++)
        for (uint32_t t = 0; t < run->selection.type_count && status == TOOL_OK; t++)
            status = measure_operator(run, w, run->selection.types[t], error);
    speed_report_end(&run->report);
    return status == TOOL_OK && run->measured == 0 ? TOOL_NOTHING_RAN : status;
}

static tool_status list_entries(const speed_selection *selection) {
    for (const workload *w = workload_list; w->name; w++) {
        for (uint32_t t = 0; t < selection->type_count; t++) {
            workload_entry entry = {.work = w, .type = selection->types[t]};
            while (speed_next(selection, &entry)) {
                char name[WORKLOAD_NAME];
                workload_name(name, &entry);
                puts(name);
            }
        }
    }
    return TOOL_OK;
}

tool_status bench_speed(const bench_settings *settings, tool_error *error) {
    speed_run run = {.measured = 0};
    const uint32_t processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t threads = settings->backend->threads;
    speed_select(&run.selection, settings, threads ? threads : processors);
    run.total = speed_count(&run.selection);
    if (run.total == 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "no entry fits '%s'; 'cumsum bench --list' has them", settings->pattern);
    }
    if (settings->list)
        return list_entries(&run.selection);
    tool_status status = begin(&run, settings, error);
    if (status == TOOL_OK)
        status = measure_all(&run, error);
    end(&run);
    if (status == TOOL_ENVIRONMENT)
        fprintf(stderr, "cumsum: bench: %s\n", error->message);
    return status;
}
