/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_STANDIN_CUDA_H
#define CUMSUM_TESTS_STANDIN_CUDA_H

/* What the tests ask of the stand-in for libcuda.so.1: a few of CUDA's functions, and what CUDA
 * does not have. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int cuDevicePrimaryCtxRetain(void **context, int gpu);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
int cuMemFree_v2(uint64_t memory);

struct CUstream_st {
    int gpu;
    bool captured; /* launches are kept for standin_replay, and not executed */
};

typedef struct standin_cuda {
    bool only_launches; /* any other call that does something is counted in `others` */
    unsigned others;
    unsigned launches;
    unsigned groups;    /* of all launches */
    const void *stream; /* of the last launch */
    bool lost;          /* a launch failed: the GPU's calls return its error */
} standin_cuda;

standin_cuda *standin_cuda_control(void);

/* How many contexts are on the calling thread's stack. */
unsigned standin_contexts(void);

/* Executes the launches that were captured, and keeps them. */
void standin_replay(void);

#endif
