/* SPDX-License-Identifier: MIT */
/*
 * Buffers that grow with the scans, and the guard bands around the output.
 *
 * Invariant: memory->bytes[i] is the size of memory->buffer[i], and 0 if there is none, so a failed
 * reservation leaves nothing that a later scan could mistake for a buffer.
 */
#include "scan_memory.h"

#include <inttypes.h>
#include <string.h>

/* Sizes are rounded up to a multiple of this, so that a slightly larger tensor can reuse the
 * buffer.
 */
#define BUFFER_STEP 65536u

gpu_status cumsum_scan_reserve(scan_memory *memory, scan_buffer which, uint64_t bytes,
                               gpu_failure *why) {
    gpu_device *device = memory->device;
    if (memory->buffer[which] && memory->bytes[which] >= bytes)
        return GPU_OK;
    device->driver->buffer_close(memory->buffer[which]);
    memory->buffer[which] = NULL;
    memory->bytes[which] = 0;
    const uint64_t most = device->info.max_buffer_in_bytes;
    const uint64_t stepped = scan_round_up(bytes, BUFFER_STEP);
    const uint64_t made = stepped > most ? bytes : stepped;
    const gpu_status status =
        device->driver->buffer_open(device, made, &memory->buffer[which], why);
    if (status == GPU_OK)
        memory->bytes[which] = made;
    return status;
}

void cumsum_scan_memory_close(scan_memory *memory) {
    for (int i = 0; i < SCAN_BUFFERS; i++) {
        memory->device->driver->buffer_close(memory->buffer[i]);
        memory->buffer[i] = NULL;
        memory->bytes[i] = 0;
    }
}

static gpu_status set_guards(scan_memory *memory, uint64_t bytes, gpu_failure *why) {
    gpu_device *device = memory->device;
    gpu_buffer *buffer = memory->buffer[SCAN_OUTPUT];
    const uint64_t behind = SCAN_GUARD + scan_round_up(bytes, 4);
    const gpu_status status =
        device->driver->fill(device, buffer, 0, SCAN_GUARD, SCAN_GUARD_WORD, why);
    return status == GPU_OK
               ? device->driver->fill(device, buffer, behind, SCAN_GUARD, SCAN_GUARD_WORD, why)
               : status;
}

/* Transfers move whole words. If the caller's memory ends inside a word, the last word goes through
 * a variable. */
gpu_status cumsum_scan_upload(scan_memory *memory, scan_buffer which, const void *from,
                              uint64_t bytes, gpu_failure *why) {
    gpu_device *device = memory->device;
    gpu_buffer *buffer = memory->buffer[which];
    const uint64_t whole = bytes / 4 * 4;
    uint32_t last = 0;
    gpu_status status = which == SCAN_OUTPUT ? set_guards(memory, bytes, why) : GPU_OK;
    if (status == GPU_OK && whole)
        status = device->driver->upload(device, buffer, SCAN_GUARD, from, whole, why);
    if (status == GPU_OK && whole < bytes) {
        memcpy(&last, (const char *)from + whole, bytes - whole);
        status =
            device->driver->upload(device, buffer, SCAN_GUARD + whole, &last, sizeof last, why);
    }
    return status;
}

/* Looks at a band that was downloaded. The message names the distance between the changed word and
 * the output: counted down from `distance_of_first` in the band before it, up from 0 in the band
 * behind it (distance_of_first is then 0). */
static gpu_status check_guard(const uint32_t band[SCAN_GUARD / 4], const char *where,
                              uint64_t distance_of_first, gpu_failure *why) {
    for (uint64_t i = 0; i < SCAN_GUARD / 4; i++) {
        if (band[i] == SCAN_GUARD_WORD)
            continue;
        const uint64_t bytes = distance_of_first ? distance_of_first - i * 4 : i * 4;
        return cumsum_gpu_refuse(why, GPU_GUARD_BROKEN,
                                 "a shader wrote outside the output: 0x%08" PRIx32 " %" PRIu64
                                 " bytes %s",
                                 band[i], bytes, where);
    }
    return GPU_OK;
}

gpu_status cumsum_scan_get_output(scan_memory *memory, void *to, uint64_t bytes, gpu_failure *why) {
    gpu_device *device = memory->device;
    uint32_t before[SCAN_GUARD / 4], behind[SCAN_GUARD / 4], last = 0;
    const uint64_t whole = bytes / 4 * 4;
    const gpu_part parts[] = {{0, before, sizeof before},
                              {SCAN_GUARD + scan_round_up(bytes, 4), behind, sizeof behind},
                              {SCAN_GUARD, to, whole},
                              {SCAN_GUARD + whole, &last, whole < bytes ? sizeof last : 0}};
    gpu_status status =
        device->driver->download(device, memory->buffer[SCAN_OUTPUT], parts, 4, why);
    if (status != GPU_OK)
        return status;
    memcpy((char *)to + whole, &last, bytes - whole);
    status = check_guard(before, "before its first byte", SCAN_GUARD, why);
    return status == GPU_OK ? check_guard(behind, "behind its last byte", 0, why) : status;
}
