/* SPDX-License-Identifier: MIT */
/*
 * The public functions that list adapters, open and close a device, and execute. A device that
 * opens is ready: its properties were read and measured, and its scanner exists.
 */
#include "api_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "diagnose.h"
#include "driver_registry.h"

cumsum_status cumsum_gpu_list(const gpu_driver *const *drivers, cumsum_d3d12_adapter *adapters,
                              size_t room, size_t *count, cumsum_diagnostic *diagnostic) {
    const gpu_driver *driver;
    gpu_failure why = {0};
    if (!count || (room && !adapters)) {
        return cumsum_diagnose_argument(diagnostic, count ? "adapters" : "count", 0, "NULL",
                                        "must be given");
    }
    if (cumsum_gpu_choose_driver(drivers, &driver, adapters, room, count, &why) != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    return CUMSUM_OK;
}

/* The questions of device_probe.hlsl: the sum of a pair, and its first number as binary16. */
enum {
    SUBNORMAL_TERM,
    SUBNORMAL_SUM,
    HALF_TIE,
    HALF_OVERFLOW,
    HALF_SUBNORMAL,
    QUESTIONS
};

/* Bits of binary32 numbers for which IEEE 754, truncation and flushing give different bits. */
static const uint32_t questions[QUESTIONS][2] = {
    [SUBNORMAL_TERM] = {0x00000001, 0x00000000},
    [SUBNORMAL_SUM] = {0x00800001, 0x80800000}, /* the smallest normal numbers, subtracted */
    [HALF_TIE] = {0x3F803000, 0},               /* 1 + 3/2048, between 0x3C01 and 0x3C02 */
    [HALF_OVERFLOW] = {0x477FF000, 0},          /* 65520, which IEEE 754 rounds to infinity */
    [HALF_SUBNORMAL] = {0x33C00000, 0}};        /* 1.5 times the smallest binary16 */

/* answers[i]: the sum and the binary16 of pair i. */
static void read_answers(cumsum_d3d12_device_info *info, uint32_t answers[QUESTIONS][2]) {
    const uint32_t tie = answers[HALF_TIE][1];
    const uint32_t overflow = answers[HALF_OVERFLOW][1];
    const uint32_t subnormal = answers[HALF_SUBNORMAL][1];
    info->flushes_float32_subnormals =
        answers[SUBNORMAL_TERM][0] != 0x00000001 || answers[SUBNORMAL_SUM][0] != 0x00000001;
    info->half_conversion = CUMSUM_D3D12_HALF_OTHER;
    if (tie == 0x3C02 && overflow == 0x7C00 && subnormal == 2)
        info->half_conversion = CUMSUM_D3D12_HALF_NEAREST_EVEN;
    else if (tie == 0x3C01 && overflow == 0x7BFF && subnormal == 1)
        info->half_conversion = CUMSUM_D3D12_HALF_TOWARD_ZERO;
}

static gpu_status ask_device(gpu_device *gpu, const gpu_shader *shader, gpu_buffer *terms,
                             gpu_buffer *answers, gpu_failure *why) {
    uint32_t given[QUESTIONS][2] = {{0}};
    /* The slots that the shader does not use need a buffer all the same. */
    const gpu_command command = {.type = GPU_DISPATCH,
                                 .shader = shader,
                                 .writable = {{answers, 0}, {terms, 0}, {terms, 0}},
                                 .groups = {QUESTIONS, 1, 1}};
    gpu_status status = gpu->driver->upload(gpu, terms, 0, questions, sizeof questions, why);
    if (status == GPU_OK)
        status = gpu->driver->submit(gpu, &command, 1, NULL, why);
    if (status == GPU_OK)
        status = gpu->driver->download(gpu, answers, &(gpu_part){0, given, sizeof given}, 1, why);
    read_answers(&gpu->info, given);
    return status;
}

/* Measures the properties that Direct3D leaves to the driver. */
static gpu_status measure_info(gpu_device *gpu, gpu_failure *why) {
    const gpu_driver *driver = gpu->driver;
    gpu_shader *shader = NULL;
    gpu_buffer *terms = NULL;
    gpu_buffer *answers = NULL;
    const scan_bytecode *probe = &driver->bytecodes->probe;
    gpu_status status = driver->shader_open(gpu, probe->words, probe->bytes, &shader, why);
    if (status == GPU_OK)
        status = driver->buffer_open(gpu, sizeof questions, &terms, why);
    if (status == GPU_OK)
        status = driver->buffer_open(gpu, sizeof questions, &answers, why);
    if (status == GPU_OK)
        status = ask_device(gpu, shader, terms, answers, why);
    driver->buffer_close(answers);
    driver->buffer_close(terms);
    driver->shader_close(shader);
    return status;
}

/* On failure the caller closes what was opened. */
static gpu_status open_gpu(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                           cumsum_d3d12_device *device, gpu_failure *why) {
    const gpu_driver *driver;
    size_t count;
    gpu_status status = cumsum_gpu_choose_driver(drivers, &driver, NULL, 0, &count, why);
    if (status == GPU_OK)
        status = driver->open(options, &device->gpu, why);
    if (status == GPU_OK)
        status = measure_info(device->gpu, why);
    if (status == GPU_OK)
        status = cumsum_scanner_open(device->gpu, NULL, &device->scanner, why);
    return status;
}

cumsum_status cumsum_gpu_open(const gpu_driver *const *drivers, const cumsum_d3d12_options *options,
                              cumsum_d3d12_device **device, cumsum_diagnostic *diagnostic) {
    gpu_failure why = {.status = GPU_OUT_OF_MEMORY, .message = "no memory for a device"};
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    *device = NULL;
    cumsum_d3d12_device *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (open_gpu(drivers, options, made, &why) != GPU_OK) {
        cumsum_d3d12_close(made);
        return cumsum_gpu_diagnose(diagnostic, &why);
    }
    *device = made;
    return CUMSUM_OK;
}

cumsum_status cumsum_d3d12_adapters(cumsum_d3d12_adapter *adapters, size_t room, size_t *count,
                                    cumsum_diagnostic *diagnostic) {
    return cumsum_gpu_list(cumsum_gpu_drivers, adapters, room, count, diagnostic);
}

cumsum_status cumsum_d3d12_open(const cumsum_d3d12_options *options, cumsum_d3d12_device **device,
                                cumsum_diagnostic *diagnostic) {
    return cumsum_gpu_open(cumsum_gpu_drivers, options, device, diagnostic);
}

/* Also called for a device that was opened in part. The scanner's buffers and shaders must be
 * closed before the device that they belong to. */
void cumsum_d3d12_close(cumsum_d3d12_device *device) {
    if (device) {
        cumsum_scanner_close(device->scanner);
        if (device->gpu)
            device->gpu->driver->close(device->gpu);
        free(device);
    }
}

const cumsum_d3d12_device_info *cumsum_d3d12_info(const cumsum_d3d12_device *device) {
    return device ? &device->gpu->info : NULL;
}

static cumsum_status run_scan(cumsum_d3d12_device *device, const cumsum_problem *problem,
                              const cumsum_numerics *numerics, const cumsum_binding *binding,
                              cumsum_d3d12_timing *timing, cumsum_diagnostic *diagnostic) {
    gpu_scan_timing measured = {0};
    gpu_failure why = {0};
    gpu_status status = cumsum_scan_run(device->scanner, problem, numerics, binding->input,
                                        binding->output, &measured, &why);
    if (status != GPU_OK)
        return cumsum_gpu_diagnose(diagnostic, &why);
    if (timing) {
        timing->nanoseconds = (uint64_t)((double)measured.ticks * 1e9 /
                                         (double)device->gpu->info.timestamp_ticks_per_second);
        timing->dispatches = measured.dispatches;
    }
    return CUMSUM_OK;
}

/* Performs the checks of the CPU's functions before the GPU sees any of the arguments. */
cumsum_status cumsum_d3d12_execute(cumsum_d3d12_device *device, const cumsum_operator_desc *desc,
                                   const cumsum_numerics *numerics, cumsum_feature_level level,
                                   const void *input, uint64_t input_in_bytes, void *output,
                                   uint64_t output_in_bytes, cumsum_d3d12_timing *timing,
                                   cumsum_diagnostic *diagnostic) {
    const cumsum_binding binding = {input, input_in_bytes, output, output_in_bytes};
    cumsum_problem problem;
    cumsum_numerics computed;
    if (!device)
        return cumsum_diagnose_argument(diagnostic, "device", 0, "NULL", "must be given");
    cumsum_status status = cumsum_gpu_read(&problem, &computed, desc, numerics, level, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_binding_check(&problem, &binding, diagnostic);
    return status == CUMSUM_OK ? run_scan(device, &problem, &computed, &binding, timing, diagnostic)
                               : status;
}
