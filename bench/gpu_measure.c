/* SPDX-License-Identifier: MIT */
/*
 * Durations of work and of copies on the device's clock. What a device's memory can do is shown by
 * copies of as many bytes: one by CopyBufferRegion and one by a shader, since either can be the
 * faster one.
 *
 * A device saves power while it is idle. So each kind of work is repeated until the device has been
 * busy for a while. Hot times are those of several executions in one submission, so that starting
 * and waiting for a submission do not count; cold ones are of one execution after other data was
 * read into the caches. It is read and not written: a cache would have to write it to memory while
 * the work runs.
 */
#include "gpu_measure.h"

#include <stdio.h>
#include <stdlib.h>

#include "scan_shaders.h"

/* More than the caches of any GPU hold. */
#define FLUSHED_BYTES (UINT64_C(256) << 20)
/* The device is busy for this long before it is measured, unless that takes too many runs. */
#define WARM_NANOSECONDS 100000000.0
#define WARM_RUNS        1000
/* Short work is repeated within a submission until it takes this long. */
#define SUBMISSION_NANOSECONDS 2000000.0

enum {
    MOST_AT_ONCE = 32, /* executions in a submission */
    BLOCK_BYTES = 16,  /* these three are in shaders/device_copy.hlsl too */
    GROUP_BYTES = 256 * 4 * BLOCK_BYTES,
    GRID_WIDTH = 32768
};

/* What the shader does. */
typedef enum copy_mode {
    MODE_COPY,
    MODE_READ,
    MODE_WRITE
} copy_mode;

typedef enum measured_kind {
    WORK,
    COPY,
    SHADER_COPY,
    KINDS
} measured_kind;

typedef struct measuring {
    const gpu_work *work;
    uint32_t repetitions;
    uint64_t copied;
    gpu_shader *shader;
    gpu_buffer *flushed;
    gpu_buffer *other; /* as large as the data: the target of copies; in place their source */
    gpu_binding from;
    gpu_binding to;
    uint32_t at_once[KINDS];
} measuring;

