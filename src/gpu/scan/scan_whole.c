/* SPDX-License-Identifier: MIT */
/*
 * Scans of tensors that fit into GPU buffers. The tensors are uploaded as they lie in memory, gaps
 * included, and the shaders address them by their strides.
 *
 * Invariant: no byte of the caller's output changes that no element occupies. The gaps are uploaded
 * with the output, so their contents are known; after the scan they must be unchanged. This check,
 * together with the guard bands before and behind the output, finds every stray write of a shader.
 */
#include "scan_elements.h"
#include "scan_job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bytes from the first to the last element, rounded up to whole words. The caller's memory has as
 * many: a valid descriptor's TotalTensorSizeInBytes is at least this (docs/validation.md). */
static uint64_t input_bytes(const scan_job *job) {
    return scan_round_up(job->problem->input_extent * job->problem->element_size, 4);
}

static uint64_t output_bytes(const scan_job *job) {
    return scan_round_up(job->problem->output_extent * job->problem->element_size, 4);
}

bool cumsum_scan_fits_whole(const scan_job *job) {
    return job->max_buffer > 2 * SCAN_GUARD &&
           input_bytes(job) <= job->max_buffer - 2 * SCAN_GUARD &&
           output_bytes(job) <= job->max_buffer - 2 * SCAN_GUARD;
}

/* The output is uploaded for its gaps, and in place because it is the input. */
static gpu_status upload_tensors(const scan_job *job, gpu_failure *why) {
    scan_memory *memory = &job->scanner->memory;
    gpu_status status =
        cumsum_scan_upload(memory, SCAN_OUTPUT, job->output, output_bytes(job), why);
    if (status == GPU_OK && !job->in_place)
        status = cumsum_scan_upload(memory, SCAN_INPUT, job->input, input_bytes(job), why);
    return status;
}

static gpu_status reserve_whole(const scan_job *job, uint64_t work, gpu_failure *why) {
    scan_memory *memory = &job->scanner->memory;
    gpu_status status = GPU_OK;
    if (!job->in_place)
        status = cumsum_scan_reserve(memory, SCAN_INPUT, input_bytes(job) + 2 * SCAN_GUARD, why);
    if (status == GPU_OK)
        status = cumsum_scan_reserve(memory, SCAN_OUTPUT, output_bytes(job) + 2 * SCAN_GUARD, why);
    if (status == GPU_OK)
        status = cumsum_scan_reserve(memory, SCAN_WORK, work ? work : 4, why);
    return status;
}

/* Copies the elements of `image`, the downloaded output, to the caller's output. Afterwards the two
 * must be equal byte for byte; a difference is in a gap, and a shader wrote it. */
static gpu_status store_output(const scan_job *job, const unsigned char *image, gpu_failure *why) {
    const uint64_t bytes = output_bytes(job);
    const unsigned char *output = job->output;
    cumsum_scan_copy_output(job->problem, image, job->output);
    if (memcmp(image, output, bytes) == 0)
        return GPU_OK;
    uint64_t byte = 0;
    while (image[byte] == output[byte])
        byte++;
    return cumsum_gpu_refuse(
        why, GPU_GUARD_BROKEN,
        "a shader wrote byte %" PRIu64 " of the output, which no element occupies", byte);
}

/* An output without gaps is downloaded into the caller's memory, without a copy in between. */
static gpu_status download_output(const scan_job *job, gpu_failure *why) {
    scan_memory *memory = &job->scanner->memory;
    const uint64_t bytes = output_bytes(job);
    if (cumsum_scan_output_is_dense(job->problem) &&
        bytes == job->problem->output_extent * job->problem->element_size)
        return cumsum_scan_get_output(memory, job->output, bytes, why);
    unsigned char *image = malloc(bytes);
    if (!image)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a copy of the output");
    gpu_status status = cumsum_scan_get_output(memory, image, bytes, why);
    if (status == GPU_OK)
        status = store_output(job, image, why);
    free(image);
    return status;
}

/* Strides may give several output elements one address. The operator then writes the lines in
 * row-major order, and each line needs dispatches of its own. */
