/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CUDA_H
#define CUMSUM_CUDA_H

/*
 * Cumulative summation on an NVIDIA GPU, with the bits of cumsum_plan_execute, for programs that
 * use CUDA: in the caller's memory and in a stream of the caller's. Nothing passes through host
 * memory.
 *
 * Make a plan once, allocate its scratch memory, launch it as often as needed, and destroy it when
 * the GPU has finished. Every structure that a call takes stays the caller's, and is used only
 * during the call.
 *
 * Link with libcumsum-cuda (CMake: cumsum::cuda). cuda.h need not be included, and no library of
 * CUDA linked: cumsum_cuda_plan_create loads the driver, libcuda.so.1 or nvcuda.dll. GPUs: compute
 * capability 7.0 and later.
 */

#include <cumsum/cumsum.h>

#if defined(_WIN32) && defined(CUMSUM_SHARED)
#ifdef CUMSUM_BUILDING_CUDA
#define CUMSUM_CUDA_API __declspec(dllexport)
#else
#define CUMSUM_CUDA_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CUMSUM_CUDA_API __attribute__((visibility("default")))
#else
#define CUMSUM_CUDA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What CUstream and cudaStream_t point to. */
struct CUstream_st;

/* The kernels for one descriptor on one GPU. */
typedef struct cumsum_cuda_plan cumsum_cuda_plan;

/* Memory that the GPU can access: of cuMemAlloc, cudaMalloc or a memory pool, managed memory, or
 * page-locked memory of the host. */
typedef struct cumsum_cuda_memory {
    uint64_t address; /* a CUdeviceptr: of a tensor, of the element whose indices are all 0 */
    uint64_t size_in_bytes;
} cumsum_cuda_memory;

/*
 * Makes a plan, and loads the kernels that its launches need, which the driver compiles for the GPU
 * if it has not kept them from an earlier time.
 *
 * device       the GPU, as cuDeviceGet and cudaSetDevice number them. The plan retains its primary
 *              context, that of CUDA's runtime and of most libraries; the calling thread's current
 *              context stays.
 * numerics     NULL: all zero. Only the CPU computes exact sums of floating-point elements.
 * plan         receives the plan, which the caller gives to cumsum_cuda_plan_destroy; NULL on
 *              failure. It keeps nothing of desc and numerics.
 *
 * Returns CUMSUM_OK; what cumsum_validate returns; CUMSUM_INVALID_ARGUMENT for a null plan or
 * numerics out of range; CUMSUM_UNSUPPORTED for exact floating-point sums, and for output strides
 * that give elements the same address if the launch would take more than 65,536 kernels;
 * CUMSUM_NO_DEVICE if there is no driver, no GPU of this number, or the driver cannot use it;
 * CUMSUM_OUT_OF_MEMORY; CUMSUM_DEVICE_REMOVED if an error of CUDA's is kept in the process, as
 * after a fault of a kernel; CUMSUM_DEVICE_FAILED if another call of CUDA fails. The diagnostic
 * names the call and CUDA's error.
 */
CUMSUM_CUDA_API cumsum_status cumsum_cuda_plan_create(int device, const cumsum_operator_desc *desc,
                                                      const cumsum_numerics *numerics,
                                                      cumsum_feature_level level,
                                                      cumsum_cuda_plan **plan,
                                                      cumsum_diagnostic *diagnostic);

/* The bytes of scratch memory that a launch needs: 0 for lines of up to 1024 elements, otherwise at
 * most 64 KiB or a few per cent of the tensor, whichever is more. 0 for NULL. */
CUMSUM_CUDA_API uint64_t cumsum_cuda_plan_scratch(const cumsum_cuda_plan *plan);

/* Destroys a plan. NULL is allowed. The GPU must have finished its launches, and no graph that was
 * captured with it may be launched afterwards. */
CUMSUM_CUDA_API void cumsum_cuda_plan_destroy(cumsum_cuda_plan *plan);

/*
 * Appends a cumulative summation to a stream: kernels, and nothing else. Nothing waits for the GPU,
 * and no memory is allocated. In place (the same address for input and output) works as in
 * cumsum_plan_execute. The tensors may have any size.
 *
 * stream        of the plan's GPU and its primary context; NULL: the legacy default stream. A
 *               stream that is being captured into a graph records the kernels.
 * input, output at least TotalTensorSizeInBytes at an address that is a multiple of the element's
 *               size and of GuaranteedBaseOffsetAlignment
 * scratch       at least cumsum_cuda_plan_scratch(plan) bytes at an address that is a multiple of
 *               16; may be NULL if that is 0. Its contents before do not matter and are undefined
 *               afterwards. Launches may share it one after the other.
 *
 * The caller keeps the memory until the GPU has finished. Bytes of the output that no element
 * occupies do not change. The calling thread's current context stays.
 *
 * Threads: a plan is immutable, so several threads may launch it at the same time, each with
 * scratch memory of its own.
 *
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null plan, a null pointer or an address of 0;
 * CUMSUM_INVALID_BINDING for memory that is too small, misaligned, unknown to CUDA or on another
 * GPU, and for parts that overlap other than in place; CUMSUM_DEVICE_REMOVED if an error of CUDA's
 * is kept in the process: every later call returns it too; CUMSUM_DEVICE_FAILED if CUDA refuses a
 * kernel, as for a stream of another context, or one that was destroyed; CUMSUM_OUT_OF_MEMORY.
 * After an error of CUDA's the output is undefined; otherwise nothing was launched on failure.
 */
CUMSUM_CUDA_API cumsum_status cumsum_cuda_launch(const cumsum_cuda_plan *plan,
                                                 struct CUstream_st *stream,
                                                 const cumsum_cuda_memory *input,
                                                 const cumsum_cuda_memory *output,
                                                 const cumsum_cuda_memory *scratch,
                                                 cumsum_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
