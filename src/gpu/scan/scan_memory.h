/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_MEMORY_H
#define CUMSUM_GPU_SCAN_MEMORY_H

/*
 * The GPU buffers of a scanner, and the guard bands of the output: SCAN_GUARD bytes before and
 * behind it that a shader must not change. Devices drop accesses beyond a buffer's end silently, so
 * a stray write is found only because the tensor lies inside its buffer, between the bands.
 */

#include "gpu_driver.h"

typedef enum scan_buffer {
    SCAN_INPUT,
    SCAN_OUTPUT,
    SCAN_WORK, /* running sums that one dispatch leaves for another */
    SCAN_BUFFERS
} scan_buffer;

/* Bytes of a guard band, a multiple of GPU_BINDING_ALIGNMENT. */
#define SCAN_GUARD UINT64_C(4096)
/* The pattern in guard bands. */
#define SCAN_GUARD_WORD 0xA55A3CC3u

typedef struct scan_memory {
    gpu_device *device;
    gpu_buffer *buffer[SCAN_BUFFERS];
    uint64_t bytes[SCAN_BUFFERS];
} scan_memory;

/* Makes sure that a buffer has at least `bytes`. A new buffer replaces one that is too small, and
 * its contents are undefined. */
gpu_status cumsum_scan_reserve(scan_memory *memory, scan_buffer which, uint64_t bytes,
                               gpu_failure *why);
void cumsum_scan_memory_close(scan_memory *memory);

/* Uploads a tensor of `bytes` to SCAN_GUARD. An output gets guard bands, the second one behind its
 * last word. */
gpu_status cumsum_scan_upload(scan_memory *memory, scan_buffer which, const void *from,
                              uint64_t bytes, gpu_failure *why);
/* Downloads such an output, and its guard bands. GPU_GUARD_BROKEN with the first byte that changed,
 * if one did; `to` has the outputs all the same. */
gpu_status cumsum_scan_get_output(scan_memory *memory, void *to, uint64_t bytes, gpu_failure *why);

static inline uint64_t scan_round_up(uint64_t bytes, uint64_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

#endif
