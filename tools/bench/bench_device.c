/* SPDX-License-Identifier: MIT */
/* cumsum bench --backend: how fast a device computes what bench measures on the CPU, by the
 * device's own clock. The results are a table, or a document in the format of Google Benchmark. */
#include <json-c/json.h>
#include <stdio.h>

#include "backend.h"
#include "bench.h"
#include "executor.h"
#include "json_print.h"
#include "progress.h"
#include "report.h"
#include "speed_measure.h"
#include "speed_report.h"
#include "text.h"
#include "workload.h"

typedef struct device_result {
    workload_entry entry;
    char name[WORKLOAD_NAME];
    const char *skipped; /* why it was not measured, or NULL */
    backend_speed speed;
} device_result;

typedef struct device_report {
    const char *backend;
    const char *device;
    uint32_t repetitions;
    json_object *benchmarks; /* NULL: a table */
} device_report;

static void begin_device_report(device_report *r, bool json) {
    if (json) {
        r->benchmarks = json_make_array();
        return;
    }
    printf("backend %s on ", r->backend);
    text_show(stdout, r->device);
    printf(
        "\nG elements/s by the device's clock, medians of %u. hot: right after the same call; "
        "cold: after the caches\nwere filled with other data; copy: of as many bytes between two "
        "buffers of the device; ratio: to the copy\n\n"
        "%-*s  %12s  %8s  %8s  %8s  %8s  %5s  %5s\n",
        r->repetitions, SPEED_NAME_WIDTH, "", "a call, hot", "hot", "copy", "cold", "copy", "ratio",
        "cold");
}

static double billions(const device_result *result, uint64_t nanoseconds) {
    return speed_elements_per_second(&result->entry, (double)nanoseconds * 1e-9) * 1e-9;
}

static double ratio(uint64_t copy, uint64_t scan) {
    return scan ? (double)copy / (double)scan : 0;
}

static void show_row(const device_result *result) {
    const backend_speed *s = &result->speed;
    printf("%-*s", SPEED_NAME_WIDTH, result->name);
    if (result->skipped) {
        fputs("  not measured: ", stdout);
        text_show(stdout, result->skipped);
        putchar('\n');
        return;
    }
    printf("  %9.1f us  %8.3f  %8.3f  %8.3f  %8.3f  %5.2f  %5.2f\n",
           (double)s->hot_nanoseconds * 1e-3, billions(result, s->hot_nanoseconds),
           billions(result, s->copy_hot_nanoseconds), billions(result, s->cold_nanoseconds),
           billions(result, s->copy_cold_nanoseconds),
           ratio(s->copy_hot_nanoseconds, s->hot_nanoseconds),
           ratio(s->copy_cold_nanoseconds, s->cold_nanoseconds));
    fflush(stdout);
}

static json_object *make_entry(const device_result *result) {
    const backend_speed *s = &result->speed;
    json_object *entry = speed_document_entry(result->name);
    if (result->skipped) {
        speed_document_error(entry, result->skipped);
        return entry;
    }
    fields_count(entry, "iterations", 1);
    fields_double(entry, "real_time", (double)s->hot_nanoseconds);
    fields_double(entry, "cpu_time", (double)s->hot_nanoseconds);
    fields_text(entry, "time_unit", "ns");
    fields_double(entry, "elements_per_second", billions(result, s->hot_nanoseconds) * 1e9);
    fields_double(entry, "cold_elements_per_second", billions(result, s->cold_nanoseconds) * 1e9);
    fields_double(entry, "copy_elements_per_second",
                  billions(result, s->copy_hot_nanoseconds) * 1e9);
    fields_double(entry, "copy_cold_elements_per_second",
                  billions(result, s->copy_cold_nanoseconds) * 1e9);
    fields_double(entry, "ratio_to_copy", ratio(s->copy_hot_nanoseconds, s->hot_nanoseconds));
    fields_double(entry, "cold_ratio_to_copy",
                  ratio(s->copy_cold_nanoseconds, s->cold_nanoseconds));
    return entry;
}

static void show_result(device_report *r, const device_result *result) {
    if (r->benchmarks)
        json_put_element(r->benchmarks, make_entry(result));
    else
        show_row(result);
}