static gpu_status scan_line_by_line(const scan_job *job, scan_pass *pass, gpu_failure *why) {
    gpu_status status = GPU_OK;
    for (uint64_t line = 0; line < job->problem->lines && status == GPU_OK; line++) {
        cumsum_scan_layout_of_line(&pass->layout, job->problem, line, job->origin);
        status = cumsum_scan_lines(job, pass, why);
    }
    return status;
}

void cumsum_scan_pass_init_whole(const scan_job *job, scan_pass *pass) {
    cumsum_scan_pass_init(job, pass);
    if (job->problem->output_may_overlap)
        cumsum_scan_layout_of_line(&pass->layout, job->problem, 0, job->origin);
    else
        cumsum_scan_layout_of(&pass->layout, job->problem, job->origin);
}

/* Allocates the buffers and uploads both tensors. */
static gpu_status place_whole(scan_job *job, scan_pass *pass, gpu_failure *why) {
    cumsum_scan_pass_init_whole(job, pass);
    gpu_status status = reserve_whole(job, cumsum_scan_work(job, pass), why);
    job->started = status == GPU_OK;
    cumsum_scan_bind(job, pass);
    return status == GPU_OK ? upload_tensors(job, why) : status;
}

static gpu_status append_all_lines(const scan_job *job, scan_pass *pass, gpu_failure *why) {
    return job->problem->output_may_overlap ? scan_line_by_line(job, pass, why)
                                            : cumsum_scan_lines(job, pass, why);
}

gpu_status cumsum_scan_compute(const scan_job *job, scan_pass *pass, gpu_failure *why) {
    const gpu_status status = append_all_lines(job, pass, why);
    return status == GPU_OK ? cumsum_scan_submit(pass->commands, why) : status;
}

/* A scan of tensors that are on the device. */
typedef struct placed_scan {
    const scan_job *job;
    scan_pass pass;
} placed_scan;

/* A scan may take several submissions. What passes between them counts. */
static gpu_status run_scans(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why) {
    placed_scan *placed = context;
    scan_commands *commands = placed->job->commands;
    gpu_status status = GPU_OK;
    commands->dispatches = 0;
    for (uint32_t i = 0; i < times && status == GPU_OK; i++)
        status = append_all_lines(placed->job, &placed->pass, why);
    if (status == GPU_OK)
        status = cumsum_scan_submit(commands, why);
    *timing = (gpu_timing){commands->begin, commands->end - commands->begin};
    return status;
}

static bool is_single_pass(const placed_scan *placed) {
    return cumsum_scan_is_blocked(placed->job, &placed->pass.layout) &&
           cumsum_scan_is_single(&placed->pass);
}

/* The first scan shows how many of them fit into a submission. */
static gpu_status measure_scans(placed_scan *placed, gpu_failure *why) {
    const scan_job *job = placed->job;
    const scan_commands *commands = job->commands;
    gpu_device *device = job->scanner->device;
    gpu_status status = GPU_OK;
    gpu_work work = {.device = device,
                     .run = run_scans,
                     .context = placed,
                     .most_at_once = 1,
                     .in_place = job->in_place,
                     .data = {placed->pass.buffers.input.buffer, SCAN_GUARD},
                     .bytes = input_bytes(job)};
    if (is_single_pass(placed))
        work.left = (gpu_binding){placed->pass.buffers.work.buffer, SCAN_LEFT};
    if (!job->in_place) {
        status = cumsum_scan_compute(job, &placed->pass, why);
        const uint64_t by_count = SCAN_COMMANDS_AT_ONCE / (commands->dispatches | 1);
        const uint64_t by_elements = SCAN_ELEMENTS_AT_ONCE / (commands->read | 1);
        const uint64_t fitting = by_count < by_elements ? by_count : by_elements;
        work.most_at_once = fitting ? (uint32_t)fitting : 1;
    }
    return status == GPU_OK ? device->measuring->measure(device->measuring, &work, why) : status;
}

gpu_status cumsum_scan_whole(scan_job *job, gpu_failure *why) {
    placed_scan placed = {.job = job};
    gpu_status status = place_whole(job, &placed.pass, why);
    if (status == GPU_OK)
        status = job->scanner->device->measuring ? measure_scans(&placed, why)
                                                 : cumsum_scan_compute(job, &placed.pass, why);
    return status == GPU_OK ? download_output(job, why) : status;
}
