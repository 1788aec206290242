/* SPDX-License-Identifier: MIT */
/* How fast a device computes what measure.c measures on the CPU. Each output is compared with the
 * CPU's. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "executor.h"
#include "gpu_measure.h"
#include "gpu_variants.h"
#include "measure.h"
#include "memory_limit.h"
#include "report.h"
#include "variants.h"

/* The state of measure_entry_on_device. */
typedef struct device_run {
    executor executor;
    executor cpu; /* checks the outputs */
    bench_results *results;
    variant *variants; /* NULL: none are measured. The first are the library's kernels. */
    size_t variant_count;
    uint64_t directml; /* how long DirectML takes for the entry, hot; 0: it is not measured */
    uint32_t done;
    uint32_t measured;
    uint32_t wrong;
    tool_error *error;
} device_run;

/* A row of the table. */
typedef struct device_row {
    workload_entry entry;
    const workload_operator *op;
    bool shaders;           /* on DirectML's device with the library's, and DirectML's rounding */
    const variant *variant; /* NULL: not measured */
    kernel_use use;         /* of a variant */
} device_row;

static const device_times *faster(const device_times *a, const device_times *b) {
    return a->median < b->median ? a : b;
}

static double seconds_of_median(const device_times *times) {
    return (double)times->median * 1e-9;
}

static double ratio(uint64_t other, uint64_t scan) {
    return scan ? (double)other / (double)scan : 0;
}

static void add_use(bench_result *result, const kernel_use *use) {
    result_add(result, "registers", "registers", use->registers, 1);
    result_add(result, "spilled_bytes", "spilled", use->spilled, 1);
    result_add(result, "groups", "groups", use->groups, 1);
    result_add(result, "threads", "threads", use->threads, 1);
}

static void add_counters(bench_result *result, const device_speed *s, uint64_t directml) {
    const device_times *copy = faster(&s->copy_hot, &s->shader_copy_hot);
    const device_times *cold = faster(&s->copy_cold, &s->shader_copy_cold);
    result->seconds = seconds_of_median(&s->hot);
    result_add(result, "least_time", "least us", (double)s->hot.least, 1e3);
    result_add(result, "greatest_time", "most us", (double)s->hot.greatest, 1e3);
    result_add_speed(result, "elements_per_second", "hot", seconds_of_median(&s->hot));
    result_add_speed(result, "command_copy_elements_per_second", "command",
                     seconds_of_median(&s->copy_hot));
    result_add_speed(result, "shader_copy_elements_per_second", "shader",
                     seconds_of_median(&s->shader_copy_hot));
    result_add_speed(result, "copy_elements_per_second", NULL, seconds_of_median(copy));
    result_add(result, "ratio_to_copy", "ratio", ratio(copy->median, s->hot.median), 1);
    result_add_speed(result, "cold_elements_per_second", "cold", seconds_of_median(&s->cold));
    result_add_speed(result, "copy_cold_elements_per_second", "copy", seconds_of_median(cold));
    result_add(result, "cold_ratio_to_copy", "ratio", ratio(cold->median, s->cold.median), 1);
    result_add(result, "left_tiles", "left", (double)s->left_tiles, 1);
    if (directml)
        result_add(result, "times_as_fast_as_directml", "DirectML", ratio(directml, s->hot.median),
                   1);
}

/* Failures that concern one entry only, and are shown in its row. */
static bool is_of_entry(cumsum_status status) {
    return status == CUMSUM_UNSUPPORTED || status == CUMSUM_OUT_OF_MEMORY ||
           status == CUMSUM_DEVICE_FAILED || status == CUMSUM_GUARD_BROKEN;
}

#ifdef CUMSUM_TOOL_D3D12
#include "directml_operator.h"

