/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_D3D12_H
#define CUMSUM_D3D12_H

/*
 * Cumulative summation on a Direct3D 12 device, by this library's own compute shaders, with the
 * bits of cumsum_plan_execute.
 *
 * Open a device with cumsum_d3d12_open, call cumsum_d3d12_execute as often as needed, and close it
 * with cumsum_d3d12_close. Every array and structure that a call takes stays the caller's, and is
 * used only during the call.
 *
 * Link with libcumsum-d3d12 (CMake: cumsum::d3d12). Direct3D 12 itself is loaded by the calls
 * below: d3d12.dll on Windows, libd3d12.so in WSL, libvkd3d.so elsewhere on Linux. Without one, or
 * without a device, they return CUMSUM_NO_DEVICE, and the diagnostic says what was looked for.
 *
 * Threads: only one thread at a time may use a device. Different devices are independent.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

#if defined(_WIN32) && defined(CUMSUM_SHARED)
#ifdef CUMSUM_BUILDING_D3D12
#define CUMSUM_D3D12_API __declspec(dllexport)
#else
#define CUMSUM_D3D12_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CUMSUM_D3D12_API __attribute__((visibility("default")))
#else
#define CUMSUM_D3D12_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An adapter: a device that can be opened. */
typedef struct cumsum_d3d12_adapter {
    char name[128];     /* "NVIDIA GeForce RTX 4090", "llvmpipe (LLVM 15.0.6, 256 bits)", ... */
    char driver[64];    /* the driver's version as its maker writes it, or "" */
    uint32_t vendor_id; /* PCI */
    uint32_t device_id;
    bool software;                      /* it computes on the CPU */
    uint64_t dedicated_memory_in_bytes; /* 0 if it has none of its own, or if that is not known */
} cumsum_d3d12_adapter;

/* The rounding of a device's own instruction that converts binary32 to binary16. Direct3D does not
 * specify it. The library's shaders do not use it; DirectML does on devices without native 16-bit
 * operations. */
typedef enum cumsum_d3d12_half_conversion {
    CUMSUM_D3D12_HALF_NEAREST_EVEN = 0, /* as in IEEE 754 */
    CUMSUM_D3D12_HALF_TOWARD_ZERO = 1,
    CUMSUM_D3D12_HALF_OTHER = 2
} cumsum_d3d12_half_conversion;

/* The properties of an open device. The last two were measured when it was opened. */
typedef struct cumsum_d3d12_device_info {
    cumsum_d3d12_adapter adapter;
    const char *api;              /* "Direct3D 12", "Direct3D 12 (WSL)", "Direct3D 12 (vkd3d)" */
    bool native_16bit_shader_ops; /* DirectML then rounds FLOAT16 to nearest even */
    bool int64_shader_ops;
    uint32_t wave_lanes_min; /* 0 if the device has no wave operations */
    uint32_t wave_lanes_max;
    uint32_t shader_model;               /* 0x51 is 5.1, 0x60 is 6.0, ... */
    uint64_t max_buffer_in_bytes;        /* longer tensors are computed in pieces */
    uint64_t timestamp_ticks_per_second; /* the resolution of GPU times */
    bool flushes_float32_subnormals;     /* and DirectML too; the library does not */
    cumsum_d3d12_half_conversion half_conversion;
} cumsum_d3d12_device_info;

/* How to open a device. All zero is a good default. */
typedef struct cumsum_d3d12_options {
    const char *adapter; /* a substring of the name, upper and lower case alike, or "#N", its place
                            in the list of cumsum_d3d12_adapters; NULL: the first */
    bool debug_layer;    /* load Direct3D's debug layer, which vkd3d does not have; a call in which
                            it reports something fails */
    uint32_t timeout_in_ms; /* how long one submission to the GPU may take; 0: 60 seconds */
} cumsum_d3d12_options;

/* The time of an execution on the GPU, by the GPU's timestamps, without the copies to and from it.
 */
typedef struct cumsum_d3d12_timing {
    uint64_t nanoseconds;
    uint64_t dispatches; /* of compute shaders */
} cumsum_d3d12_timing;

