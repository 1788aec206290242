/* SPDX-License-Identifier: MIT */
/*
 * A cumulative summation on the caller's GPU, in the caller's memory and stream, with the bits of
 * the CPU.
 *
 *     cc cuda_launch.c $(pkg-config --cflags --libs cumsum-cuda) -lm
 *
 * A program of CUDA has its memory and streams already, and includes cuda.h. This one declares and
 * loads the few functions that it needs, so that it is compiled without CUDA.
 *
 * Exit status: 0 the sums are right, 1 they are not or a call failed, 77 there is no GPU.
 */
#include <cumsum/cuda.h>
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 3,
    COLUMNS = 20000,
    ELEMENTS = ROWS * COLUMNS,
    BYTES = ELEMENTS * 4,
    NO_GPU = 77
};

static float numbers[ELEMENTS];
static uint32_t on_gpu[ELEMENTS], on_cpu[ELEMENTS]; /* the bits of the sums */

/* What cuda.h declares. */
static int (*retain_context)(void **context, int device);
static int (*push_context)(void *context);
static int (*allocate)(uint64_t *address, size_t bytes);
static int (*copy_to_gpu)(uint64_t to, const void *from, size_t bytes);
static int (*copy_from_gpu)(void *to, uint64_t from, size_t bytes);
static int (*release)(uint64_t address);

static void require(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "cuda_launch: failed: %s\n", what);
        exit(1);
    }
}

static void load_cuda(void) {
    const struct {
        const char *name;
        void *function;
    } symbols[] = {{"cuDevicePrimaryCtxRetain", &retain_context},
                   {"cuCtxPushCurrent_v2", &push_context},
                   {"cuMemAlloc_v2", &allocate},
                   {"cuMemcpyHtoD_v2", &copy_to_gpu},
                   {"cuMemcpyDtoH_v2", &copy_from_gpu},
                   {"cuMemFree_v2", &release}};
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *found = library ? dlsym(library, symbols[i].name) : NULL;
        require(found != NULL, symbols[i].name);
        memcpy(symbols[i].function, &found, sizeof found);
    }
}

static cumsum_cuda_memory make_memory(uint64_t bytes) {
    cumsum_cuda_memory memory = {0, bytes};
    require(allocate(&memory.address, bytes) == 0, "cuMemAlloc");
    return memory;
}

/* Copies behind the launch wait for it: all are in the default stream. */
static void sum_on_gpu(const cumsum_cuda_plan *plan) {
    void *context;
    cumsum_diagnostic why;
    load_cuda();
    require(retain_context(&context, 0) == 0 && push_context(context) == 0, "the context");
    const cumsum_cuda_memory data = make_memory(BYTES);
    const cumsum_cuda_memory scratch = make_memory(cumsum_cuda_plan_scratch(plan));
    require(copy_to_gpu(data.address, numbers, BYTES) == 0, "cuMemcpyHtoD");
    if (cumsum_cuda_launch(plan, NULL, &data, &data, &scratch, &why) != CUMSUM_OK)
        require(0, why.message);
    require(copy_from_gpu(on_gpu, data.address, BYTES) == 0, "cuMemcpyDtoH");
    release(scratch.address);
    release(data.address);
}

int main(void) {
    const uint32_t sizes[2] = {ROWS, COLUMNS};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 2,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = BYTES};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor, .output_tensor = &tensor, .axis = 1};
    const cumsum_plan_options options = {.numerics = {.order = CUMSUM_ORDER_BLOCKED}};
    cumsum_cuda_plan *plan;
    cumsum_plan *cpu;
    cumsum_diagnostic why;
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = sinf((float)i);
    const cumsum_status status = cumsum_cuda_plan_create(0, &desc, &options.numerics,
                                                         CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
    if (status != CUMSUM_OK) {
        fprintf(stderr, "cuda_launch: %s\n", why.message);
        return status == CUMSUM_NO_DEVICE ? NO_GPU : 1;
    }
    sum_on_gpu(plan);
    cumsum_cuda_plan_destroy(plan);
    require(cumsum_plan_create(&desc, &options, &cpu, &why) == CUMSUM_OK &&
                cumsum_plan_execute(cpu, numbers, BYTES, on_cpu, BYTES, &why) == CUMSUM_OK,
            "the CPU");
    cumsum_plan_destroy(cpu);
    require(memcmp(on_gpu, on_cpu, BYTES) == 0, "GPU and CPU differ");
    printf("%d sums on the GPU have the bits of the CPU's\n", ELEMENTS);
    return 0;
}
