/* SPDX-License-Identifier: MIT */
/*
 * One tensor of any size, scanned in place on the GPU and by the CPU's kernels. The results must be
 * equal bit for bit. Run by hand: it takes minutes and twice the tensor's memory.
 *
 *     check_large TYPE sequential|blocked rows|columns LINES LENGTH [GROUPS [TIMES [CHUNK]]]
 *                 [--cuda]
 *
 * GROUPS: how many groups of threads keep the device busy. TIMES: how often the GPU scans the
 * tensor, until it differs. CHUNK: elements of a dispatch; in a single pass a thread looks once for
 * each 1024 of them.
 */
#include "problem.h"
#include "scan.h"
#include "test_device.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    cumsum_data_type type;
    cumsum_numerics numerics;
    bool columns;
    uint32_t lines;
    uint32_t length;
    gpu_scan_options options;
    unsigned long times;
} request;

static bool read_request(request *r, int argc, char **argv) {
    memset(r, 0, sizeof *r);
    if (strcmp(argv[argc - 1], "--cuda") == 0)
        argc--; /* test_device_open's */
    if (argc < 6 || argc > 9)
        return false;
    for (int type = 1; type <= CUMSUM_DATA_TYPE_INT64; type++)
        if (strcmp(cumsum_data_type_name((cumsum_data_type)type), argv[1]) == 0)
            r->type = (cumsum_data_type)type;
    r->numerics.order =
        strcmp(argv[2], "blocked") == 0 ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_SEQUENTIAL;
    r->columns = strcmp(argv[3], "columns") == 0;
    r->lines = (uint32_t)strtoul(argv[4], NULL, 10);
    r->length = (uint32_t)strtoul(argv[5], NULL, 10);
    r->options.groups = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 10) : 0;
    r->times = argc > 7 ? strtoul(argv[7], NULL, 10) : 1;
    r->options.chunk = argc > 8 ? (uint32_t)strtoul(argv[8], NULL, 10) : 0;
    return r->type != CUMSUM_DATA_TYPE_UNKNOWN && r->lines > 0 && r->length > 0 && r->times > 0;
}

/* Pseudo-random elements: floats of small magnitude and both signs, any bits for integers. */
static void fill(unsigned char *tensor, uint64_t bytes, const request *r) {
    const uint32_t clear = r->type == CUMSUM_DATA_TYPE_FLOAT32   ? 0x40800000u
                           : r->type == CUMSUM_DATA_TYPE_FLOAT16 ? 0x40004000u
                                                                 : 0;
    uint32_t state = 1;
    for (uint64_t i = 0; i < bytes; i += 4) {
        state = state * 1664525u + 1013904223u;
        const uint32_t word = (state ^ state >> 16) & ~clear;
        memcpy(tensor + i, &word, 4);
    }
}

typedef struct operation {
    uint32_t sizes[2];
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
} operation;

static bool describe(operation *o, const request *r) {
    o->sizes[0] = r->columns ? r->length : r->lines;
    o->sizes[1] = r->columns ? r->lines : r->length;
    o->buffer =
        (cumsum_buffer_tensor_desc){.data_type = r->type, .dimension_count = 2, .sizes = o->sizes};
    o->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &o->buffer};
    o->desc = (cumsum_operator_desc){
        .input_tensor = &o->tensor, .output_tensor = &o->tensor, .axis = r->columns ? 0 : 1};
    return cumsum_tensor_size(r->type, 2, o->sizes, NULL, &o->buffer.total_tensor_size_in_bytes) ==
           CUMSUM_OK;
}

static void fail(const char *why) {
    printf("FAIL  %s\n", why);
    exit(1);
}

static void run_on_cpu(const operation *o, const request *r, const void *input, void *output) {
    const cumsum_plan_options options = {.numerics = r->numerics};
    const uint64_t bytes = o->buffer.total_tensor_size_in_bytes;
    cumsum_plan *plan = NULL;
    cumsum_diagnostic why;
    if (cumsum_plan_create(&o->desc, &options, &plan, &why) != CUMSUM_OK ||
        cumsum_plan_execute(plan, input, bytes, output, bytes, &why) != CUMSUM_OK)
        fail(why.message);
    cumsum_plan_destroy(plan);
}

/* A measurement that runs once, and counts the tiles that a single pass left. */
typedef struct left_tiles {
    gpu_measuring measuring; /* first */
    uint32_t count;
} left_tiles;

static gpu_status run_and_count(gpu_measuring *measuring, const gpu_work *work, gpu_failure *why) {
    gpu_timing timing;
    uint32_t *count = &((left_tiles *)measuring)->count;
    const gpu_status status = work->run(work->context, 1, &timing, why);
    return status == GPU_OK && work->left.buffer
               ? work->device->driver->download(
                     work->device, work->left.buffer,
                     &(gpu_part){work->left.offset, count, sizeof *count}, 1, why)
               : status;
}

static void run_on_gpu(gpu_device *device, const operation *o, const request *r, void *tensor) {
    cumsum_problem problem;
    gpu_scanner *scanner = NULL;
    gpu_failure why = {0};
    gpu_scan_timing timing = {0};
    left_tiles left = {.measuring = {run_and_count}};
    cumsum_diagnostic diagnostic;
    if (cumsum_problem_init(&problem, &o->desc, CUMSUM_FEATURE_LEVEL_DEFAULT, &diagnostic) !=
        CUMSUM_OK)
        fail(diagnostic.message);
    device->measuring = &left.measuring;
    if (cumsum_scanner_open(device, &r->options, &scanner, &why) != GPU_OK ||
        cumsum_scan_run(scanner, &problem, &r->numerics, tensor, tensor, &timing, &why) != GPU_OK)
        fail(why.message);
    cumsum_scanner_close(scanner);
    const double seconds = (double)timing.ticks / (double)device->info.timestamp_ticks_per_second;
    printf("%" PRIu64 " dispatches, %.3f s on the GPU, %.3f GB/s, %" PRIu32 " tiles left\n",
           timing.dispatches, seconds,
           2e-9 * (double)o->buffer.total_tensor_size_in_bytes / seconds, left.count);
}

int main(int argc, char **argv) {
    request r;
    operation o;
    if (!read_request(&r, argc, argv) || !describe(&o, &r)) {
        fprintf(stderr, "usage: check_large TYPE sequential|blocked rows|columns LINES LENGTH "
                        "[GROUPS [TIMES [CHUNK]]]\n");
        return 2;
    }
    gpu_device *device = test_device_open(argc, argv);
    const uint64_t bytes = o.buffer.total_tensor_size_in_bytes;
    unsigned char *tensor = bytes ? malloc(bytes) : NULL;
    unsigned char *expected = bytes ? malloc(bytes) : NULL;
    if (!tensor || !expected)
        fail("no memory");
    fill(tensor, bytes, &r);
    memcpy(expected, tensor, bytes); /* with the half behind the last one, which no element has */
    run_on_cpu(&o, &r, tensor, expected);
    bool same = true;
    unsigned long done = 0;
    for (; same && done < r.times; done++) {
        fill(tensor, bytes, &r);
        run_on_gpu(device, &o, &r, tensor);
        same = memcmp(tensor, expected, bytes) == 0;
    }
    printf("%" PRIu64 " bytes %s, scanned %lu times\n", bytes, same ? "agree" : "DIFFER", done);
    free(tensor);
    free(expected);
    device->driver->close(device);
    return !same;
}