/*
 * Lists the adapters. The first is the one that cumsum_d3d12_open takes by default.
 *
 * adapters     receives the first `room` of them; may be NULL if room is 0
 * count        receives the number of adapters
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer; CUMSUM_NO_DEVICE if no Direct3D 12
 * can be loaded or it has no adapter.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_adapters(cumsum_d3d12_adapter *adapters, size_t room,
                                                     size_t *count, cumsum_diagnostic *diagnostic);

/* An open device. */
typedef struct cumsum_d3d12_device cumsum_d3d12_device;

/*
 * Opens a device.
 *
 * options      NULL: all zero
 * device       receives the device, which the caller gives to cumsum_d3d12_close; NULL on failure
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null device; CUMSUM_NO_DEVICE if there is no
 * Direct3D 12, no adapter of that name, or no debug layer although one is asked for;
 * CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_FAILED if the driver cannot be used.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_open(const cumsum_d3d12_options *options,
                                                 cumsum_d3d12_device **device,
                                                 cumsum_diagnostic *diagnostic);

/* Closes a device and frees all that it holds. NULL is allowed. */
CUMSUM_D3D12_API void cumsum_d3d12_close(cumsum_d3d12_device *device);

/* The properties of a device, which owns them: they are valid until it is closed. NULL for NULL. */
CUMSUM_D3D12_API const cumsum_d3d12_device_info *
cumsum_d3d12_info(const cumsum_d3d12_device *device);

/*
 * Computes on the GPU, with the bits of the CPU. The arguments are those of cumsum_plan_create and
 * cumsum_plan_execute, and in place works as there. Guard bands lie around the output on the GPU;
 * they are checked after each execution.
 *
 * numerics     NULL: all zero. Only the CPU computes exact sums of floating-point elements.
 * timing       may be NULL
 * Returns CUMSUM_OK; what cumsum_validate and cumsum_plan_execute return; CUMSUM_INVALID_ARGUMENT
 * for a null device or numerics out of range; CUMSUM_UNSUPPORTED for exact floating-point sums;
 * CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_REMOVED with Direct3D's reason; CUMSUM_DEVICE_TIMEOUT if the
 * GPU did not answer in time; CUMSUM_DEVICE_FAILED if a call of Direct3D failed or the debug layer
 * reported an error; CUMSUM_GUARD_BROKEN if something was written outside the output. After an
 * error of the device the output is undefined. After CUMSUM_DEVICE_REMOVED and
 * CUMSUM_DEVICE_TIMEOUT every further call with this device returns the same. After
 * CUMSUM_DEVICE_TIMEOUT the GPU may still work, and threads of its driver with it: a program that
 * ends then must end by _Exit, since exit frees what they use.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_execute(
    cumsum_d3d12_device *device, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    cumsum_feature_level level, const void *input, uint64_t input_in_bytes, void *output,
    uint64_t output_in_bytes, cumsum_d3d12_timing *timing, cumsum_diagnostic *diagnostic);

/*
 * The same for programs that have a Direct3D 12 device of their own, in the manner of DirectML's
 * IDMLCommandRecorder: the caller's device, command list and buffers; nothing is submitted, and no
 * memory of the host's is used. Make a plan once, allocate its scratch memory, record it into
 * command lists, execute these, and destroy the plan when the GPU has finished them. The tensors
 * stay on the GPU. d3d12.h need not be included.
 */
struct ID3D12Device;
struct ID3D12GraphicsCommandList;
struct ID3D12Resource;

/* The shaders for one descriptor on one device. */
typedef struct cumsum_d3d12_plan cumsum_d3d12_plan;

/* A part of a buffer, like DML_BUFFER_BINDING. */
typedef struct cumsum_d3d12_buffer {
    struct ID3D12Resource *resource;
    uint64_t offset_in_bytes; /* of the element whose indices are all 0 */
    uint64_t size_in_bytes;
} cumsum_d3d12_buffer;

