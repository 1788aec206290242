/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_CUDA_LIBRARY_H
#define CUMSUM_GPU_CUDA_LIBRARY_H

/*
 * libcuda.so.1, on Windows nvcuda.dll: NVIDIA's driver, which is loaded at run time. Its functions
 * are declared here, so CUDA's headers are not needed.
 */

#include "adapter_list.h"

typedef uint64_t cuda_address;

/* From cuda.h. */
enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NOT_READY = 600,
    CUDA_FIRST_KEPT = 700, /* errors from here to the last leave no call of the process working */
    CUDA_LAST_KEPT = 720,
    CUDA_THREADS_PER_BLOCK = 0, /* an attribute of a kernel */
    CUDA_MEMORY_TYPE = 2,       /* attributes of an address: one of the next two, or 0 */
    CUDA_MEMORY_OF_HOST = 1,
    CUDA_MEMORY_OF_GPU = 2,
    CUDA_IS_MANAGED = 8,
    CUDA_ORDINAL = 9
};

/* The functions that are used: FUNCTION(member, name of CUDA, parameters). */
#define CUDA_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(init, cuInit, (unsigned flags))                                                       \
    FUNCTION(version, cuDriverGetVersion, (int *version))                                          \
    FUNCTION(count, cuDeviceGetCount, (int *count))                                                \
    FUNCTION(name, cuDeviceGetName, (char *name, int room, int gpu))                               \
    FUNCTION(memory, cuDeviceTotalMem_v2, (size_t * bytes, int gpu))                               \
    FUNCTION(retain, cuDevicePrimaryCtxRetain, (void **context, int gpu))                          \
    FUNCTION(release, cuDevicePrimaryCtxRelease_v2, (int gpu))                                     \
    FUNCTION(push, cuCtxPushCurrent_v2, (void *context))                                           \
    FUNCTION(pop, cuCtxPopCurrent_v2, (void **context))                                            \
    FUNCTION(ask, cuPointerGetAttributes,                                                          \
             (unsigned count, const int *attributes, void **values, cuda_address address))         \
    FUNCTION(allocate, cuMemAlloc_v2, (cuda_address * memory, size_t bytes))                       \
    FUNCTION(free, cuMemFree_v2, (cuda_address memory))                                            \
    FUNCTION(to_gpu, cuMemcpyHtoD_v2, (cuda_address to, const void *from, size_t bytes))           \
    FUNCTION(from_gpu, cuMemcpyDtoH_v2, (void *to, cuda_address from, size_t bytes))               \
    FUNCTION(within, cuMemcpyDtoDAsync_v2,                                                         \
             (cuda_address to, cuda_address from, size_t bytes, void *stream))                     \
    FUNCTION(set_words, cuMemsetD32_v2, (cuda_address to, unsigned word, size_t words))            \
    FUNCTION(load, cuModuleLoadData, (void **module, const void *ptx))                             \
    FUNCTION(unload, cuModuleUnload, (void *module))                                               \
    FUNCTION(find, cuModuleGetFunction, (void **kernel, void *module, const char *name))           \
    FUNCTION(attribute, cuFuncGetAttribute, (int *value, int attribute, void *kernel))             \
    FUNCTION(launch, cuLaunchKernel,                                                               \
             (void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x,                \
              unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream,         \
              void **parameters, void **extra))                                                    \
    FUNCTION(make_event, cuEventCreate, (void **event, unsigned flags))                            \
    FUNCTION(free_event, cuEventDestroy_v2, (void *event))                                         \
    FUNCTION(record, cuEventRecord, (void *event, void *stream))                                   \
    FUNCTION(query, cuEventQuery, (void *event))                                                   \
    FUNCTION(elapsed, cuEventElapsedTime, (float *milliseconds, void *begin, void *end))           \
    FUNCTION(error, cuGetErrorName, (int status, const char **name))

/* NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration */
#define CUDA_MEMBER(member, name, parameters) int(*member) parameters;
typedef struct cuda_library {
    void *handle;
    CUDA_FUNCTIONS(CUDA_MEMBER)
} cuda_library;

/* A result of CUDA as a status. */
gpu_status cumsum_cuda_check(const cuda_library *cuda, int result, const char *call,
                             gpu_failure *why);

/* Loads the library and lists the GPUs. GPU_UNAVAILABLE without a GPU, or without one that the
 * driver can use. On success the caller closes cuda->handle. */
gpu_status cumsum_cuda_load(cuda_library *cuda, adapter_list *list, gpu_failure *why);

#endif
