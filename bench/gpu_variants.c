/* SPDX-License-Identifier: MIT */
/*
 * Measures the variants of the single pass over CUDA (variants.txt) beside the library's kernel and
 * a copy, and compares every output with the CPU's.
 *
 *     gpu_variants FOLDER [--quick]
 *
 * FOLDER has variants.txt and the kernels. A row of the table: the time, its share of the faster of
 * two copies, the registers of a thread, the bytes that it spills, the groups that a multiprocessor
 * runs at a time, and the threads that it then has, of 2048. --quick takes small tensors and
 * compares the bits alone, which is what a stand-in for a GPU can do.
 *
 * Exit status: 0 all outputs are right; 1 one differs; 2 usage; 3 an error; 77 there is no GPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "device_drivers.h"
#include "host_system.h"
#include "scan.h"
#include "variants.h"

#define REPETITIONS 5

/* What is asked of a kernel: attributes of cuFuncGetAttribute. */
enum {
    MOST_THREADS = 0,
    LOCAL_BYTES = 3,
    REGISTERS = 4
};

typedef struct shape {
    const char *name;
    uint32_t sizes[2];
    uint32_t quick[2];
} shape;

static const shape shapes[] = {{"row-1x64M", {1, 1u << 26}, {1, 70000}},
                               {"rows-256x256K", {256, 1u << 18}, {3, 20000}},
                               {"rows-16Kx4K", {1u << 14, 1u << 12}, {5, 4096}}};

typedef struct element_type {
    const char *name;
    cumsum_data_type type;
    cumsum_half_accumulator accumulator;
    scan_element element;
    uint32_t size;
} element_type;

static const element_type types[] = {
    {"FLOAT32", CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_HALF_ACCUMULATOR_FLOAT32, SCAN_FLOAT32, 4},
    {"FLOAT16", CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_HALF_ACCUMULATOR_FLOAT32, SCAN_FLOAT16, 2},
    {"FLOAT16 half", CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_HALF_ACCUMULATOR_FLOAT16, SCAN_FLOAT16_HALF,
     2},
    {"INT32", CUMSUM_DATA_TYPE_INT32, CUMSUM_HALF_ACCUMULATOR_FLOAT32, SCAN_INTEGER32, 4},
    {"INT64", CUMSUM_DATA_TYPE_INT64, CUMSUM_HALF_ACCUMULATOR_FLOAT32, SCAN_INTEGER64, 8}};

/* A tensor of one shape and type. */
typedef struct work {
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
    cumsum_numerics numerics;
    cumsum_problem problem;
    void *input;
    void *output;
    void *expected;
} work;

static int fail(const char *why) {
    fprintf(stderr, "gpu_variants: %s\n", why);
    return 3;
}

/* Numbers of both signs around 1, or any integers. */
static void fill(uint32_t *words, uint64_t count, const element_type *t) {
    const uint32_t kept = t->size == 2                          ? 0xBFFFBFFFu
                          : t->type == CUMSUM_DATA_TYPE_FLOAT32 ? 0xBFFFFFFFu
                                                                : ~0u;
    uint32_t random = 1;
    for (uint64_t i = 0; i < count; i++) {
        random = random * 1664525u + 1013904223u;
        words[i] = (random ^ random >> 16) & kept;
    }
}

static bool make_work(work *w, const uint32_t *sizes, const element_type *t) {
    const uint64_t bytes = UINT64_C(1) * sizes[0] * sizes[1] * t->size;
    const cumsum_plan_options options = {
        .numerics = {.order = CUMSUM_ORDER_BLOCKED, .half_accumulator = t->accumulator}};
    cumsum_plan *plan = NULL;
    *w = (work){.buffer = {.data_type = t->type,
                           .dimension_count = 2,
                           .sizes = sizes,
                           .total_tensor_size_in_bytes = bytes},
                .numerics = options.numerics,
                .input = malloc(bytes),
                .output = calloc(1, bytes),
                .expected = calloc(1, bytes)};
    w->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &w->buffer};
    w->desc =
        (cumsum_operator_desc){&w->tensor, &w->tensor, 1, CUMSUM_AXIS_DIRECTION_INCREASING, 0};
    if (!w->input || !w->output || !w->expected)
        return false;
    fill(w->input, bytes / 4, t);
    const bool good =
        cumsum_problem_init(&w->problem, &w->desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) ==
            CUMSUM_OK &&
        cumsum_plan_create(&w->desc, &options, &plan, NULL) == CUMSUM_OK &&
        cumsum_plan_execute(plan, w->input, bytes, w->expected, bytes, NULL) == CUMSUM_OK;
    cumsum_plan_destroy(plan);
    return good;
}

static void free_work(work *w) {
    free(w->input);
    free(w->output);
    free(w->expected);
}