/* Executes and measures. work->numerics becomes what the output has. */
static cumsum_status execute_work(const backend_device *device, backend_work *w, bool shaders,
                                  cumsum_diagnostic *why) {
    const cumsum_order order = w->numerics.order;
    if (device->directml)
        w->numerics = cumsum_directml_numerics(device->directml, w->execution_flags);
    if (device->directml && !shaders)
        return cumsum_directml_execute(device->directml, w->desc, NULL, w->execution_flags,
                                       w->level, w->input, w->input_in_bytes, w->output,
                                       w->output_in_bytes, why);
    w->numerics.order = order;
    return cumsum_d3d12_execute(device->d3d12, w->desc, &w->numerics, w->level, w->input,
                                w->input_in_bytes, w->output, w->output_in_bytes, NULL, why);
}

static cumsum_status execute_row(const backend_device *device, backend_work *w, device_row *row,
                                 cumsum_diagnostic *why) {
    if (!row->variant)
        return execute_work(device, w, row->shaders, why);
    const scan_shaders before = gpu_variant_begin(device->d3d12, &row->variant->bytecodes);
    const cumsum_status status = execute_work(device, w, false, why);
    row->use = gpu_variant_end(device->d3d12, &before);
    return status;
}

static cumsum_status measure_work(const backend_device *device, backend_work *w, device_row *row,
                                  device_measuring *measuring, cumsum_diagnostic *why) {
    device->d3d12->gpu->measuring = &measuring->measuring;
    const cumsum_status status = execute_row(device, w, row, why);
    device->d3d12->gpu->measuring = NULL;
    if (status != CUMSUM_OK || measuring->measured)
        return backend_note_timeout(status);
    snprintf(why->message, sizeof why->message, "%s", NOT_MEASURED);
    return CUMSUM_DEVICE_FAILED;
}

#else

static cumsum_status measure_work(const backend_device *device, backend_work *w, device_row *row,
                                  device_measuring *measuring, cumsum_diagnostic *why) {
    (void)device, (void)w, (void)row, (void)measuring, (void)why;
    return CUMSUM_NO_DEVICE;
}

#endif

/* Measures, and compares the output with the CPU's, which begins with the same bytes.
 * CUMSUM_GUARD_BROKEN if they differ. */
