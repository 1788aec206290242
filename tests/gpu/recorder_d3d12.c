/* SPDX-License-Identifier: MIT */
/* Scans by cumsum_d3d12_record, in the calling convention of the device that the tests run on. */
#include "recorded_scan.h"

#include "d3d12_device.h"

static bool make_plan(gpu_device *device, recorded_work *w, gpu_failure *why) {
    cumsum_d3d12_plan *plan;
    const cumsum_status status =
        cumsum_d3d12_plan_create(((d3d12_device *)device)->d3d, w->scan->desc, w->scan->numerics,
                                 CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &w->diagnostic);
    w->plan = plan;
    w->scratch_bytes = cumsum_d3d12_plan_scratch(plan);
    return recorded_well(status, w, why);
}

typedef struct recording {
    recorded_work *work;
    cumsum_status status;
} recording;

/* Buffers are in the state COMMON between two lists, and Direct3D promotes them. */
static void record(d3d12_device *device, void *context) {
    recording *r = context;
    recorded_work *w = r->work;
    const cumsum_d3d12_buffer input = {w->tensors->resource, w->input_offset + w->scan->shift,
                                       w->scan->input_bytes};
    const cumsum_d3d12_buffer output = {w->tensors->resource, w->output_offset,
                                        w->scan->output_bytes};
    const cumsum_d3d12_buffer scratch = {w->scratch->resource, RECORDED_SCRATCH, w->scratch_bytes};
    r->status =
        cumsum_d3d12_record(w->plan, device->list, &input, &output, &scratch, &w->diagnostic);
}

static bool submit(gpu_device *device, recorded_work *w, gpu_failure *why) {
    recording r = {.work = w};
    return d3d12_submit_recorded((d3d12_device *)device, record, &r, NULL, why) == GPU_OK &&
           recorded_well(r.status, w, why);
}

static void destroy(recorded_work *w) {
    cumsum_d3d12_plan_destroy(w->plan);
}

const scan_recorder recorder_d3d12 = {&d3d12_driver, make_plan, submit, destroy};
