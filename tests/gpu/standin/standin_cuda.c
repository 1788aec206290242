/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for libcuda.so.1: a GPU whose memory is the host's and whose kernels do nothing, so
 * that every output is wrong. STANDIN_CUDA names what fails: "gpus" (there is none), a function
 * ("cuMemAlloc_v2": out of memory; "cuLaunchKernel": an error that stays; others: error 1), or
 * "end" (no submission ends).
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

static bool fails(const char *what) {
    const char *failing = getenv("STANDIN_CUDA");
    return failing && strcmp(failing, what) == 0;
}

#define STANDIN(name, parameters, error, work)                                                     \
    EXPORT int name parameters;                                                                    \
    int name parameters {                                                                          \
        if (fails(#name))                                                                          \
            return error;                                                                          \
        work;                                                                                      \
        return 0;                                                                                  \
    }

static void *memory_at(uint64_t address) {
    void *memory = NULL;
    memcpy(&memory, &address, sizeof memory);
    return memory;
}

/* It is never unmapped: a device that is lost leaves memory behind, which is no leak of the host.
 */
static uint64_t mapped(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? 0 : (uint64_t)(uintptr_t)memory;
}

static void set_words(uint32_t *to, uint32_t word, size_t words) {
    for (size_t i = 0; i < words; i++)
        to[i] = word;
}

STANDIN(cuInit, (unsigned flags), 1, (void)flags)
STANDIN(cuDriverGetVersion, (int *version), 1, *version = 13000)
STANDIN(cuDeviceGetCount, (int *count), 1, *count = fails("gpus") ? 0 : 1)
STANDIN(cuDeviceGetName, (char *name, int room, int gpu), 1,
        snprintf(name, (size_t)room, "stand-in %d", gpu))
STANDIN(cuDeviceTotalMem_v2, (size_t * bytes, int gpu), 1, *bytes = (size_t)(gpu + 1) << 30)
STANDIN(cuDevicePrimaryCtxRetain, (void **context, int gpu), 1, *context = (char *)"context" + gpu)
STANDIN(cuDevicePrimaryCtxRelease_v2, (int gpu), 1, (void)gpu)
STANDIN(cuCtxSetCurrent, (void *context), 1, (void)context)
STANDIN(cuMemAlloc_v2, (uint64_t * memory, size_t bytes), 2, *memory = mapped(bytes))
STANDIN(cuMemFree_v2, (uint64_t memory), 1, (void)memory)
STANDIN(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes), 1,
        memcpy(memory_at(to), from, bytes))
STANDIN(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes), 1,
        memcpy(to, memory_at(from), bytes))
STANDIN(cuMemcpyDtoDAsync_v2, (uint64_t to, uint64_t from, size_t bytes, void *stream), 1,
        ((void)stream, memcpy(memory_at(to), memory_at(from), bytes)))
STANDIN(cuMemsetD32_v2, (uint64_t to, unsigned word, size_t words), 1,
        set_words(memory_at(to), word, words))
STANDIN(cuModuleLoadData, (void **module, const void *ptx), 218,
        *module = strstr(ptx, "kernel") ? (char *)"a kernel" : (char *)"none")
STANDIN(cuModuleUnload, (void *module), 1, (void)module)
STANDIN(cuModuleGetFunction, (void **kernel, void *module, const char *name), 500,
        *kernel = strstr(module, name))
STANDIN(cuFuncGetAttribute, (int *value, int attribute, void *kernel), 1,
        ((void)kernel, *value = attribute == 0 ? 64 : 0))
STANDIN(cuLaunchKernel,
        (void *kernel, unsigned x, unsigned y, unsigned z, unsigned threads_x, unsigned threads_y,
         unsigned threads_z, unsigned shared_bytes, void *stream, void **parameters, void **extra),
        700,
        ((void)kernel, (void)x, (void)y, (void)z, (void)threads_x, (void)threads_y, (void)threads_z,
         (void)shared_bytes, (void)stream, (void)parameters, (void)extra))
STANDIN(cuEventCreate, (void **event, unsigned flags), 1, ((void)flags, *event = (char *)"event"))
STANDIN(cuEventDestroy_v2, (void *event), 1, (void)event)
STANDIN(cuEventRecord, (void *event, void *stream), 1, ((void)event, (void)stream))
STANDIN(cuEventElapsedTime, (float *milliseconds, void *begin, void *end), 1,
        ((void)begin, (void)end, *milliseconds = 1))
STANDIN(cuGetErrorName, (int status, const char **name), 1,
        *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER")

EXPORT int cuEventQuery(void *event);
int cuEventQuery(void *event) {
    (void)event;
    return fails("end") ? 600 : 0;
}