/* Prints what the driver made of a kernel; "-" for what it does not tell. */
static void print_kernel(const cuda_device *device, const variant *v, scan_element element) {
    const cuda_library *cuda = &device->cuda;
    int (*occupancy)(int *groups, void *kernel, int threads, size_t shared) = NULL;
    const char *ptx = (const char *)v->bytecodes.of[SCAN_BLOCKED_SINGLE][element].words;
    char name[96] = "";
    void *module = NULL, *kernel = NULL, *context;
    int threads = 0, registers = 0, spilled = 0, groups = 0;
    const char *entry = strstr(ptx, ".entry ");
    const bool found = cumsum_library_find(
        cuda->handle,
        &(library_function){"cuOccupancyMaxActiveBlocksPerMultiprocessor", &occupancy});
    cuda->push(device->context);
    if (entry && sscanf(entry, ".entry %95[^(]", name) == 1 && cuda->load(&module, ptx) == 0 &&
        cuda->find(&kernel, module, name) == 0) {
        cuda->attribute(&threads, MOST_THREADS, kernel);
        cuda->attribute(&registers, REGISTERS, kernel);
        cuda->attribute(&spilled, LOCAL_BYTES, kernel);
        if (found)
            occupancy(&groups, kernel, threads, 0);
    }
    if (module)
        cuda->unload(module);
    cuda->pop(&context);
    printf("%5d  %5d  %6d  %6.1f %%", registers, spilled, groups, 100.0 * groups * threads / 2048);
}

/* One row. Returns whether the output is right. */
static bool measure(gpu_device *device, const variant *v, const shape *s, const element_type *t,
                    work *w, bool quick) {
    const gpu_scan_options options = {.bytecodes = &v->bytecodes};
    const uint64_t bytes = w->buffer.total_tensor_size_in_bytes;
    gpu_scanner *scanner = NULL;
    cumsum_d3d12_speed speed = {0};
    gpu_failure why = {0};
    memset(w->output, 0, bytes);
    gpu_status status = cumsum_scanner_open(device, &options, &scanner, &why);
    if (status == GPU_OK && quick)
        status =
            cumsum_scan_run(scanner, &w->problem, &w->numerics, w->input, w->output, NULL, &why);
    else if (status == GPU_OK)
        status = cumsum_scan_measure(scanner, &w->problem, &w->numerics, w->input, w->output,
                                     REPETITIONS, &speed, &why);
    cumsum_scanner_close(scanner);
    const bool right = status == GPU_OK && memcmp(w->output, w->expected, bytes) == 0;
    const uint64_t command = speed.copy_hot.median, shader = speed.shader_copy_hot.median;
    const uint64_t copy = command < shader ? command : shader;
    printf("%-14s %-12s  %-11s  %9.1f us  %5.2f  ", s->name, t->name, v->name,
           (double)speed.hot.median * 1e-3,
           speed.hot.median ? (double)copy / (double)speed.hot.median : 0);
    print_kernel((cuda_device *)device, v, t->element);
    printf("  %s\n", right ? "right" : status == GPU_OK ? "WRONG" : why.message);
    fflush(stdout);
    return right;
}

static int measure_all(gpu_device *device, const variant *variants, size_t count, bool quick) {
    bool right = true;
    printf("%-14s %-12s  %-11s  %12s  %5s  %5s  %5s  %6s  %8s  bits\n", "case", "type", "variant",
           "time", "copy", "regs", "spill", "groups", "threads");
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            work w;
            if (!make_work(&w, quick ? shapes[s].quick : shapes[s].sizes, &types[t])) {
                free_work(&w);
                return fail("no memory, or the CPU cannot compute the outputs");
            }
            for (size_t v = 0; v < count; v++)
                if (variants[v].has[types[t].element])
                    right &= measure(device, &variants[v], &shapes[s], &types[t], &w, quick);
            free_work(&w);
        }
    return !right;
}

int main(int argc, char **argv) {
    static variant variants[MOST_VARIANTS];
    const bool quick = argc == 3 && strcmp(argv[2], "--quick") == 0;
    gpu_device *device = NULL;
    gpu_failure why = {0};
    if (argc != 2 && !quick) {
        fprintf(stderr, "usage: gpu_variants FOLDER [--quick]\n");
        return 2;
    }
    const size_t count = variants_read(argv[1], variants);
    if (cumsum_cuda_drivers()[0]->open(NULL, &device, &why) != GPU_OK) {
        printf("SKIPPED: %s\n", why.message);
        return why.status == GPU_UNAVAILABLE ? 77 : 3;
    }
    printf("%s\n", device->driver->info(device)->adapter.name);
    const int status = measure_all(device, variants, count, quick);
    device->driver->close(device);
    return status;
}
