/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_MEASURE_H
#define CUMSUM_GPU_SCAN_MEASURE_H

/* How long scans and copies take on the device's own clock, transfers apart. */

#include "scan.h"

/* Ticks, each an array of as many as there are repetitions. Cold: the device's caches were filled
 * with something else before; hot: the same was done just before. */
typedef struct scan_measurement {
    uint32_t repetitions;
    uint64_t *hot;
    uint64_t *cold;
    uint64_t *copy_hot; /* of `copied` bytes from one buffer to another */
    uint64_t *copy_cold;
    uint64_t copied; /* a multiple of 4, at most what either tensor occupies */
} scan_measurement;

/*
 * The tensors go to the device once and are not fetched: output is only read. In place each scan
 * sums what the one before left.
 * GPU_REJECTED for tensors that do not fit into a buffer each, and for the exact order.
 */
gpu_status cumsum_scan_measure(gpu_scanner *scanner, const cumsum_problem *problem,
                               const cumsum_numerics *numerics, const void *input, void *output,
                               scan_measurement *measurement, gpu_failure *why);

#endif
