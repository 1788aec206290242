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

/* The functions that are used. */
typedef struct cuda_library {
    void *handle;
    int (*init)(unsigned flags);
    int (*version)(int *version);
    int (*count)(int *count);
    int (*name)(char *name, int room, int gpu);
    int (*memory)(size_t *bytes, int gpu);
    int (*retain)(void **context, int gpu);
    int (*release)(int gpu);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*ask)(unsigned count, const int *attributes, void **values, cuda_address address);
    int (*allocate)(cuda_address *memory, size_t bytes);
    int (*free)(cuda_address memory);
    int (*to_gpu)(cuda_address to, const void *from, size_t bytes);
    int (*from_gpu)(void *to, cuda_address from, size_t bytes);
    int (*within)(cuda_address to, cuda_address from, size_t bytes, void *stream);
    int (*set_words)(cuda_address to, unsigned word, size_t words);
    int (*load)(void **module, const void *ptx);
    int (*unload)(void *module);
    int (*find)(void **kernel, void *module, const char *name);
    int (*attribute)(int *value, int attribute, void *kernel);
    int (*launch)(void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                  unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void *stream,
                  void **parameters, void **extra);
    int (*make_event)(void **event, unsigned flags);
    int (*free_event)(void *event);
    int (*record)(void *event, void *stream);
    int (*query)(void *event);
    int (*elapsed)(float *milliseconds, void *begin, void *end);
    int (*error)(int status, const char **name);
} cuda_library;

/* A result of CUDA as a status. */
gpu_status cumsum_cuda_check(const cuda_library *cuda, int result, const char *call,
                             gpu_failure *why);

/* Loads the library and lists the GPUs. GPU_UNAVAILABLE without a GPU, or without one that the
 * driver can use. On success the caller closes cuda->handle. */
gpu_status cumsum_cuda_load(cuda_library *cuda, adapter_list *list, gpu_failure *why);

#endif
