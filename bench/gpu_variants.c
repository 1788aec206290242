/* SPDX-License-Identifier: MIT */
/*
 * Measures the variants of kernels over CUDA (variants.txt) beside the library's kernels and a
 * copy, and compares every output with the CPU's.
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
#include "gpu_measure.h"
#include "host_system.h"
#include "scan.h"
#include "scan_job.h"
#include "variants.h"

#define REPETITIONS 5

/* What is asked of a kernel: attributes of cuFuncGetAttribute. */
enum {
    LOCAL_BYTES = 3,
    REGISTERS = 4
};

/* A case of cumsum_bench, and the kernel that takes most of its time. */
typedef struct shape {
    const char *name;
    scan_kernel kernel;
    uint32_t axis;
    uint32_t sizes[2];
    uint32_t quick[2];
} shape;

static const shape shapes[] = {
    {"row-1x64M", SCAN_BLOCKED_SINGLE, 1, {1, 1u << 26}, {1, 70000}},
    {"rows-256x256K", SCAN_BLOCKED_SINGLE, 1, {256, 1u << 18}, {3, 20000}},
    {"square-axis1", SCAN_BLOCKED_SINGLE, 1, {4096, 4096}, {5, 4096}},
    {"rows-64Kx1K", SCAN_BLOCKED_TILE, 1, {1u << 16, 1u << 10}, {9, 1024}},
    {"square-axis0", SCAN_BLOCKED_LINE, 0, {4096, 4096}, {3000, 40}}};

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

static bool make_work(work *w, const uint32_t *sizes, uint32_t axis, const element_type *t) {
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
        (cumsum_operator_desc){&w->tensor, &w->tensor, axis, CUMSUM_AXIS_DIRECTION_INCREASING, 0};
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

/* Prints what the driver made of the kernel that the case took, if it took that one. */
static void print_kernel(const cuda_device *device, const gpu_shader *shader) {
    const cuda_library *cuda = &device->cuda;
    int (*occupancy)(int *groups, void *kernel, int threads, size_t shared) = NULL;
    int registers = 0, spilled = 0, groups = 0;
    void *context;
    const bool found = cumsum_library_find(
        cuda->handle,
        &(library_function){"cuOccupancyMaxActiveBlocksPerMultiprocessor", &occupancy});
    cuda->push(device->context);
    cuda->attribute(&registers, REGISTERS, shader->kernel);
    cuda->attribute(&spilled, LOCAL_BYTES, shader->kernel);
    if (found)
        occupancy(&groups, shader->kernel, (int)shader->threads, 0);
    cuda->pop(&context);
    printf("%5d  %5d  %6d  %6.1f %%  ", registers, spilled, groups,
           100.0 * groups * (int)shader->threads / 2048);
}

/* One row. Returns whether the output is right, and of the kernel of the case. */
static bool measure(gpu_scanner *scanner, const char *name, const shape *s, const element_type *t,
                    work *w, bool quick) {
    const uint64_t bytes = w->buffer.total_tensor_size_in_bytes;
    device_measuring measuring = {
        .measuring = {device_measure}, .repetitions = REPETITIONS, .bytes = bytes};
    const device_speed *speed = &measuring.speed;
    gpu_failure why = {0};
    memset(w->output, 0, bytes);
    scanner->device->measuring = quick ? NULL : &measuring.measuring;
    const gpu_status status =
        cumsum_scan_run(scanner, &w->problem, &w->numerics, w->input, w->output, NULL, &why);
    const gpu_shader *shader = scanner->shaders.made[s->kernel][t->element];
    const bool right = status == GPU_OK && memcmp(w->output, w->expected, bytes) == 0;
    const uint64_t command = speed->copy_hot.median, by_shader = speed->shader_copy_hot.median;
    const uint64_t copy = command < by_shader ? command : by_shader;
    printf("%-14s %-12s  %-11s  %9.1f us  %5.2f  ", s->name, t->name, name,
           (double)speed->hot.median * 1e-3,
           speed->hot.median ? (double)copy / (double)speed->hot.median : 0);
    if (shader)
        print_kernel((const cuda_device *)scanner->device, shader);
    printf("%s\n", status != GPU_OK ? why.message
                   : !right         ? "WRONG"
                   : !shader        ? "ANOTHER KERNEL"
                                    : "right");
    fflush(stdout);
    cumsum_scan_memory_close(&scanner->memory);
    return right && shader;
}

/* The rows of a case and an element type. Integers of one tile are not scanned in the blocked
 * order, nor those of many lines. */
static int measure_case(gpu_scanner *const *scanners, const variant *variants, size_t count,
                        const shape *s, const element_type *t, bool quick) {
    bool right = true;
    work w;
    if (s->kernel != SCAN_BLOCKED_SINGLE && t->type > CUMSUM_DATA_TYPE_FLOAT16)
        return 0;
    if (!make_work(&w, quick ? s->quick : s->sizes, s->axis, t)) {
        free_work(&w);
        return fail("no memory, or the CPU cannot compute the outputs");
    }
    for (size_t v = 0; v < count; v++)
        if (variants[v].has[s->kernel][t->element])
            right &= measure(scanners[v], variants[v].name, s, t, &w, quick);
    free_work(&w);
    return !right;
}

/* A scanner keeps the kernels of a variant, each of which the driver compiles once. */
static int measure_all(gpu_device *device, const variant *variants, size_t count, bool quick) {
    gpu_scanner *scanners[MOST_VARIANTS] = {NULL};
    gpu_failure why;
    int status = 0;
    printf("%-14s %-12s  %-11s  %12s  %5s  %5s  %5s  %6s  %8s  bits\n", "case", "type", "variant",
           "time", "copy", "regs", "spill", "groups", "threads");
    fflush(stdout);
    for (size_t v = 0; v < count && status == 0; v++) {
        const gpu_scan_options options = {.bytecodes = &variants[v].bytecodes};
        if (cumsum_scanner_open(device, &options, &scanners[v], &why) != GPU_OK)
            status = fail(why.message);
    }
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0] && status < 2; s++)
        for (size_t t = 0; t < sizeof types / sizeof types[0] && status < 2; t++)
            status |= measure_case(scanners, variants, count, &shapes[s], &types[t], quick);
    for (size_t v = 0; v < count; v++)
        cumsum_scanner_close(scanners[v]);
    return status;
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
