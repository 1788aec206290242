/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_D3D12_DEVICE_H
#define CUMSUM_GPU_D3D12_DEVICE_H

/*
 * The driver over Direct3D 12: its structures, and the functions that its files share. The calls go
 * one way:
 *
 *     d3d12_driver -> d3d12_transfer -> d3d12_submit -> d3d12_record
 *                  -> d3d12_shader, d3d12_buffer -> d3d12_failure
 */

#include "d3d12_abi.h"
#include "d3d12_session.h"
#include "gpu_driver.h"

/* All of this is compiled once for each calling convention and linked together, so every external
 * name carries the convention. */
#define d3d12_buffer_adopt    CUMSUM_ABI(buffer_adopt)
#define d3d12_buffer_open     CUMSUM_ABI(buffer_open)
#define d3d12_buffer_close    CUMSUM_ABI(buffer_close)
#define d3d12_resource_open   CUMSUM_ABI(resource_open)
#define d3d12_resource_close  CUMSUM_ABI(resource_close)
#define d3d12_debug_error     CUMSUM_ABI(debug_error)
#define d3d12_download        CUMSUM_ABI(download)
#define d3d12_driver          CUMSUM_ABI(driver)
#define d3d12_fail            CUMSUM_ABI(fail)
#define d3d12_fill            CUMSUM_ABI(fill)
#define d3d12_platform_here   CUMSUM_ABI(platform)
#define d3d12_record          CUMSUM_ABI(record)
#define d3d12_root_signature  CUMSUM_ABI(root_signature)
#define d3d12_shader_open     CUMSUM_ABI(shader_open)
#define d3d12_shader_close    CUMSUM_ABI(shader_close)
#define d3d12_submit          CUMSUM_ABI(submit)
#define d3d12_submit_recorded CUMSUM_ABI(submit_recorded)
#define d3d12_transition      CUMSUM_ABI(transition)
#define d3d12_uav_barrier     CUMSUM_ABI(uav_barrier)
#define d3d12_upload          CUMSUM_ABI(upload)
#define dml_runtime_here      CUMSUM_ABI(dml_runtime)

typedef struct d3d12_device d3d12_device;

struct gpu_buffer {
    d3d12_device *device;
    ID3D12Resource *resource;
    uint64_t bytes;
    D3D12_HEAP_TYPE heap;        /* CUSTOM: the resource is the caller's, and so is its state */
    D3D12_RESOURCE_STATES state; /* COMMON between command lists, for a default buffer */
    void *mapped;                /* host address of an upload or readback buffer */
};

struct gpu_shader {
    d3d12_device *device;
    ID3D12PipelineState *pipeline;
};

/* Copies that may wait for a submission. */
#define D3D12_WAITING 16

struct d3d12_device {
    gpu_device base;
    d3d12_session session;

    ID3D12Device *d3d;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12RootSignature *root;
    ID3D12Fence *fence;
    uint64_t fence_value; /* of the last submission */
    void *event;          /* Windows: NULL before the first wait for the fence that sleeps */
    ID3D12QueryHeap *queries;
    ID3D12InfoQueue *messages; /* NULL without the debug layer */
    gpu_buffer ticks;          /* receives the two timestamps of a submission */
    gpu_buffer staging_up;     /* made at the first transfer, and replaced by larger ones */
    gpu_buffer staging_down;
    /* Copies from staging_up that the next submission executes first, and the bytes of it that
     * they read. */
    gpu_command waiting[D3D12_WAITING];
    size_t waiting_count;
    uint64_t waiting_bytes;
};

/* The platform of this calling convention. */
extern const d3d12_platform d3d12_platform_here;
extern const gpu_driver d3d12_driver;
extern const struct dml_runtime dml_runtime_here; /* src/gpu/directml */

/* d3d12_failure.c */

/* Fills in `why` for a call of Direct3D that returned hr, and asks the device whether it was
 * removed. device may be NULL. */
gpu_status d3d12_fail(d3d12_device *device, HRESULT hr, const char *call, gpu_failure *why);
/* Whether the GPU may still be working: nothing that it may use is freed. */
static inline bool d3d12_is_abandoned(const d3d12_device *device) {
    return device->base.lost.status == GPU_TIMEOUT;
}
/* GPU_REJECTED if the debug layer reported an error since this was last called. `call` is named in
 * the message. GPU_OK without a debug layer. */
gpu_status d3d12_debug_error(d3d12_device *device, const char *call, gpu_failure *why);

/* d3d12_buffer.c. The functions of a resource are for buffers inside another structure. */

gpu_status d3d12_resource_open(d3d12_device *device, D3D12_HEAP_TYPE heap, uint64_t bytes,
                               gpu_buffer *buffer, gpu_failure *why);
void d3d12_resource_close(gpu_buffer *buffer);
gpu_status d3d12_buffer_adopt(gpu_device *base, void *native, gpu_buffer **buffer, uint64_t *bytes,
                              gpu_failure *why);
gpu_status d3d12_buffer_open(gpu_device *base, uint64_t bytes, gpu_buffer **buffer,
                             gpu_failure *why);
void d3d12_buffer_close(gpu_buffer *buffer);

/* d3d12_transfer.c */

gpu_status d3d12_upload(gpu_device *base, gpu_buffer *to, uint64_t offset, const void *from,
                        uint64_t bytes, gpu_failure *why);
gpu_status d3d12_download(gpu_device *base, gpu_buffer *from, const gpu_part *parts, size_t count,
                          gpu_failure *why);
gpu_status d3d12_fill(gpu_device *base, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                      uint32_t word, gpu_failure *why);

/* d3d12_shader.c */

gpu_status d3d12_root_signature(d3d12_device *device, gpu_failure *why);
gpu_status d3d12_shader_open(gpu_device *base, const void *bytecode, size_t bytes,
                             gpu_shader **shader, gpu_failure *why);
void d3d12_shader_close(gpu_shader *shader);

/* d3d12_record.c: appends to an open list. */

/* Brings a buffer of the device's own into a state. NULL is allowed. */
void d3d12_transition(ID3D12GraphicsCommandList *list, gpu_buffer *buffer,
                      D3D12_RESOURCE_STATES to);
void d3d12_uav_barrier(ID3D12GraphicsCommandList *list);
void d3d12_record(const d3d12_device *device, ID3D12GraphicsCommandList *list,
                  const gpu_command *commands, size_t count);

/* d3d12_submit.c */

gpu_status d3d12_submit(gpu_device *base, const gpu_command *commands, size_t count,
                        gpu_timing *timing, gpu_failure *why);
/* Submits what `record` puts into device->list, behind the waiting copies, and waits. The timing
 * begins behind these. */
typedef void (*d3d12_recorder)(d3d12_device *device, void *context);
gpu_status d3d12_submit_recorded(d3d12_device *device, d3d12_recorder record, void *context,
                                 gpu_timing *timing, gpu_failure *why);

#endif