static cumsum_status measure_and_check(device_run *run, backend_work *work, device_row *row,
                                       unsigned char *expected, device_measuring *measuring,
                                       cumsum_diagnostic *why) {
    memcpy(expected, work->output, work->output_in_bytes);
    cumsum_status status = measure_work(run->executor.device, work, row, measuring, why);
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
static cumsum_status measure_row(device_run *run, device_row *row) {
    const workload_operator *op = row->op;
    bench_result result = {.entry = &row->entry};
    backend_work work = {.desc = &op->desc,
                         .numerics = {.order = row->entry.task->order},
                         .input = workload_source(op),
                         .input_in_bytes = op->input_buffer.total_tensor_size_in_bytes,
                         .output = op->output,
                         .output_in_bytes = op->output_buffer.total_tensor_size_in_bytes};
    cumsum_diagnostic why = {.message = "out of memory"};
    device_measuring measuring = {.measuring = {device_measure},
                                  .repetitions = run->results->repetitions,
                                  .bytes = op->bytes};
    unsigned char *expected = memory_allocate(work.output_in_bytes);
    cumsum_status status = CUMSUM_OUT_OF_MEMORY;
    if (op->work->in_place)
        memcpy(op->output, op->input, work.output_in_bytes);
    if (expected)
        status = measure_and_check(run, &work, row, expected, &measuring, &why);
    memory_free(expected);
    run->measured += status == CUMSUM_OK;
    run->wrong += status == CUMSUM_GUARD_BROKEN;
    if (run->executor.backend == BACKEND_DIRECTML && !row->shaders)
        run->directml = measuring.speed.hot.median;
    if (status == CUMSUM_OK)
        add_counters(&result, &measuring.speed, run->directml);
    if (status == CUMSUM_OK && row->variant)
        add_use(&result, &row->use);
    if (status != CUMSUM_OK)
        result.failure = why.message;
    if (status == CUMSUM_OK || is_of_entry(status))
        results_show(run->results, &result);
    else
        tool_fail(run->error, TOOL_ENVIRONMENT, "%s", why.message);
    return status;
}

/* The variants of the kernel that the library's row took, if it is of the blocked order. */
static cumsum_status measure_variants(device_run *run, const device_row *usual) {
    cumsum_status status = CUMSUM_OK;
    for (size_t i = 1; i < run->variant_count && status == CUMSUM_OK; i++) {
        const variant *v = &run->variants[i];
        if (usual->use.kernel == SCAN_KERNELS || !v->has[usual->use.kernel][usual->use.element])
            continue;
        device_row row = {.entry = usual->entry, .op = usual->op, .variant = v};
        row.entry.backend = v->name;
        status = measure_row(run, &row);
        status = is_of_entry(status) ? CUMSUM_OK : status;
    }
    return status;
}

static tool_status measure_entry_on_device(void *state, const workload_entry *entry,
                                           const workload_operator *op, const char *failure) {
    device_run *run = state;
    device_row row = {.entry = *entry, .op = op, .variant = run->variants};
    run->directml = 0;
    progress_show(run->done++, 0, entry->work->name);
    if (!op) {
        results_show(run->results, &(bench_result){.entry = entry, .failure = failure});
        return TOOL_OK;
    }
    cumsum_status status = measure_row(run, &row);
    if (status == CUMSUM_OK && run->executor.backend == BACKEND_DIRECTML) {
        row.shaders = true;
        row.entry.backend = backend_name(BACKEND_D3D12);
        status = measure_row(run, &row);
    }
    if (status == CUMSUM_OK && run->variants)
        status = measure_variants(run, &row);
    return status == CUMSUM_OK || is_of_entry(status) ? TOOL_OK : TOOL_ENVIRONMENT;
}

static void read_variants(device_run *run, const char *folder) {
    static variant variants[MOST_VARIANTS];
    if (!folder)
        return;
    run->variants = variants;
    run->variant_count =
        variants_read(folder, run->executor.device->d3d12->gpu->driver->bytecodes, variants);
}

static tool_status measure_opened(device_run *run, const measure_settings *settings) {
    const char *reason = executor_reason(&run->executor);
    if (!reason && !run->executor.device->d3d12)
        reason = "it has no clock to measure by";
    if (reason) {
        return tool_fail(run->error, TOOL_SKIPPED, "SKIPPED: backend %s: %s",
                         settings->selection.backend, reason);
    }
    read_variants(run, settings->variants);
    snprintf(run->results->device, sizeof run->results->device, "%s", run->executor.device->name);
    run->results->backend = settings->selection.backend;
    run->results->explanation =
        "A call, and G elements/s, by the device's clock. hot: right after the same call; cold:\n"
        "after other data was read into the caches. Copies of as many bytes between two buffers "
        "of\n"
        "the device: by command (CopyBufferRegion), by a shader; ratio: to the faster copy;\n"
        "DirectML: how many times as fast as DirectML's operator; of variants: registers and\n"
        "spilled bytes of a thread, groups that a multiprocessor runs, threads of 2048 in them";
    const tool_status status = workload_each(&settings->selection, measure_entry_on_device, run);
    return status != TOOL_OK ? status
           : run->wrong ? tool_fail(run->error, TOOL_MISMATCH, "%u outputs are wrong", run->wrong)
           : run->measured ? TOOL_OK
                           : tool_fail(run->error, TOOL_SKIPPED, "nothing was measured");
}

tool_status measure_device(const measure_settings *settings, bench_results *results,
                           tool_error *error) {
    const backend_settings *backend = &settings->backend;
    device_run run = {.executor = {.backend = backend->backend},
                      .cpu = {.backend = BACKEND_CPU},
                      .results = results,
                      .error = error};
    tool_status status = executor_open(&run.executor, backend, backend->backend, error);
    if (status == TOOL_OK)
        status = executor_open(&run.cpu, backend, BACKEND_CPU, error);
    if (status == TOOL_OK)
        status = measure_opened(&run, settings);
    executor_close(&run.cpu);
    executor_close(&run.executor);
    return status;
}
