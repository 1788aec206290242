/* SPDX-License-Identifier: MIT */
/*
 * A scanner, and the choice between scanning a tensor whole and in pieces. When memory is short,
 * the scan is tried again with smaller buffers.
 *
 * Invariant: nothing is tried again once job->started is set. From then on the caller's output may
 * have been written, and in place that is the input too.
 */
#include "scan.h"

#include "scan_job.h"

#include <stdlib.h>

/* A scan whose buffers had this size or less is not tried again when memory is short. */
#define MIN_RETRY_BYTES (UINT64_C(1) << 24)

gpu_status cumsum_scanner_open(gpu_device *device, const gpu_scan_options *options,
                               gpu_scanner **scanner, gpu_failure *why) {
    *scanner = calloc(1, sizeof **scanner);
    if (!*scanner)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a scanner");
    if (options)
        (*scanner)->options = *options;
    (*scanner)->device = device;
    (*scanner)->memory.device = device;
    (*scanner)->shaders.device = device;
    (*scanner)->shaders.bytecodes =
        options && options->bytecodes ? options->bytecodes : device->driver->bytecodes;
    return GPU_OK;
}

/* The device is the caller's and stays open. */
void cumsum_scanner_close(gpu_scanner *scanner) {
    if (!scanner)
        return;
    cumsum_scan_memory_close(&scanner->memory);
    cumsum_scan_shaders_close(&scanner->shaders);
    free(scanner);
}

/* The first retry uses buffers of at most 1/16 of the largest size, each further one buffers of a
 * quarter of the size before. */
static gpu_status run_or_retry(scan_job *job, gpu_failure *why) {
    gpu_status status = GPU_OUT_OF_MEMORY;
    if (cumsum_scan_fits_whole(job))
        status = cumsum_scan_whole(job, why);
    else
        status = cumsum_scan_in_pieces(job, why);
    while (status == GPU_OUT_OF_MEMORY && !job->started && job->max_buffer > MIN_RETRY_BYTES) {
        cumsum_scan_memory_close(&job->scanner->memory);
        job->max_buffer =
            job->max_buffer < SCAN_MAX_BUFFER / 8 ? job->max_buffer / 4 : SCAN_MAX_BUFFER / 16;
        status = cumsum_scan_in_pieces(job, why);
    }
    return status;
}

gpu_status cumsum_scan_run(gpu_scanner *scanner, const cumsum_problem *problem,
                           const cumsum_numerics *numerics, const void *input, void *output,
                           gpu_scan_timing *timing, gpu_failure *why) {
    scan_job job;
    cumsum_scan_job_init(&job, scanner, problem, numerics, input, output);
    const gpu_status status = run_or_retry(&job, why);
    if (timing)
        *timing = (gpu_scan_timing){scanner->commands.ticks, scanner->commands.dispatches};
    return status;
}
