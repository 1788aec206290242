/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_RECORDED_SCAN_H
#define CUMSUM_TESTS_RECORDED_SCAN_H

/* A scan by cumsum_d3d12_record, into a command list of the tests' own, on buffers of their own. */

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

#endif
