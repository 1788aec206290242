/* SPDX-License-Identifier: MIT */
/*
 * Transfers between host memory and buffers. The GPU's buffers are not accessible to the host, so
 * the data goes through a staging buffer that both can access. There is one for each direction,
 * since upload and readback memory are of different kinds (heaps).
 *
 * Transfers larger than a staging buffer take several submissions. Each waits for its copy, so that
 * the host can use the staging buffer again.
 */
#include <string.h>

#include "d3d12_device.h"

/* A staging buffer doubles with the largest transfer so far, between these sizes. */
#define MIN_STAGING ((uint64_t)64 << 10)
#define MAX_STAGING ((uint64_t)64 << 20)
/* Copies per submission of a fill. They read the same staging buffer, so they need no waiting in
 * between. */
#define FILL_COPIES 32

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Makes sure that the staging buffer suits a transfer of `bytes`. */
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

gpu_status d3d12_upload(gpu_device *base, gpu_buffer *to, uint64_t offset, const void *from,
                        uint64_t bytes, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_up;
    if (d3d12_is_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_UPLOAD, bytes, why);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        uint64_t count = smaller(bytes - done, staging->bytes);
        gpu_command copy = copy_between(staging, 0, to, offset + done, count);
        memcpy(staging->mapped, (const char *)from + done, count);
        status = d3d12_submit(base, &copy, 1, NULL, why);
        done += count;
    }
    return status;
}

gpu_status d3d12_download(gpu_device *base, gpu_buffer *from, uint64_t offset, void *to,
                          uint64_t bytes, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_down;
    if (d3d12_is_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_READBACK, bytes, why);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        uint64_t count = smaller(bytes - done, staging->bytes);
        gpu_command copy = copy_between(from, offset + done, staging, 0, count);
        status = d3d12_submit(base, &copy, 1, NULL, why);
        if (status == GPU_OK)
            memcpy((char *)to + done, staging->mapped, count);
        done += count;
    }
    return status;
}

static void set_words(void *to, uint64_t bytes, uint32_t word) {
    uint32_t *words = to;
    for (uint64_t i = 0; i < bytes / sizeof word; i++)
        words[i] = word;
}

/* Fills by copies of one staging buffer that is full of `word`. */
gpu_status d3d12_fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                      uint32_t word, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_up;
    if (d3d12_is_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_UPLOAD, bytes, why);
    if (status == GPU_OK)
        set_words(staging->mapped, smaller(bytes, staging->bytes), word);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        gpu_command copies[FILL_COPIES];
        size_t copy_count = 0;
        while (done < bytes && copy_count < FILL_COPIES) {
            uint64_t count = smaller(bytes - done, staging->bytes);
            copies[copy_count++] = copy_between(staging, 0, to, offset + done, count);
            done += count;
        }
        status = d3d12_submit(base, copies, copy_count, NULL, why);
    }
    return status;
}
