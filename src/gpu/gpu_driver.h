/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_GPU_DRIVER_H
#define CUMSUM_GPU_GPU_DRIVER_H

/*
 * A GPU as one table of plain C functions: adapters, buffers, shaders, commands. The table hides
 * Direct3D. So the scan code is compiled once, although Direct3D comes in several calling
 * conventions; it runs on devices of its own and on callers', and on stand-ins made for tests.
 *
 * Work is a list of commands, executed in order; each sees what the ones before it wrote. `submit`
 * and `download` return when the GPU is done, or after the device's timeout. Uploads and fills may
 * wait for the next one of these, which executes them first and reports their failures.
 *
 * One thread at a time may use a device. After GPU_DEVICE_REMOVED or GPU_TIMEOUT a device is lost:
 * every further call on it fails in the same way, and it can only be closed.
 */

#include <cumsum/d3d12.h>

#include "compiler.h"

typedef enum gpu_status {
    GPU_OK = 0,
    GPU_UNAVAILABLE,    /* no loader, no adapter, or none with what is needed */
    GPU_OUT_OF_MEMORY,  /* of the device or the host */
    GPU_DEVICE_REMOVED, /* by a hang, a driver update, a fault: the message names the reason */
    GPU_TIMEOUT,        /* the GPU did not finish in time */
    GPU_REJECTED,       /* a call of the API failed; the message names the call */
    GPU_GUARD_BROKEN    /* a shader wrote outside the output: the message says where */
} gpu_status;

/* Why a call failed. Every call that fails fills one in. */
typedef struct gpu_failure {
    gpu_status status;
    int32_t hresult;   /* what the API returned; 0 if no call of the API failed */
    char message[256]; /* one sentence, without a newline */
} gpu_failure;

/* Fills in `why`, with hresult 0 or what a call of the API returned. Returns status. */
#define cumsum_gpu_refuse(why, status, ...) cumsum_gpu_refuse_result(why, status, 0, __VA_ARGS__)
gpu_status cumsum_gpu_refuse_result(gpu_failure *why, gpu_status status, int32_t hresult,
                                    const char *format, ...) CUMSUM_PRINTF(4, 5);

/* Fills in diagnostic, which may be NULL, for a failure of the GPU. Returns its status. */
cumsum_status cumsum_gpu_diagnose(cumsum_diagnostic *diagnostic, const gpu_failure *why);

typedef struct gpu_device gpu_device;
typedef struct gpu_buffer gpu_buffer;
typedef struct gpu_shader gpu_shader;

/* Every shader has the same root signature: constants in b0, raw buffers in u0 to u2. */
#define GPU_MAX_CONSTANTS 32
#define GPU_SLOTS         3
/* Offsets of bindings are multiples of this many bytes. */
#define GPU_BINDING_ALIGNMENT 256
/* Thread groups in each dimension of a dispatch. */
#define GPU_MAX_GROUPS 65535

typedef struct gpu_binding {
    gpu_buffer *buffer; /* NULL: the slot is unused */
    uint64_t offset;    /* bytes, a multiple of GPU_BINDING_ALIGNMENT */
} gpu_binding;

typedef enum gpu_command_type {
    GPU_DISPATCH,
    GPU_COPY
} gpu_command_type;

typedef struct gpu_command {
    gpu_command_type type;
    /* GPU_DISPATCH */
    const gpu_shader *shader;
    gpu_binding writable[GPU_SLOTS]; /* u0 to u2; the same buffer may be in two slots */
    uint32_t constants[GPU_MAX_CONSTANTS];
    uint32_t constant_count; /* a multiple of 4; 0: none */
    uint32_t groups[3];      /* each 1 to GPU_MAX_GROUPS */
    /* GPU_COPY: `bytes` (a multiple of 4) from source to target, at offsets that are multiples of 4
     */
    gpu_binding source;
    gpu_binding target; /* not the source's buffer */
    uint64_t bytes;
} gpu_command;

/* A part of a buffer, and host memory. Offset and bytes are multiples of 4. */
typedef struct gpu_part {
    uint64_t offset;
    void *to;
    uint64_t bytes;
} gpu_part;

/* GPU time of a submission, from the first command's start to the last one's end. */
typedef struct gpu_timing {
    uint64_t begin; /* on the device's clock */
    uint64_t ticks;
} gpu_timing;

