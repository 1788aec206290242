/* SPDX-License-Identifier: MIT */
/* cumsum bench --backend: how fast a device computes what bench measures on the CPU, by the
 * device's own clock. Each output is compared with the CPU's. With directml, the library's shaders
 * on the same device have a row below each of DirectML's. The results are a table, or a document in
 * the format of Google Benchmark. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "bench.h"
#include "executor.h"
#include "json_print.h"
#include "memory_limit.h"
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
    cumsum_d3d12_speed speed;
    uint64_t directml; /* how long DirectML took for it, hot; 0: it was not measured before */
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
    printf("\nA call, and G elements/s, by the device's clock: medians of %u. hot: right after the "
           "same call; cold: after other\ndata was read into the caches. Copies of as many bytes "
           "between two buffers of the device: by command\n(CopyBufferRegion), by a shader; ratio: "
           "to the faster copy\n\n%-*s  %12s  %9s  %9s  %8s  %8s  %8s  %5s  %8s  %8s  %5s\n",
           r->repetitions, SPEED_NAME_WIDTH, "", "a call, hot", "least", "greatest", "hot",
           "command", "shader", "ratio", "cold", "copy", "ratio");
}

static double per_second(const device_result *result, uint64_t nanoseconds) {
    return speed_elements_per_second(&result->entry, (double)nanoseconds * 1e-9);
}

static double billions(const device_result *result, uint64_t nanoseconds) {
    return per_second(result, nanoseconds) * 1e-9;
}

static double ratio(uint64_t other, uint64_t scan) {
    return scan ? (double)other / (double)scan : 0;
}

static uint64_t faster(const cumsum_d3d12_times *a, const cumsum_d3d12_times *b) {
    return a->median < b->median ? a->median : b->median;
}

static void show_row(const device_result *result) {
    const cumsum_d3d12_speed *s = &result->speed;
    const uint64_t copy = faster(&s->copy_hot, &s->shader_copy_hot);
    const uint64_t cold = faster(&s->copy_cold, &s->shader_copy_cold);
    printf("%-*s", SPEED_NAME_WIDTH, result->name);
    if (result->skipped) {
        fputs("  not measured: ", stdout);
        text_show(stdout, result->skipped);
        putchar('\n');
        return;
    }
    printf("  %9.1f us  %9.1f  %9.1f  %8.3f  %8.3f  %8.3f  %5.2f  %8.3f  %8.3f  %5.2f",
           (double)s->hot.median * 1e-3, (double)s->hot.least * 1e-3,
           (double)s->hot.greatest * 1e-3, billions(result, s->hot.median),
           billions(result, s->copy_hot.median), billions(result, s->shader_copy_hot.median),
           ratio(copy, s->hot.median), billions(result, s->cold.median), billions(result, cold),
           ratio(cold, s->cold.median));
    if (result->directml)
        printf("  %.1f times as fast", ratio(result->directml, s->hot.median));
    putchar('\n');
    fflush(stdout);
}

static json_object *make_entry(const device_result *result) {
    const cumsum_d3d12_speed *s = &result->speed;
    const uint64_t copy = faster(&s->copy_hot, &s->shader_copy_hot);
    const uint64_t cold = faster(&s->copy_cold, &s->shader_copy_cold);
    json_object *entry = speed_document_entry(result->name);
    if (result->skipped) {
        speed_document_error(entry, result->skipped);
        return entry;
    }
    fields_count(entry, "iterations", 1);
    fields_double(entry, "real_time", (double)s->hot.median);
    fields_double(entry, "cpu_time", (double)s->hot.median);
    fields_text(entry, "time_unit", "ns");
    fields_double(entry, "least_time", (double)s->hot.least);
    fields_double(entry, "greatest_time", (double)s->hot.greatest);
    fields_double(entry, "elements_per_second", per_second(result, s->hot.median));
    fields_double(entry, "cold_elements_per_second", per_second(result, s->cold.median));
    fields_double(entry, "command_copy_elements_per_second",
                  per_second(result, s->copy_hot.median));
    fields_double(entry, "shader_copy_elements_per_second",
                  per_second(result, s->shader_copy_hot.median));
    fields_double(entry, "copy_elements_per_second", per_second(result, copy));
    fields_double(entry, "copy_cold_elements_per_second", per_second(result, cold));
    fields_double(entry, "ratio_to_copy", ratio(copy, s->hot.median));
    fields_double(entry, "cold_ratio_to_copy", ratio(cold, s->cold.median));
    if (result->directml)
        fields_double(entry, "times_as_fast_as_directml", ratio(result->directml, s->hot.median));
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
    executor cpu; /* checks the outputs */
    workload_selection selection;
    device_report report;
    uint32_t measured;
    uint32_t wrong;
    uint32_t done;
} device_run;

/* Failures that concern one entry only, and are shown in its row. */
static bool is_of_entry(cumsum_status status) {
    return status == CUMSUM_UNSUPPORTED || status == CUMSUM_OUT_OF_MEMORY ||
           status == CUMSUM_DEVICE_FAILED;
}