static void end_device_report(device_report *r) {
    if (!r->benchmarks)
        return;
    json_object *context = json_make_object();
    fields_text(context, "executable", "cumsum");
    fields_text(context, "library_version", cumsum_version());
    fields_text(context, "backend", r->backend);
    fields_text(context, "device", r->device);
    fields_count(context, "repetitions", r->repetitions);
    fields_text(context, "statistic", "median");
    speed_document_print(context, r->benchmarks);
}

typedef struct device_run {
    executor executor;
    workload_selection selection;
    device_report report;
    uint32_t measured;
    uint32_t done;
} device_run;

/* Failures that concern one entry only, and are shown in its row. */
static bool is_of_entry(cumsum_status status) {
    return status == CUMSUM_UNSUPPORTED || status == CUMSUM_OUT_OF_MEMORY ||
           status == CUMSUM_DEVICE_FAILED;
}

static tool_status measure_entry(void *state, const workload_entry *entry,
                                 const workload_operator *op, const char *reason) {
    device_run *run = state;
    backend_device *device = run->executor.device;
    device_result result = {.entry = *entry, .skipped = reason};
    cumsum_diagnostic why = {0};
    cumsum_status status = CUMSUM_OK;
    workload_name(result.name, entry);
    progress_show(run->done++, run->selection.count, result.name);
    if (op) {
        const backend_work work = {.desc = &op->desc,
                                   .numerics = {.order = entry->task->order},
                                   .input = workload_source(op),
                                   .input_in_bytes = op->input_buffer.total_tensor_size_in_bytes,
                                   .output = op->output,
                                   .output_in_bytes = op->output_buffer.total_tensor_size_in_bytes};
        status =
            device->methods->measure(device, &work, run->report.repetitions, &result.speed, &why);
        run->measured += status == CUMSUM_OK;
        result.skipped = status == CUMSUM_OK ? NULL : why.message;
    }
    progress_clear();
    if (status != CUMSUM_OK && !is_of_entry(status)) {
        fprintf(stderr, "cumsum: bench: %s\n", why.message);
        return TOOL_ENVIRONMENT;
    }
    show_result(&run->report, &result);
    return TOOL_OK;
}

static const char *option_of_the_cpu(const bench_settings *s) {
    return s->backend->kernel != CUMSUM_KERNEL_AUTO ? "--kernel"
           : s->has_threads                         ? "--threads"
           : s->against                             ? "--against"
                                                    : NULL;
}

static tool_status open_and_measure(device_run *run, const bench_settings *settings) {
    tool_error error;
    if (executor_begin(&run->executor, settings->backend, settings->backend->backend, &error) !=
        TOOL_OK) {
        fprintf(stderr, "cumsum: bench: %s\n", error.message);
        return TOOL_ENVIRONMENT;
    }
    const char *reason = executor_reason(&run->executor);
    if (!reason && !run->executor.device->methods->measure)
        reason = "it has no clock to measure by";
    if (reason) {
        fprintf(stderr, "cumsum: SKIPPED: backend %s: %s\n",
                backend_name(settings->backend->backend), reason);
        return TOOL_NOTHING_RAN;
    }
    run->report.device = run->executor.device->name;
    begin_device_report(&run->report, settings->json);
    const tool_status status = workload_each(&run->selection, measure_entry, run);
    end_device_report(&run->report);
    return status == TOOL_OK && !run->measured ? TOOL_NOTHING_RAN : status;
}

tool_status bench_device(const bench_settings *settings, tool_error *error) {
    const backend_choice backend = settings->backend->backend;
    device_run run = {
        .executor = {.backend = backend},
        .report = {.backend = backend_name(backend), .repetitions = bench_repetitions(settings)}};
    const char *misplaced = option_of_the_cpu(settings);
    if (misplaced)
        return tool_fail(error, TOOL_MALFORMED, "option %s goes with --backend cpu", misplaced);
    tool_status status = workload_select(&run.selection, settings, 1, error);
    if (status != TOOL_OK)
        return status;
    if (settings->list)
        return workload_show(&run.selection);
    status = open_and_measure(&run, settings);
    executor_end(&run.executor);
    return status;
}
