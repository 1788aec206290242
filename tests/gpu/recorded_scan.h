/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_RECORDED_SCAN_H
#define CUMSUM_TESTS_RECORDED_SCAN_H

/* A scan by cumsum_d3d12_record, into a command list of the tests' own, or by cumsum_cuda_launch,
 * on buffers of their own. */

#include <cumsum/d3d12.h>

#include "gpu_driver.h"

typedef struct recorded_scan {
    const cumsum_operator_desc *desc;
    const cumsum_numerics *numerics;
    const void *input;
    uint64_t input_bytes;
    void *output; /* equal to input: in place */
    uint64_t output_bytes;
    uint64_t alignment; /* of both tensors, if above 16: a power of two */
    uint64_t shift;     /* bytes by which the input is bound beside its place: a planted mistake */
} recorded_scan;

/* Both tensors lie in one resource, in place in the same bytes, and the scratch memory in another;
 * each at an offset, between bytes that must not change. Returns false with a message. */
bool recorded_scan_run(gpu_device *device, const recorded_scan *scan, gpu_failure *why);

/* Bytes before the scratch memory. */
#define RECORDED_SCRATCH 512

/* The two resources, and what the first one holds. */
typedef struct recorded_work {
    const recorded_scan *scan;
    void *plan;
    gpu_buffer *tensors;
    gpu_buffer *scratch;
    unsigned char *image;
    unsigned char *result;
    uint64_t bytes;
    uint64_t input_offset;
    uint64_t output_offset;
    uint64_t scratch_bytes;
    cumsum_diagnostic diagnostic;
} recorded_work;

/* One way to record. The functions return false with a message. */
typedef struct scan_recorder {
    const gpu_driver *driver; /* of its devices, if there is only one */
    /* Makes the plan, and sets scratch_bytes. */
    bool (*plan)(gpu_device *device, recorded_work *w, gpu_failure *why);
    /* Executes it on the buffers. */
    bool (*record)(gpu_device *device, recorded_work *w, gpu_failure *why);
    void (*destroy)(recorded_work *w);
} scan_recorder;

extern const scan_recorder recorder_d3d12;
extern const scan_recorder recorder_cuda;

/* Whether status is CUMSUM_OK; else *why receives the diagnostic. */
static inline bool recorded_well(cumsum_status status, const recorded_work *w, gpu_failure *why) {
    for (size_t i = 0; status != CUMSUM_OK && i < sizeof why->message - 1; i++)
        why->message[i] = w->diagnostic.message[i];
    return status == CUMSUM_OK;
}

#endif
