/* SPDX-License-Identifier: MIT */
/*
 * Durations of scans and copies on the device's clock. A copy of as many bytes shows what the
 * device's memory can do, so a scan is judged by its ratio to the copy. Each is measured hot, right
 * after the same work, and cold, after a copy that is larger than the device's caches.
 */
#include "scan.h"

#include "scan_job.h"

/* Larger than any GPU's caches. A cache flush reads this many bytes and writes as many. */
#define FLUSHED_BYTES (UINT64_C(128) << 20)

typedef struct measuring {
    scan_job job;
    scan_pass pass;
    gpu_buffer *flush[2];
    gpu_buffer *copy; /* the target of the measured copies */
} measuring;

/* A copy in a submission of its own, whose duration is that of the copy. */
static gpu_status submit_copy(const measuring *m, gpu_buffer *from, gpu_buffer *to, uint64_t bytes,
                              uint64_t *ticks, gpu_failure *why) {
    gpu_device *device = m->job.scanner->device;
    const gpu_command copy = {
        .type = GPU_COPY, .source = {from, 0}, .target = {to, 0}, .bytes = bytes};
    gpu_timing timing = {0};
    const gpu_status status = device->driver->submit(device, &copy, 1, &timing, why);
    *ticks = timing.ticks;
    return status;
}

static gpu_status flush_caches(const measuring *m, gpu_failure *why) {
    uint64_t ticks;
    return submit_copy(m, m->flush[0], m->flush[1], FLUSHED_BYTES, &ticks, why);
}

/* A scan may take several submissions; their durations add up. */
static gpu_status time_scan(measuring *m, uint64_t *ticks, gpu_failure *why) {
    m->job.scanner->commands.ticks = 0;
    const gpu_status status = cumsum_scan_compute(&m->job, &m->pass, why);
    *ticks = m->job.scanner->commands.ticks;
    return status;
}

static gpu_status time_copy(measuring *m, uint64_t bytes, uint64_t *ticks, gpu_failure *why) {
    return submit_copy(m, m->pass.buffers.input, m->copy, bytes, ticks, why);
}

/* One repetition of the four measurements. Each hot one follows the cold one of the same work. */
static gpu_status repeat(measuring *m, const scan_measurement *to, uint32_t r, gpu_failure *why) {
    gpu_status status = flush_caches(m, why);
    if (status == GPU_OK)
        status = time_scan(m, &to->cold[r], why);
    if (status == GPU_OK)
        status = time_scan(m, &to->hot[r], why);
    if (status == GPU_OK)
        status = flush_caches(m, why);
    if (status == GPU_OK)
        status = time_copy(m, to->copied, &to->copy_cold[r], why);
    return status == GPU_OK ? time_copy(m, to->copied, &to->copy_hot[r], why) : status;
}

static gpu_status make_buffers(measuring *m, uint64_t copied, gpu_failure *why) {
    gpu_device *device = m->job.scanner->device;
    gpu_status status = GPU_OK;
    for (int i = 0; i < 2 && status == GPU_OK; i++)
        status = device->driver->buffer_create(device, FLUSHED_BYTES, &m->flush[i], why);
    if (status == GPU_OK)
        status = device->driver->buffer_create(device, copied, &m->copy, why);
    return status;
}

static gpu_status measure(measuring *m, const scan_measurement *to, gpu_failure *why) {
    uint64_t ticks;
    gpu_status status = cumsum_scan_upload(&m->job, &m->pass, why);
    if (status == GPU_OK)
        status = make_buffers(m, to->copied, why);
    if (status == GPU_OK)
        status = time_scan(m, &ticks, why); /* creates the shaders */
    for (uint32_t r = 0; r < to->repetitions && status == GPU_OK; r++)
        status = repeat(m, to, r, why);
    return status;
}

/* Buffers that were not created are NULL, and destroying NULL does nothing. */
gpu_status cumsum_scan_measure(gpu_scanner *scanner, const cumsum_problem *problem,
                               const cumsum_numerics *numerics, const void *input, void *output,
                               scan_measurement *measurement, gpu_failure *why) {
    measuring m = {.flush = {NULL, NULL}};
    cumsum_scan_begin(&m.job, scanner, problem, numerics, input, output);
    if (numerics->order == CUMSUM_ORDER_EXACT || !cumsum_scan_fits_whole(&m.job)) {
        *why = (gpu_failure){GPU_REJECTED, 0, "only what fits into one buffer is measured"};
        return GPU_REJECTED;
    }
    const gpu_status status = measure(&m, measurement, why);
    const gpu_driver *driver = scanner->device->driver;
    driver->buffer_destroy(m.flush[0]);
    driver->buffer_destroy(m.flush[1]);
    driver->buffer_destroy(m.copy);
    return status;
}
