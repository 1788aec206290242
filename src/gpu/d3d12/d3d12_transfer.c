/* SPDX-License-Identifier: MIT */
/*
 * Transfers between host memory and buffers. The GPU's buffers are not accessible to the host, so
 * the data goes through a staging buffer that both can access. There is one for each direction,
 * since upload and readback memory are of different kinds (heaps).
 *
 * The copies of uploads and fills wait for the next submission, which executes them first. So an
 * operator's inputs and dispatches take one submission, and its outputs another one. Transfers
 * larger than what a staging buffer has left take several, and wait for each, so that the host can
 * use the staging buffer again.
 */
#include <string.h>

#include "d3d12_device.h"

/* A staging buffer doubles with the largest transfers so far, between these sizes. */
#define MIN_STAGING ((uint64_t)64 << 10)
#define MAX_STAGING ((uint64_t)64 << 20)
/* Copies of one submission of a download. */
#define DOWN_COPIES 4

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Makes sure that the staging buffer suits transfers of `bytes`. */
static gpu_status stage(d3d12_device *device, gpu_buffer *staging, D3D12_HEAP_TYPE heap,
                        uint64_t bytes, gpu_failure *why) {
    uint64_t size = MIN_STAGING;
    while (size < bytes && size < MAX_STAGING)
        size *= 2;
    if (staging->bytes >= size)
        return GPU_OK;
    d3d12_resource_close(staging);
    return d3d12_resource_open(device, heap, size, staging, why);
}

static gpu_command copy_between(gpu_buffer *from, uint64_t from_offset, gpu_buffer *to,
                                uint64_t to_offset, uint64_t bytes) {
    return (gpu_command){
        .type = GPU_COPY, .source = {from, from_offset}, .target = {to, to_offset}, .bytes = bytes};
}

/* Room in the staging buffer for `bytes`, or for as many as it has. If the copies that wait take
 * too much of it, they are executed, and the buffer grows to hold such transfers together. */
static gpu_status make_room(d3d12_device *device, uint64_t bytes, gpu_failure *why) {
    gpu_buffer *staging = &device->staging_up;
    const uint64_t together = device->waiting_bytes + bytes;
    if (together <= staging->bytes && device->waiting_count < D3D12_WAITING)
        return GPU_OK;
    const gpu_status status =
        device->waiting_count ? d3d12_submit(&device->base, NULL, 0, NULL, why) : GPU_OK;
    device->waiting_bytes = 0; /* copies may have been forgotten */
    return status == GPU_OK ? stage(device, staging, D3D12_HEAP_TYPE_UPLOAD, together, why)
                            : status;
}

static void set_words(void *to, uint64_t bytes, uint32_t word) {
    uint32_t *words = to;
    for (uint64_t i = 0; i < bytes / sizeof word; i++)
        words[i] = word;
}

/* An upload, or if `from` is NULL a fill with `word`. */
static gpu_status transfer(d3d12_device *device, gpu_buffer *to, uint64_t offset, const char *from,
                           uint64_t bytes, uint32_t word, gpu_failure *why) {
    gpu_buffer *staging = &device->staging_up;
    if (cumsum_gpu_is_lost(&device->base, why))
        return why->status;
    for (uint64_t done = 0; done < bytes;) {
        const gpu_status status = make_room(device, smaller(bytes - done, MAX_STAGING), why);
        if (status != GPU_OK)
            return status;
        const uint64_t at = device->waiting_bytes, count = smaller(bytes - done, MAX_STAGING);
        if (from)
            memcpy((char *)staging->mapped + at, from + done, count);
        else
            set_words((char *)staging->mapped + at, count, word);
        device->waiting[device->waiting_count++] =
            copy_between(staging, at, to, offset + done, count);
        device->waiting_bytes += count;
        done += count;
    }
    return GPU_OK;
}

gpu_status d3d12_upload(gpu_device *base, gpu_buffer *to, uint64_t offset, const void *from,
                        uint64_t bytes, gpu_failure *why) {
    return transfer((d3d12_device *)base, to, offset, from, bytes, 0, why);
}

gpu_status d3d12_fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                      uint32_t word, gpu_failure *why) {
    return transfer((d3d12_device *)base, to, offset, NULL, bytes, word, why);
}

/* Copies into the staging buffer, and where the host copies them to. */
typedef struct landing {
    gpu_command copies[DOWN_COPIES];
    void *to[DOWN_COPIES];
    size_t count;
    uint64_t bytes;
} landing;

static gpu_status land(d3d12_device *device, landing *l, gpu_failure *why) {
    const char *staged = device->staging_down.mapped;
    const gpu_status status = d3d12_submit(&device->base, l->copies, l->count, NULL, why);
    for (size_t i = 0; i < l->count && status == GPU_OK; i++)
        memcpy(l->to[i], staged + l->copies[i].target.offset, l->copies[i].bytes);
    l->count = 0;
    l->bytes = 0;
    return status;
}

gpu_status d3d12_download(gpu_device *base, gpu_buffer *from, const gpu_part *parts, size_t count,
                          gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_down;
    landing l = {.count = 0};
    uint64_t all = 0;
    if (cumsum_gpu_is_lost(&device->base, why))
        return why->status;
    for (size_t i = 0; i < count; i++)
        all += parts[i].bytes;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_READBACK, all, why);
    for (size_t i = 0; i < count; i++)
        for (uint64_t done = 0; done < parts[i].bytes && status == GPU_OK;) {
            const uint64_t bytes = smaller(parts[i].bytes - done, staging->bytes - l.bytes);
            l.to[l.count] = (char *)parts[i].to + done;
            l.copies[l.count++] =
                copy_between(from, parts[i].offset + done, staging, l.bytes, bytes);
            l.bytes += bytes;
            done += bytes;
            if (l.count == DOWN_COPIES || l.bytes == staging->bytes)
                status = land(device, &l, why);
        }
    return status == GPU_OK && l.count ? land(device, &l, why) : status;
}
