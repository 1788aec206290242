/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_MEMORY_H
#define CUMSUM_GPU_SCAN_MEMORY_H

/* The buffers of a scanner, and the guard bands around what a shader may write. */

#include "gpu_driver.h"

typedef enum scan_buffer {
    SCAN_INPUT,
    SCAN_OUTPUT,
    SCAN_WORK,
    SCAN_BUFFERS
} scan_buffer;

/* Bytes of each of the two bands around a tensor: one before it, one behind it. */
#define SCAN_GUARD UINT64_C(4096)

typedef struct scan_memory {
    gpu_device *device;
    gpu_buffer *buffer[SCAN_BUFFERS];
    uint64_t bytes[SCAN_BUFFERS];
} scan_memory;

/* Makes a buffer at least so large. What was in it is lost. */
gpu_status cumsum_scan_reserve(scan_memory *memory, scan_buffer which, uint64_t bytes,
                               gpu_failure *why);
void cumsum_scan_release(scan_memory *memory);

/* The bands around `bytes` (a multiple of 4) in the output buffer: written before, looked at
 * afterwards. GPU_GUARD_BROKEN with the first byte that was changed. */
gpu_status cumsum_scan_set_guards(scan_memory *memory, uint64_t bytes, gpu_failure *why);
gpu_status cumsum_scan_check_guards(scan_memory *memory, uint64_t bytes, gpu_failure *why);

/* What guard bands, and the gaps of a dense output, are filled with. */
#define SCAN_GUARD_WORD 0xA55A3CC3u

static inline uint64_t scan_round_up(uint64_t bytes, uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

#endif