typedef struct gpu_driver {
    /* Lists up to `room` adapters, the default one first. *count receives how many there are.
     * GPU_UNAVAILABLE without a loader or an adapter. */
    gpu_status (*adapters)(cumsum_d3d12_adapter *list, size_t room, size_t *count,
                           gpu_failure *why);

    /* The caller closes *device. options may be NULL. */
    gpu_status (*open)(const cumsum_d3d12_options *options, gpu_device **device, gpu_failure *why);
    /* NULL is allowed. Its buffers and shaders must be closed before. */
    void (*close)(gpu_device *device);

    /* Makes a buffer of `bytes`, a multiple of 4 above 0, with undefined contents. *buffer is NULL
     * on failure. GPU_OUT_OF_MEMORY also above max_buffer_in_bytes. */
    gpu_status (*buffer_open)(gpu_device *device, uint64_t bytes, gpu_buffer **buffer,
                              gpu_failure *why);
    void (*buffer_close)(gpu_buffer *buffer); /* NULL is allowed */

    /* Copies between host memory, of which nothing is kept, and a buffer. Offset and bytes are
     * multiples of 4. */
    gpu_status (*upload)(gpu_device *device, gpu_buffer *to, uint64_t offset, const void *from,
                         uint64_t bytes, gpu_failure *why);
    gpu_status (*download)(gpu_device *device, gpu_buffer *from, const gpu_part *parts,
                           size_t count, gpu_failure *why);
    /* Sets every word of the range to `word`. */
    gpu_status (*fill)(gpu_device *device, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                       uint32_t word, gpu_failure *why);

    /* The shaders of this library, compiled for the driver, and whether their byte addresses have
     * 64 bits. */
    const struct scan_bytecodes *bytecodes;
    bool wide_addresses;
    /* bytecode: one of these or another that is compiled like them, a DXBC container say. The
     * driver does not keep it. *shader is NULL on failure. */
    gpu_status (*shader_open)(gpu_device *device, const void *bytecode, size_t bytes,
                              gpu_shader **shader, gpu_failure *why);
    void (*shader_close)(gpu_shader *shader); /* NULL is allowed */

    /* Executes the commands and waits. timing may be NULL. */
    gpu_status (*submit)(gpu_device *device, const gpu_command *commands, size_t count,
                         gpu_timing *timing, gpu_failure *why);

    /* Work for a command list of the caller's. The native objects are Direct3D's: ID3D12Device,
     * ID3D12Resource, ID3D12GraphicsCommandList. Over CUDA there is only `record`, into a stream.
     * Several threads may adopt buffers and record with one device. */

    /* Offsets of buffers in `record` are multiples of this many bytes. */
    uint32_t record_alignment;
    /* A part of the file name of the libraries whose objects the driver understands; "": of all. */
    const char *native_library;
    /* Makes a device over the caller's. It has shaders, adopted buffers and `record`, and nothing
     * else; close leaves the caller's device as it was. */
    gpu_status (*adopt)(void *native_device, gpu_device **device, gpu_failure *why);
    /* Makes a buffer of the caller's resource; *bytes receives its size. buffer_close leaves the
     * resource as it was. GPU_REJECTED if it is not a buffer for unordered access. */
    gpu_status (*buffer_adopt)(gpu_device *device, void *native_resource, gpu_buffer **buffer,
                               uint64_t *bytes, gpu_failure *why);
    /* Appends dispatches over adopted buffers, which are and stay in the state UNORDERED_ACCESS.
     * Each sees what the ones before wrote: a UAV barrier comes before it. GPU_REJECTED for a list
     * that cannot dispatch. */
    gpu_status (*record)(const gpu_device *device, void *native_list, const gpu_command *commands,
                         size_t count, gpu_failure *why);

    /* Microsoft's operator on these devices (directml/dml_runtime.h); NULL in a driver without it.
     */
    const struct dml_runtime *directml;
} gpu_driver;

/* Work on tensors that are on the device, which is done once, or as often as a measurement needs.
 */
typedef struct gpu_work {
    gpu_device *device;
    /* Does it `times` times and waits. The time is from the first start to the last end. */
    gpu_status (*run)(void *context, uint32_t times, gpu_timing *timing, gpu_failure *why);
    void *context;
    uint32_t most_at_once; /* times that fit into one submission; at least 1 */
    bool in_place;         /* it replaces `data`, which must be restored before each run */
    gpu_binding data;      /* its input; in its buffer 12 more bytes follow */
    uint64_t bytes;        /* of data, a multiple of 4 */
    gpu_binding left;      /* the word that counts tiles left by a single pass; or no buffer */
} gpu_work;

/* A program of this project may have a device repeat its work, to measure it (bench/gpu_measure.h).
 * The output is that of the last run. */
typedef struct gpu_measuring {
    gpu_status (*measure)(struct gpu_measuring *measuring, const gpu_work *work, gpu_failure *why);
} gpu_measuring;

/* Every device begins with its driver, so that a device is enough to call the driver. */
struct gpu_device {
    const gpu_driver *driver;
    /* What Direct3D tells. What has to be measured is 0 until api_device.c does. */
    cumsum_d3d12_device_info info;
    gpu_measuring *measuring; /* NULL: work is done once */
    gpu_failure lost;         /* why no call works any more; status GPU_OK: they do */
    uint32_t timeout_ms;      /* of a submission */
};

/* Whether the device is lost; `why` then receives the reason. Every call of a driver begins so. */
bool cumsum_gpu_is_lost(const gpu_device *device, gpu_failure *why);
/* The device is lost for this reason. Returns its status. */
gpu_status cumsum_gpu_lose(gpu_device *device, const gpu_failure *why);
/* GPU_TIMEOUT, and the device is lost, if a submission that began at `start` takes too long. The
 * GPU may still be working then, so nothing that it may use is freed. */
gpu_status cumsum_gpu_check_time(gpu_device *device, uint64_t start, gpu_failure *why);
/* Sets timeout_ms as the options ask. */
void cumsum_gpu_limit_time(gpu_device *device, const cumsum_d3d12_options *options);

#endif