static gpu_command copy_by_shader(const measuring *m, copy_mode mode, gpu_binding from,
                                  gpu_binding to, uint64_t bytes) {
    const uint64_t groups = (bytes + GROUP_BYTES - 1) / GROUP_BYTES;
    gpu_command command = {.type = GPU_DISPATCH,
                           .shader = m->shader,
                           .writable = {from, to, to}, /* every slot needs a buffer */
                           .constant_count = 4};
    command.constants[0] = (uint32_t)((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
    command.constants[1] = (uint32_t)mode;
    command.groups[0] = groups < GRID_WIDTH ? (uint32_t)groups : GRID_WIDTH;
    command.groups[1] = (uint32_t)((groups + GRID_WIDTH - 1) / GRID_WIDTH);
    command.groups[2] = 1;
    return command;
}

static gpu_command copy_by_command(const measuring *m, uint64_t bytes) {
    return (gpu_command){.type = GPU_COPY, .source = m->from, .target = m->to, .bytes = bytes};
}

static gpu_status submit(const measuring *m, gpu_command command, uint32_t times,
                         gpu_timing *timing, gpu_failure *why) {
    gpu_device *device = m->work->device;
    gpu_command commands[MOST_AT_ONCE];
    for (uint32_t i = 0; i < times; i++)
        commands[i] = command;
    return device->driver->submit(device, commands, times, timing, why);
}

static gpu_status restore(const measuring *m, gpu_failure *why) {
    return m->work->in_place ? submit(m, copy_by_command(m, m->work->bytes), 1, NULL, why) : GPU_OK;
}

static gpu_status flush_caches(const measuring *m, copy_mode mode, gpu_failure *why) {
    const gpu_binding all = {m->flushed, 0};
    return submit(m, copy_by_shader(m, mode, all, all, FLUSHED_BYTES), 1, NULL, why);
}

/* *nanoseconds: of one of the executions, on average. */
static gpu_status run_kind(const measuring *m, measured_kind kind, uint32_t times,
                           double *nanoseconds, gpu_failure *why) {
    const gpu_work *work = m->work;
    gpu_timing timing = {0};
    gpu_status status = kind == WORK ? restore(m, why) : GPU_OK;
    if (status != GPU_OK)
        return status;
    if (kind == WORK) {
        status = work->run(work->context, times, &timing, why);
    } else {
        const gpu_command copy = kind == COPY
                                     ? copy_by_command(m, m->copied)
                                     : copy_by_shader(m, MODE_COPY, m->from, m->to, m->copied);
        status = submit(m, copy, times, &timing, why);
    }
    const uint64_t frequency = work->device->info.timestamp_ticks_per_second;
    *nanoseconds = (double)timing.ticks * 1e9 / (double)frequency / times;
    return status;
}

/* In place, a second execution would sum the first one's output. */
static uint32_t choose_at_once(const gpu_work *work, measured_kind kind, double nanoseconds) {
    const uint32_t most = kind != WORK                        ? MOST_AT_ONCE
                          : work->in_place                    ? 1
                          : work->most_at_once < MOST_AT_ONCE ? work->most_at_once
                                                              : MOST_AT_ONCE;
    return nanoseconds * most < SUBMISSION_NANOSECONDS ? most
           : nanoseconds < SUBMISSION_NANOSECONDS ? (uint32_t)(SUBMISSION_NANOSECONDS / nanoseconds)
                                                  : 1;
}

/* The first run also creates the shaders. */
static gpu_status warm_up(measuring *m, measured_kind kind, gpu_failure *why) {
    gpu_status status = GPU_OK;
    double busy = 0;
    m->at_once[kind] = 1;
    for (int i = 0; i < WARM_RUNS && busy < WARM_NANOSECONDS && status == GPU_OK; i++) {
        double nanoseconds = 0;
        status = run_kind(m, kind, m->at_once[kind], &nanoseconds, why);
        busy += nanoseconds * m->at_once[kind];
        m->at_once[kind] = choose_at_once(m->work, kind, nanoseconds);
    }
    return status;
}

/* times: of the hot and the cold executions. */
static gpu_status repeat(const measuring *m, measured_kind kind, double *hot, double *cold,
                         gpu_failure *why) {
    gpu_status status = flush_caches(m, MODE_READ, why);
    if (status == GPU_OK)
        status = run_kind(m, kind, 1, cold, why);
    return status == GPU_OK ? run_kind(m, kind, m->at_once[kind], hot, why) : status;
}

static int compare_times(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the times. */
static device_times summarize(double *times, size_t count) {
    qsort(times, count, sizeof *times, compare_times);
    return (device_times){(uint64_t)times[count / 2], (uint64_t)times[0],
                          (uint64_t)times[count - 1]};
}

/* The kinds take turns, so that what slows the device down for a while slows all of them. */
static gpu_status measure_kinds(measuring *m, double *times, device_speed *speed,
                                gpu_failure *why) {
    const size_t count = m->repetitions;
    gpu_status status = GPU_OK;
    for (measured_kind kind = WORK; kind < KINDS && status == GPU_OK; kind++)
        status = warm_up(m, kind, why);
    for (size_t r = 0; r < count && status == GPU_OK; r++)
        for (measured_kind kind = WORK; kind < KINDS && status == GPU_OK; kind++) {
            double *hot = times + (size_t)kind * count + r;
            status = repeat(m, kind, hot, hot + (size_t)KINDS * count, why);
        }
    device_times *const to[2 * KINDS] = {&speed->hot,  &speed->copy_hot,  &speed->shader_copy_hot,
                                         &speed->cold, &speed->copy_cold, &speed->shader_copy_cold};
    for (int i = 0; i < 2 * KINDS; i++)
        *to[i] = summarize(times + (size_t)i * count, count);
    return status;
}

static gpu_status prepare_copies(measuring *m, gpu_failure *why) {
    gpu_device *device = m->work->device;
    const gpu_driver *driver = device->driver;
    const scan_bytecode *copy = &driver->bytecodes->copy;
    gpu_status status = driver->shader_open(device, copy->words, copy->bytes, &m->shader, why);
    if (status == GPU_OK)
        status = driver->buffer_open(device, FLUSHED_BYTES, &m->flushed, why);
    if (status == GPU_OK)
        status = driver->buffer_open(device, m->work->bytes + BLOCK_BYTES, &m->other, why);
    if (status == GPU_OK)
        status = flush_caches(m, MODE_WRITE, why);
    m->from = m->work->data;
    m->to = (gpu_binding){m->other, 0};
    if (status == GPU_OK && m->work->in_place) {
        status = submit(m, copy_by_command(m, m->work->bytes), 1, NULL, why);
        m->from = m->to;
        m->to = m->work->data;
    }
    return status;
}

static gpu_status refuse(gpu_failure *why, gpu_status status, const char *reason) {
    *why = (gpu_failure){.status = status};
    snprintf(why->message, sizeof why->message, "%s", reason);
    return status;
}

/* The least number of bytes is that of a word, which one FLOAT16 element occupies. */
static uint64_t bytes_to_copy(const device_measuring *d, const gpu_work *work) {
    const uint64_t whole = (d->bytes < work->bytes ? d->bytes : work->bytes) / 4 * 4;
    return whole ? whole : 4;
}

static gpu_status count_left(const gpu_work *work, device_speed *speed, gpu_failure *why) {
    gpu_device *device = work->device;
    const gpu_part part = {work->left.offset, &speed->left_tiles, sizeof speed->left_tiles};
    speed->left_tiles = 0;
    return work->left.buffer ? device->driver->download(device, work->left.buffer, &part, 1, why)
                             : GPU_OK;
}

static gpu_status measure_all_kinds(measuring *m, double *times, device_speed *speed,
                                    gpu_failure *why) {
    const gpu_driver *driver = m->work->device->driver;
    double last = 0;
    gpu_status status = prepare_copies(m, why);
    if (status == GPU_OK)
        status = measure_kinds(m, times, speed, why);
    if (status == GPU_OK)
        status = run_kind(m, WORK, 1, &last, why);
    driver->buffer_close(m->other);
    driver->buffer_close(m->flushed);
    driver->shader_close(m->shader);
    return status == GPU_OK ? count_left(m->work, speed, why) : status;
}

static gpu_status run_once(device_measuring *d, const gpu_work *work, gpu_failure *why) {
    gpu_timing timing;
    const gpu_status status = work->run(work->context, 1, &timing, why);
    d->measured = status == GPU_OK;
    return status;
}

gpu_status device_measure(gpu_measuring *wanted, const gpu_work *work, gpu_failure *why) {
    device_measuring *d = (device_measuring *)wanted;
    measuring m = {.work = work, .repetitions = d->repetitions, .copied = bytes_to_copy(d, work)};
    if (work->bytes > UINT32_MAX) /* the copies have addresses of 32 bits */
        return refuse(why, GPU_REJECTED, NOT_MEASURED);
    if (d->repetitions == 0)
        return run_once(d, work, why);
    double *times = calloc((size_t)2 * KINDS * d->repetitions, sizeof *times);
    if (!times)
        return refuse(why, GPU_OUT_OF_MEMORY, "no memory for the times");
    const gpu_status status = measure_all_kinds(&m, times, &d->speed, why);
    d->speed.copied_bytes = m.copied;
    d->measured = status == GPU_OK;
    free(times);
    return status;
}
