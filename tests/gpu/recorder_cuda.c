/* SPDX-License-Identifier: MIT */
/* Scans by cumsum_cuda_launch, in the stream that the driver uses too. */
#include "recorded_scan.h"

#include <cumsum/cuda.h>

#include "cuda_device.h"

static bool make_plan(gpu_device *device, recorded_work *w, gpu_failure *why) {
    cumsum_cuda_plan *plan;
    const cumsum_status status =
        cumsum_cuda_plan_create(((cuda_device *)device)->gpu, w->scan->desc, w->scan->numerics,
                                CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &w->diagnostic);
    w->plan = plan;
    w->scratch_bytes = cumsum_cuda_plan_scratch(plan);
    return recorded_well(status, w, why);
}

static bool launch(gpu_device *device, recorded_work *w, gpu_failure *why) {
    const uint64_t tensors = w->tensors->memory;
    const cumsum_cuda_memory input = {tensors + w->input_offset + w->scan->shift,
                                      w->scan->input_bytes};
    const cumsum_cuda_memory output = {tensors + w->output_offset, w->scan->output_bytes};
    const cumsum_cuda_memory scratch = {w->scratch->memory + RECORDED_SCRATCH, w->scratch_bytes};
    (void)device;
    return recorded_well(
        cumsum_cuda_launch(w->plan, NULL, &input, &output, &scratch, &w->diagnostic), w, why);
}

static void destroy(recorded_work *w) {
    cumsum_cuda_plan_destroy(w->plan);
}

const scan_recorder recorder_cuda = {NULL, make_plan, launch, destroy};