/* Measures, and compares the output with the CPU's, which begins with the same bytes.
 * CUMSUM_GUARD_BROKEN if they differ. */
static cumsum_status measure_and_check(device_run *run, backend_work *work, bool shaders,
                                       unsigned char *expected, cumsum_d3d12_speed *speed,
                                       cumsum_diagnostic *why) {
    backend_device *device = run->executor.device;
    memcpy(expected, work->output, work->output_in_bytes);
    cumsum_status status =
        device->methods->measure(device, work, shaders, run->report.repetitions, speed, why);
    if (status != CUMSUM_OK)
        return status;
    backend_work check = *work;
    check.output = expected;
    if (work->input == work->output)
        check.input = expected;
    status = executor_compute(&run->cpu, &check, NULL, why);
    if (status != CUMSUM_OK || memcmp(expected, work->output, work->output_in_bytes) == 0)
        return status;
    uint64_t byte = 0;
    while (expected[byte] == ((const unsigned char *)work->output)[byte])
        byte++;
    snprintf(why->message, sizeof why->message, "WRONG: byte %" PRIu64 " differs from the CPU's",
             byte);
    return CUMSUM_GUARD_BROKEN;
}

/* One row. In place the input is restored first. */
static cumsum_status measure_row(device_run *run, const workload_operator *op, bool shaders,
                                 device_result *result) {
    backend_work work = {.desc = &op->desc,
                         .numerics = {.order = result->entry.task->order},
                         .input = workload_source(op),
                         .input_in_bytes = op->input_buffer.total_tensor_size_in_bytes,
                         .output = op->output,
                         .output_in_bytes = op->output_buffer.total_tensor_size_in_bytes};
    cumsum_diagnostic why = {.message = "out of memory"};
    unsigned char *expected = memory_allocate(work.output_in_bytes);
    cumsum_status status = CUMSUM_OUT_OF_MEMORY;
    if (op->work->in_place)
        memcpy(op->output, op->input, work.output_in_bytes);
    if (expected)
        status = measure_and_check(run, &work, shaders, expected, &result->speed, &why);
    memory_release(expected);
    run->measured += status == CUMSUM_OK;
    run->wrong += status == CUMSUM_GUARD_BROKEN;
    result->skipped = status == CUMSUM_OK ? NULL : why.message;
    progress_clear();
    if (status == CUMSUM_OK || is_of_entry(status) || status == CUMSUM_GUARD_BROKEN)
        show_result(&run->report, result);
    else
        fprintf(stderr, "cumsum: bench: %s\n", why.message);
    result->skipped = NULL;
    return status;
}

static tool_status measure_entry(void *state, const workload_entry *entry,
                                 const workload_operator *op, const char *reason) {
    device_run *run = state;
    device_result result = {.entry = *entry, .skipped = reason};
    workload_name(result.name, entry);
    progress_show(run->done++, run->selection.count, result.name);
    if (!op) {
        progress_clear();
        show_result(&run->report, &result);
        return TOOL_OK;
    }
    cumsum_status status = measure_row(run, op, false, &result);
    if (status == CUMSUM_OK && run->executor.backend == BACKEND_DIRECTML) {
        result.directml = result.speed.hot.median;
        result.entry.backend = backend_name(BACKEND_D3D12);
        workload_name(result.name, &result.entry);
        status = measure_row(run, op, true, &result);
    }
    return status == CUMSUM_OK || status == CUMSUM_GUARD_BROKEN || is_of_entry(status)
               ? TOOL_OK
               : TOOL_ENVIRONMENT;
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
            TOOL_OK ||
        executor_begin(&run->cpu, settings->backend, BACKEND_CPU, &error) != TOOL_OK) {
        fprintf(stderr, "cumsum: bench: %s\n", error.message);
        return TOOL_ENVIRONMENT;
    }
    const char *reason = executor_reason(&run->executor);
    if (!reason && !run->executor.device->methods->measure)
        reason = "it has no clock to measure by";
    if (reason) {
        fprintf(stderr, "cumsum: SKIPPED: backend %s: %s\n",
                backend_name(settings->backend->backend), reason);
        return TOOL_SKIPPED;
    }
    run->report.device = run->executor.device->name;
    begin_device_report(&run->report, settings->json);
    const tool_status status = workload_each(&run->selection, measure_entry, run);
    end_device_report(&run->report);
    return status != TOOL_OK ? status
           : run->wrong      ? TOOL_MISMATCH
           : !run->measured  ? TOOL_SKIPPED
                             : TOOL_OK;
}

tool_status bench_device(const bench_settings *settings, tool_error *error) {
    const backend_choice backend = settings->backend->backend;
    device_run run = {
        .executor = {.backend = backend},
        .cpu = {.backend = BACKEND_CPU},
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
    executor_end(&run.cpu);
    executor_end(&run.executor);
    return status;
}
