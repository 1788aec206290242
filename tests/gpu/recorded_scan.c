/* SPDX-License-Identifier: MIT */
/*
 * Scans by cumsum_d3d12_record or cumsum_cuda_launch. The driver's device stands for the caller's:
 * its command list or stream, and its buffers.
 */
#include "recorded_scan.h"

#include "device_drivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEFORE = 48,  /* bytes before the tensors, unless they need another alignment */
    BETWEEN = 80, /* and between and behind them, at least */
    PATTERN = 0xA5
};

typedef recorded_work work;

static uint64_t round_up(uint64_t bytes, uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

static bool fail(gpu_failure *why, const char *text) {
    snprintf(why->message, sizeof why->message, "%.*s", (int)sizeof why->message - 1, text);
    return false;
}

static bool make(gpu_device *device, work *w, gpu_failure *why) {
    const recorded_scan *s = w->scan;
    const gpu_driver *driver = device->driver;
    const bool in_place = s->input == s->output;
    const uint64_t multiple = s->alignment > 16 ? s->alignment : 16;
    w->input_offset = round_up(BEFORE, multiple);
    w->output_offset =
        in_place ? w->input_offset : round_up(w->input_offset + s->input_bytes + BETWEEN, multiple);
    w->bytes = round_up(w->output_offset + s->output_bytes + BETWEEN, 16);
    w->image = malloc(w->bytes);
    w->result = malloc(w->bytes);
    if (!w->image || !w->result)
        return fail(why, "no memory for the tensors");
    memset(w->image, PATTERN, w->bytes);
    memcpy(w->image + w->output_offset, s->output, s->output_bytes);
    memcpy(w->image + w->input_offset, s->input, s->input_bytes);
    return driver->buffer_open(device, w->bytes, &w->tensors, why) == GPU_OK &&
           driver->upload(device, w->tensors, 0, w->image, w->bytes, why) == GPU_OK &&
           driver->buffer_open(device, RECORDED_SCRATCH + w->scratch_bytes + BETWEEN, &w->scratch,
                               why) == GPU_OK &&
           driver->fill(device, w->scratch, 0, RECORDED_SCRATCH + w->scratch_bytes + BETWEEN,
                        0xA5A5A5A5u, why) == GPU_OK;
}

/* Nothing but the output may have changed, and nothing around the scratch memory. */
static bool check(gpu_device *device, work *w, gpu_failure *why) {
    const gpu_driver *driver = device->driver;
    const recorded_scan *s = w->scan;
    unsigned char around[BETWEEN];
    const gpu_part all = {0, w->result, w->bytes};
    const gpu_part behind = {RECORDED_SCRATCH + w->scratch_bytes, around, BETWEEN};
    if (driver->download(device, w->tensors, &all, 1, why) != GPU_OK ||
        driver->download(device, w->scratch, &behind, 1, why) != GPU_OK)
        return false;
    for (int i = 0; i < BETWEEN; i++)
        if (around[i] != PATTERN)
            return fail(why, "bytes behind the scratch memory changed");
    memcpy(s->output, w->result + w->output_offset, s->output_bytes);
    memcpy(w->image + w->output_offset, s->output, s->output_bytes);
    return memcmp(w->image, w->result, w->bytes) == 0 ||
           fail(why, "bytes around the tensors, or of the input, changed");
}

bool recorded_scan_run(gpu_device *device, const recorded_scan *scan, gpu_failure *why) {
    const scan_recorder *recorder = NULL;
    work w = {.scan = scan};
    if (device->driver == recorder_d3d12.driver)
        recorder = &recorder_d3d12;
#ifdef TEST_CUDA
    if (device->driver == *cumsum_cuda_drivers())
        recorder = &recorder_cuda;
#endif
    if (!recorder)
        return fail(why, "the test is compiled for another calling convention");
    const bool good = recorder->plan(device, &w, why) && make(device, &w, why) &&
                      recorder->record(device, &w, why) && check(device, &w, why);
    device->driver->buffer_close(w.tensors);
    device->driver->buffer_close(w.scratch);
    recorder->destroy(&w);
    free(w.image);
    free(w.result);
    return good;
}