/*
 * Makes a plan, and with it every pipeline state that recordings need: milliseconds each.
 *
 * device       of d3d12.dll, of WSL's libd3d12.so, or of vkd3d on Linux; the plan keeps a reference
 * numerics     NULL: all zero
 * plan         receives the plan, which the caller gives to cumsum_d3d12_plan_destroy; NULL on
 *              failure. It keeps nothing of desc and numerics.
 *
 * Returns CUMSUM_OK; what cumsum_validate returns; CUMSUM_INVALID_ARGUMENT for a null pointer or
 * numerics out of range; CUMSUM_UNSUPPORTED for exact floating-point sums, and for what takes more
 * than one recording: a tensor whose elements span more than 512 MiB (less 256 bytes), or strides
 * with which it would take more than 65,536 dispatches; CUMSUM_NO_DEVICE if the device's methods
 * belong to no Direct3D 12 that this build knows; CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_REMOVED;
 * CUMSUM_DEVICE_FAILED if Direct3D refuses a shader.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_plan_create(
    struct ID3D12Device *device, const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
    cumsum_feature_level level, cumsum_d3d12_plan **plan, cumsum_diagnostic *diagnostic);

/* The bytes of scratch memory that a recording needs: 0 for lines of up to 1024 elements, otherwise
 * at most 64 KiB or a few per cent of the tensor, whichever is more. 0 for NULL. */
CUMSUM_D3D12_API uint64_t cumsum_d3d12_plan_scratch(const cumsum_d3d12_plan *plan);

/* Destroys a plan. NULL is allowed. The GPU must have finished every command list that it was
 * recorded into, since their pipeline states and root signature belong to it. */
CUMSUM_D3D12_API void cumsum_d3d12_plan_destroy(cumsum_d3d12_plan *plan);

/*
 * Appends the dispatches of a cumulative summation to a command list. In place (the same resource
 * and offset for input and output) works as in cumsum_plan_execute.
 *
 * command_list  open, of the type DIRECT or COMPUTE, of the plan's device. Only the type is
 *               checked: a closed list, and a list or resource of another device, are errors that
 *               Direct3D itself need not survive.
 * input, output at least TotalTensorSizeInBytes at an offset that is a multiple of 16 and of
 *               GuaranteedBaseOffsetAlignment
 * scratch       at least cumsum_d3d12_plan_scratch(plan) bytes at an offset that is a multiple of
 *               256; may be NULL if that is 0. Its contents before do not matter and are undefined
 *               afterwards. Recordings may share it one after the other.
 *
 * Resources: buffers of the plan's device that were made with
 * D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS and are in the state UNORDERED_ACCESS, or COMMON, from
 * which Direct3D promotes a buffer. They are in the state UNORDERED_ACCESS afterwards. The caller
 * keeps them until the GPU has finished. Bytes of the output that no element occupies do not
 * change.
 *
 * Barriers: a UAV barrier for all resources comes before each dispatch, so that the first one sees
 * what earlier commands of the list wrote as unordered access. None comes after the last: the
 * caller records a UAV barrier or a transition before the output is used or the scratch memory is
 * used for something else.
 *
 * State of the command list: the compute root signature with its arguments and the pipeline state
 * are replaced. Descriptor heaps, the graphics root signature and all else stay.
 *
 * Threads: a plan is immutable, so several threads may record it into different command lists at
 * the same time.
 *
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer; CUMSUM_INVALID_BINDING for a
 * resource that is not such a buffer, a part that is too small, misaligned or reaches past the end
 * of its resource, and for parts that overlap other than in place; CUMSUM_DEVICE_FAILED for another
 * type of command list; CUMSUM_OUT_OF_MEMORY of the host. On failure nothing was recorded.
 */
CUMSUM_D3D12_API cumsum_status cumsum_d3d12_record(const cumsum_d3d12_plan *plan,
                                                   struct ID3D12GraphicsCommandList *command_list,
                                                   const cumsum_d3d12_buffer *input,
                                                   const cumsum_d3d12_buffer *output,
                                                   const cumsum_d3d12_buffer *scratch,
                                                   cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
