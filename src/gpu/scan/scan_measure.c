/* SPDX-License-Identifier: MIT */
/*
 * Measures scans of tensors that are on the device. The output that is downloaded is that of the
 * last scan, and the guard bands are those of all of them.
 */
#include "scan.h"

#include "scan_job.h"

typedef struct measured_scan {
    scan_job job;
    scan_pass pass;
} measured_scan;

/* A scan may take several submissions. What passes between them counts. */
static gpu_status run_scans(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why) {
    measured_scan *m = context;
    scan_commands *commands = &m->job.scanner->commands;
    commands->dispatches = 0;
    const gpu_status status = cumsum_scan_compute(&m->job, &m->pass, times, why);
    *timing = (gpu_timing){commands->begin, commands->end - commands->begin};
    return status;
}

/* The first scan shows how many of them fit into a submission. */
static gpu_status measure_scans(measured_scan *m, gpu_measured_work *work,
                                cumsum_d3d12_speed *speed, gpu_failure *why) {
    const scan_commands *commands = &m->job.scanner->commands;
    gpu_status status = cumsum_scan_upload(&m->job, &m->pass, why);
    work->data = (gpu_binding){m->pass.buffers.input.buffer, SCAN_GUARD};
    if (status == GPU_OK && !m->job.in_place) {
        status = cumsum_scan_compute(&m->job, &m->pass, 1, why);
        const uint64_t by_count = SCAN_COMMANDS_AT_ONCE / (commands->dispatches | 1);
        const uint64_t by_elements = SCAN_ELEMENTS_AT_ONCE / (commands->read | 1);
        const uint64_t fitting = by_count < by_elements ? by_count : by_elements;
        work->most_at_once = fitting ? (uint32_t)fitting : 1;
    }
    return status == GPU_OK ? cumsum_gpu_measure(work, speed, why) : status;
}

gpu_status cumsum_scan_measure(gpu_scanner *scanner, const cumsum_problem *problem,
                               const cumsum_numerics *numerics, const void *input, void *output,
                               uint32_t repetitions, cumsum_d3d12_speed *speed, gpu_failure *why) {
    measured_scan m;
    cumsum_scan_job_init(&m.job, scanner, problem, numerics, input, output);
    if (m.job.max_buffer > SCAN_MAX_BUFFER)
        m.job.max_buffer = SCAN_MAX_BUFFER; /* the copies beside it have addresses of 32 bits */
    if (numerics->order == CUMSUM_ORDER_EXACT || !cumsum_scan_fits_whole(&m.job))
        return cumsum_gpu_refuse(why, GPU_REJECTED, "only what fits into one buffer is measured");
    gpu_measured_work work = {.device = scanner->device,
                              .run = run_scans,
                              .context = &m,
                              .most_at_once = 1,
                              .in_place = m.job.in_place,
                              .bytes =
                                  scan_round_up(problem->input_extent * problem->element_size, 4),
                              .repetitions = repetitions};
    speed->copied_bytes = cumsum_gpu_bytes_to_copy(problem);
    gpu_status status = measure_scans(&m, &work, speed, why);
    if (status == GPU_OK)
        status = cumsum_scan_left_tiles(scanner, problem, numerics, &speed->left_tiles, why);
    return status == GPU_OK ? cumsum_scan_download(&m.job, why) : status;
}
