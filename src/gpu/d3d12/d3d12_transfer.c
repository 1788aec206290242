/* SPDX-License-Identifier: MIT */
/* Host memory to and from buffers, through a staging buffer that both can reach. */
#include <string.h>

#include "d3d12_device.h"

/* The staging buffers grow with what is asked for, up to this. */
#define STAGING_LEAST ((uint64_t)64 << 10)
#define STAGING_MOST  ((uint64_t)64 << 20)
/* Copies in one submission of a fill. */
#define FILL_COPIES 32

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static gpu_status stage(d3d12_device *device, gpu_buffer *staging, D3D12_HEAP_TYPE heap,
                        uint64_t bytes, gpu_failure *why) {
    uint64_t size = STAGING_LEAST;
    while (size < bytes && size < STAGING_MOST)
        size *= 2;
    if (staging->bytes >= size)
        return GPU_OK;
    d3d12_buffer_release(staging);
    return d3d12_buffer_init(device, heap, size, staging, why);
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
    if (d3d12_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_UPLOAD, bytes, why);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        uint64_t part = least(bytes - done, staging->bytes);
        gpu_command copy = copy_between(staging, 0, to, offset + done, part);
        memcpy(staging->mapped, (const char *)from + done, part);
        status = d3d12_submit(base, &copy, 1, NULL, why);
        done += part;
    }
    return status;
}

gpu_status d3d12_download(gpu_device *base, gpu_buffer *from, uint64_t offset, void *to,
                          uint64_t bytes, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_down;
    if (d3d12_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_READBACK, bytes, why);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        uint64_t part = least(bytes - done, staging->bytes);
        gpu_command copy = copy_between(from, offset + done, staging, 0, part);
        status = d3d12_submit(base, &copy, 1, NULL, why);
        if (status == GPU_OK)
            memcpy((char *)to + done, staging->mapped, part);
        done += part;
    }
    return status;
}

static void set_words(void *to, uint64_t bytes, uint32_t word) {
    uint32_t *words = to;
    for (uint64_t i = 0; i < bytes / sizeof word; i++)
        words[i] = word;
}

gpu_status d3d12_fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                      uint32_t word, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    gpu_buffer *staging = &device->staging_up;
    if (d3d12_lost(device, why))
        return why->status;
    gpu_status status = stage(device, staging, D3D12_HEAP_TYPE_UPLOAD, bytes, why);
    if (status == GPU_OK)
        set_words(staging->mapped, least(bytes, staging->bytes), word);
    for (uint64_t done = 0; done < bytes && status == GPU_OK;) {
        gpu_command copies[FILL_COPIES];
        size_t count = 0;
        while (done < bytes && count < FILL_COPIES) {
            uint64_t part = least(bytes - done, staging->bytes);
            copies[count] = copy_between(staging, 0, to, offset + done, part);
            copies[count++].beside_previous = true;
            done += part;
        }
        status = d3d12_submit(base, copies, count, NULL, why);
    }
    return status;
}
