/* SPDX-License-Identifier: MIT */
/*
 * The functions of cumsum/cuda.h on the stand-in for libcuda.so.1, which runs the kernels: bits,
 * what a launch does and what it leaves alone, and every refusal. check_scans has the cases.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cumsum/cuda.h>

#include "check.h"
#include "device_drivers.h"
#include "failing_memory.h"
#include "problem.h"
#include "scan.h"
#include "scan_pass.h"
#include "standin_cuda.h"
#include "variants.h"

/* A FLOAT32 tensor of lines of 20,000 elements, which take several kernels. */
enum {
    LINES = 3,
    LENGTH = 20000,
    ELEMENTS = LINES * LENGTH,
    BYTES = ELEMENTS * 4
};
static const uint32_t sizes[4] = {1, 1, LINES, LENGTH};
static cumsum_buffer_tensor_desc buffer;
static cumsum_tensor_desc tensor;
static cumsum_operator_desc desc;
static const cumsum_numerics blocked = {.order = CUMSUM_ORDER_BLOCKED};
static cumsum_diagnostic why;
static float numbers[ELEMENTS];
static float expected[ELEMENTS];
static cumsum_cuda_memory input, output, scratch;

static void *host(uint64_t address) {
    void *memory;
    memcpy(&memory, &address, sizeof memory);
    return memory;
}

static cumsum_cuda_memory allocate(int gpu, size_t bytes) {
    void *context;
    cumsum_cuda_memory made = {0, bytes};
    assert_int_equal(cuDevicePrimaryCtxRetain(&context, gpu), 0);
    cuCtxPushCurrent_v2(context);
    assert_int_equal(cuMemAlloc_v2(&made.address, bytes), 0);
    cuCtxPopCurrent_v2(&context);
    return made;
}

/* The CPU's sums of `numbers` in the blocked order. */
static void sum_on_cpu(float *to) {
    const cumsum_plan_options options = {.numerics = blocked};
    cumsum_plan *plan;
    assert_int_equal(cumsum_plan_create(&desc, &options, &plan, &why), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, numbers, BYTES, to, BYTES, &why), CUMSUM_OK);
    cumsum_plan_destroy(plan);
}

static void set_up(void) {
    uint32_t random = 1;
    memset(&why, 0, sizeof why);
    *standin_cuda_control() = (standin_cuda){0};
    buffer = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                         .dimension_count = 4,
                                         .sizes = sizes,
                                         .total_tensor_size_in_bytes = BYTES};
    tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    desc = (cumsum_operator_desc){&tensor, &tensor, 3, CUMSUM_AXIS_DIRECTION_INCREASING, 0};
    for (int i = 0; i < ELEMENTS; i++) {
        random = (uint32_t)((random * UINT64_C(1664525) + 1013904223) & UINT32_MAX);
        numbers[i] = (float)(int32_t)random / 65536;
    }
    sum_on_cpu(expected);
    input = allocate(0, BYTES);
    output = allocate(0, BYTES);
    scratch = allocate(0, BYTES);
    memcpy(host(input.address), numbers, BYTES);
}

static void tear_down(void) {
    unsetenv("STANDIN_CUDA");
    assert_int_equal(standin_contexts(), 0);
    cuMemFree_v2(input.address);
    cuMemFree_v2(output.address);
    cuMemFree_v2(scratch.address);
}

static cumsum_cuda_plan *make_plan(const cumsum_numerics *numerics) {
    cumsum_cuda_plan *plan = NULL;
    const cumsum_status status =
        cumsum_cuda_plan_create(0, &desc, numerics, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
    if (status != CUMSUM_OK)
        fail_msg("%s", why.message);
    return plan;
}

static void expect_launched(const cumsum_cuda_plan *plan, struct CUstream_st *stream,
                            const cumsum_cuda_memory *from, const cumsum_cuda_memory *to) {
    if (cumsum_cuda_launch(plan, stream, from, to, &scratch, &why) != CUMSUM_OK)
        fail_msg("%s", why.message);
}

/* Kernels and nothing else, whatever context is the caller's. */
static void test_launched(void) {
    struct CUstream_st stream = {.gpu = 0};
    void *other, *popped;
    cumsum_cuda_plan *plan = make_plan(&blocked);
    const uint64_t bytes = cumsum_cuda_plan_scratch(plan);
    assert_true(bytes >= LINES * 4 && bytes < BYTES);
    scratch.size_in_bytes = bytes;
    cuDevicePrimaryCtxRetain(&other, 1);
    cuCtxPushCurrent_v2(other);
    standin_cuda_control()->only_launches = true;
    expect_launched(plan, &stream, &input, &output);
    assert_int_equal(standin_contexts(), 1);
    cuCtxPopCurrent_v2(&popped);
    assert_true(standin_cuda_control()->launches >= 2);
    assert_int_equal(standin_cuda_control()->others, 0);
    assert_memory_equal(host(output.address), expected, BYTES);
    assert_memory_equal(host(input.address), numbers, BYTES);
    expect_launched(plan, NULL, &input, &input); /* in place */
    assert_memory_equal(host(input.address), expected, BYTES);
    cumsum_cuda_plan_destroy(plan);
    cumsum_cuda_plan_destroy(NULL);
    assert_int_equal(cumsum_cuda_plan_scratch(NULL), 0);
}

/* A graph has all that it needs: the plan's arguments are gone, and the input is another one. */
static void test_captured(void) {
    struct CUstream_st stream = {.gpu = 0, .captured = true};
    cumsum_cuda_plan *plan = make_plan(&blocked);
    standin_cuda_control()->only_launches = true;
    expect_launched(plan, &stream, &input, &output);
    assert_int_equal(standin_cuda_control()->launches, 0);
    for (int round = 0; round < 2; round++) {
        numbers[7] = (float)round;
        sum_on_cpu(expected);
        memcpy(host(input.address), numbers, BYTES);
        memset(host(scratch.address), 0xA5, BYTES);
        standin_replay();
        assert_memory_equal(host(output.address), expected, BYTES);
    }
    cumsum_cuda_plan_destroy(plan);
}

enum {
    THREADS = 4
};

static void *launch_often(void *context) {
    static float wrong;
    const cumsum_cuda_plan *plan = context;
    const cumsum_cuda_memory to = allocate(0, BYTES), room = allocate(0, BYTES);
    cumsum_diagnostic ignored;
    bool good = true;
    for (int i = 0; i < 3; i++) {
        memset(host(to.address), 0, BYTES);
        good &= cumsum_cuda_launch(plan, NULL, &input, &to, &room, &ignored) == CUMSUM_OK &&
                memcmp(host(to.address), expected, BYTES) == 0;
    }
    return good ? NULL : &wrong;
}

static void test_threads(void) {
    pthread_t threads[THREADS];
    cumsum_cuda_plan *plan = make_plan(&blocked);
    void *wrong[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_often, plan), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], &wrong[i]);
    for (int i = 0; i < THREADS; i++)
        assert_null(wrong[i]);
    cumsum_cuda_plan_destroy(plan);
}

/* FLOAT16 at an address that is no multiple of 4: the halves of the words at both ends stay. */
static void test_odd_halves(void) {
    enum {
        HALVES = 2001
    };
    static const uint32_t line[4] = {1, 1, 1, HALVES};
    uint16_t *from = host(input.address), *to = host(output.address);
    const cumsum_cuda_memory odd_from = {input.address + 2, HALVES * 2};
    const cumsum_cuda_memory odd_to = {output.address + 6, HALVES * 2};
    buffer.data_type = CUMSUM_DATA_TYPE_FLOAT16;
    buffer.sizes = line;
    buffer.total_tensor_size_in_bytes = HALVES * 2 + 2;
    cumsum_cuda_plan *plan = make_plan(NULL);
    for (int i = 0; i < HALVES + 9; i++) {
        from[i] = 0x3C00; /* 1 */
        to[i] = 0xA5A5;
    }
    assert_int_equal(cumsum_cuda_launch(plan, NULL, &odd_from, &odd_to, &scratch, &why),
                     CUMSUM_INVALID_BINDING); /* TotalTensorSizeInBytes has whole words */
    const cumsum_cuda_memory whole_from = {input.address + 2, HALVES * 2 + 2};
    const cumsum_cuda_memory whole_to = {output.address + 6, HALVES * 2 + 2};
    expect_launched(plan, NULL, &whole_from, &whole_to);
    assert_int_equal(to[2], 0xA5A5);
    assert_int_equal(to[3], 0x3C00);
    assert_int_equal(to[3 + HALVES - 1], 0x67D1); /* 2001 */
    assert_int_equal(to[3 + HALVES], 0xA5A5);
    cumsum_cuda_plan_destroy(plan);
}

/* A tensor of two lines whose elements reach beyond 4 GiB, one of them beyond 2^32 bytes by a few
 * elements; `stride` in elements. The memory between has no pages. */
static void expect_far(cumsum_data_type type, uint32_t size, uint32_t lines, uint32_t length,
                       const uint32_t *strides, uint32_t axis, const cumsum_numerics *numerics) {
    const uint32_t far_sizes[4] = {1, 1, lines, length};
    const uint64_t extent =
        UINT64_C(1) * (lines - 1) * strides[2] + UINT64_C(1) * (length - 1) * strides[3] + 1;
    const uint64_t bytes = (extent * size + 3) / 4 * 4;
    const cumsum_cuda_memory from = allocate(0, bytes), to = allocate(0, bytes);
    unsigned char *in = host(from.address), *out = host(to.address);
    buffer = (cumsum_buffer_tensor_desc){.data_type = type,
                                         .dimension_count = 4,
                                         .sizes = far_sizes,
                                         .strides = strides,
                                         .total_tensor_size_in_bytes = bytes};
    desc.axis = axis;
    for (uint32_t i = 0; i < lines; i++)
        for (uint32_t k = 0; k < length; k++) {
            unsigned char *end =
                in + (UINT64_C(1) * i * strides[2] + UINT64_C(1) * k * strides[3] + 1) * size;
            end[-2] = (unsigned char)(i * 7 + k % 50);
            end[-1] = 0x3E; /* floats of one binade, which are also summed in segments */
        }
    cumsum_cuda_plan *plan = make_plan(numerics);
    assert_true(cumsum_cuda_plan_scratch(plan) <= BYTES);
    expect_launched(plan, NULL, &from, &to);
    const cumsum_plan_options options = {.numerics = *numerics};
    cumsum_plan *cpu;
    assert_int_equal(cumsum_plan_create(&desc, &options, &cpu, &why), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(cpu, in, bytes, in, bytes, &why), CUMSUM_OK);
    cumsum_plan_destroy(cpu);
    cumsum_cuda_plan_destroy(plan);
    for (uint32_t i = 0; i < lines; i++)
        for (uint32_t k = 0; k < length; k++) {
            const uint64_t place =
                (UINT64_C(1) * i * strides[2] + UINT64_C(1) * k * strides[3]) * size;
            if (memcmp(in + place, out + place, size) != 0)
                fail_msg("type %d, line %u, element %u differs", type, i, k);
        }
    cuMemFree_v2(from.address);
    cuMemFree_v2(to.address);
}

/* Lines for each of the kernels. */
static void test_far(void) {
    static const uint32_t rows[4] = {0, 0, UINT32_C(3) << 30, 1};
    static const uint32_t columns[4] = {0, 0, 3, 1000003}, interleaved[4] = {0, 0, 1000003, 1};
    static const cumsum_numerics orders[2] = {{.order = CUMSUM_ORDER_SEQUENTIAL},
                                              {.order = CUMSUM_ORDER_BLOCKED}};
    for (int order = 0; order < 2; order++) {
        expect_far(CUMSUM_DATA_TYPE_FLOAT32, 4, 2, 3000, rows, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT32, 4, 2, 700, rows, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT32, 4, 2, 17000, rows, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT16, 2, 2, 3000, rows, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_INT64, 8, 2, 3000, rows, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT32, 4, 3, 3000, columns, 3, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT32, 4, 2, 4, rows, 2, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT16, 2, 3000, 40, interleaved, 2, &orders[order]);
        expect_far(CUMSUM_DATA_TYPE_FLOAT16, 2, 40, 3000, columns, 2, &orders[order]);
    }
}

static void expect_refused(const cumsum_cuda_plan *plan, struct CUstream_st *stream,
                           const cumsum_cuda_memory *from, const cumsum_cuda_memory *to,
                           const cumsum_cuda_memory *room, cumsum_status status, const char *text) {
    const unsigned before = standin_cuda_control()->launches;
    assert_int_equal(cumsum_cuda_launch(plan, stream, from, to, room, &why), status);
    assert_contains(why.message, text);
    assert_int_equal(standin_cuda_control()->launches, before);
    assert_int_equal(standin_contexts(), 0);
}

/* What is CUDA's own: addresses, GPUs, streams. test_record has the rules that both libraries
 * share. */
static void test_refused(void) {
    cumsum_cuda_plan *plan = make_plan(&blocked);
    struct CUstream_st other_gpu = {.gpu = 1}, destroyed = {.gpu = -1};
    const cumsum_cuda_memory there = allocate(1, BYTES);
    const cumsum_cuda_memory null = {0, BYTES}, odd = {input.address + 2, BYTES},
                             unknown = {(uint64_t)(uintptr_t)numbers, BYTES},
                             near = {input.address + 4, BYTES},
                             odd_scratch = {scratch.address + 8, BYTES};
    const cumsum_status argument = CUMSUM_INVALID_ARGUMENT, binding = CUMSUM_INVALID_BINDING;
    expect_refused(NULL, NULL, &input, &output, &scratch, argument, "plan is NULL");
    expect_refused(plan, NULL, NULL, &output, &scratch, argument, "InputTensor is NULL");
    expect_refused(plan, NULL, &input, &null, &scratch, argument, "OutputTensor is NULL");
    expect_refused(plan, NULL, &input, &output, NULL, argument, "Scratch is NULL");
    expect_refused(plan, NULL, &input, &output, &null, argument, "Scratch is NULL");
    expect_refused(plan, NULL, &odd, &output, &scratch, binding, "multiple of the alignment");
    expect_refused(plan, NULL, &unknown, &output, &scratch, binding, "CUDA's memory.");
    expect_refused(plan, NULL, &input, &output, &unknown, binding, "CUDA's memory.");
    expect_refused(plan, NULL, &input, &there, &scratch, binding, "on the plan's GPU.");
    expect_refused(plan, NULL, &input, &output, &there, binding, "on the plan's GPU.");
    expect_refused(plan, NULL, &input, &near, &scratch, binding, "overlaps InputTensor's");
    expect_refused(plan, NULL, &input, &output, &output, binding, "overlaps Scratch's");
    expect_refused(plan, NULL, &input, &output, &odd_scratch, binding, "Scratch.address");
    expect_refused(plan, &other_gpu, &input, &output, &scratch, CUMSUM_DEVICE_FAILED,
                   "cuLaunchKernel: error 400, CUDA_ERROR_INVALID_HANDLE");
    expect_refused(plan, &destroyed, &input, &output, &scratch, CUMSUM_DEVICE_FAILED, "error 400");
    setenv("STANDIN_CUDA", "cuCtxPushCurrent_v2", 1);
    expect_refused(plan, NULL, &input, &output, &scratch, CUMSUM_DEVICE_FAILED, "cuCtxPushCurrent");
    setenv("STANDIN_CUDA", "cuPointerGetAttributes", 1);
    expect_refused(plan, NULL, &input, &output, &scratch, CUMSUM_DEVICE_FAILED,
                   "cuPointerGetAttributes");
    cumsum_cuda_plan_destroy(plan);
    cuMemFree_v2(there.address);
}

/* A plan of GPU 1 takes neither memory nor a stream of GPU 0, its own of both, and in-place sums.
 */
static void test_other_gpu(void) {
    struct CUstream_st its_own = {.gpu = 1}, of_gpu_0 = {.gpu = 0};
    const cumsum_cuda_memory there = allocate(1, BYTES), room = allocate(1, BYTES);
    cumsum_cuda_plan *plan;
    assert_int_equal(
        cumsum_cuda_plan_create(1, &desc, &blocked, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why),
        CUMSUM_OK);
    expect_refused(plan, &its_own, &input, &there, &room, CUMSUM_INVALID_BINDING, "plan's GPU");
    expect_refused(plan, &its_own, &there, &there, &scratch, CUMSUM_INVALID_BINDING, "plan's GPU");
    expect_refused(plan, &of_gpu_0, &there, &there, &room, CUMSUM_DEVICE_FAILED, "error 400");
    memcpy(host(there.address), numbers, BYTES);
    assert_int_equal(cumsum_cuda_launch(plan, &its_own, &there, &there, &room, &why), CUMSUM_OK);
    assert_memory_equal(host(there.address), expected, BYTES);
    cumsum_cuda_plan_destroy(plan);
    cuMemFree_v2(there.address);
    cuMemFree_v2(room.address);
}

/* The launch that loses the GPU reports it, every later call does, and nothing hangs. */
static void test_lost(void) {
    cumsum_cuda_plan *plan = make_plan(&blocked), *other;
    setenv("STANDIN_CUDA", "cuLaunchKernel", 1);
    for (int i = 0; i < 2; i++) {
        expect_refused(plan, NULL, &input, &output, &scratch, CUMSUM_DEVICE_REMOVED,
                       "error 700, CUDA_ERROR_ILLEGAL_ADDRESS");
        unsetenv("STANDIN_CUDA");
    }
    assert_int_equal(
        cumsum_cuda_plan_create(0, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &other, &why),
        CUMSUM_DEVICE_REMOVED);
    cumsum_cuda_plan_destroy(plan);
    *standin_cuda_control() = (standin_cuda){0};
}

/* A device that lost its GPU, or did not finish in time, tells every later call without a call of
 * CUDA's. */
static void test_lost_device(void) {
    static const struct {
        const char *failing;
        cumsum_status status;
        const char *text;
    } losses[] = {{"cuLaunchKernel", CUMSUM_DEVICE_REMOVED, "error 700"},
                  {"end", CUMSUM_DEVICE_TIMEOUT, "did not finish within 20 ms"}};
    static float sums[ELEMENTS];
    for (size_t i = 0; i < 2; i++) {
        const cumsum_d3d12_options options = {.timeout_in_ms = 20};
        cumsum_d3d12_device *device;
        assert_int_equal(cumsum_gpu_open(cumsum_cuda_drivers(), &options, &device, &why),
                         CUMSUM_OK);
        setenv("STANDIN_CUDA", losses[i].failing, 1);
        for (int call = 0; call < 3; call++) {
            assert_int_equal(cumsum_d3d12_execute(device, &desc, &blocked,
                                                  CUMSUM_FEATURE_LEVEL_DEFAULT, numbers, BYTES,
                                                  sums, BYTES, NULL, &why),
                             losses[i].status);
            assert_contains(why.message, losses[i].text);
            unsetenv("STANDIN_CUDA");
            *standin_cuda_control() = (standin_cuda){.only_launches = true};
        }
        assert_int_equal(standin_cuda_control()->launches, 0);
        assert_int_equal(standin_cuda_control()->others, 0);
        *standin_cuda_control() = (standin_cuda){0};
        cumsum_d3d12_close(device);
    }
}

/* The groups that take the tiles of LINES lines, by what variants.txt says of FLOAT32. */
static unsigned groups_of(const char *name, unsigned tiles) {
    static const struct {
        const char *names;
        unsigned lines, tiles;
    } taken[] = {{"ticket together", 1, 16},
                 {"tiles4 together4", 1, 4},
                 {"threads256", 1, 2},
                 {"across", 8, 1}};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strstr(taken[i].names, name))
            return (LINES + taken[i].lines - 1) / taken[i].lines *
                   ((tiles + taken[i].tiles - 1) / taken[i].tiles);
    return LINES * tiles;
}

/* Each variant of a single pass (bench/variants.txt) has the bits of the blocked order, and begins
 * as many groups as find tiles. Three kernels: one clears 1 word in 1024, one looks at 64 marks. */
static void test_groups_of_variants(void) {
    static variant variants[MOST_VARIANTS];
    static float sums[ELEMENTS];
    const gpu_driver *driver = *cumsum_cuda_drivers();
    const size_t count = variants_read(TEST_VARIANTS, &cumsum_ptx, variants);
    const unsigned tiles = (LENGTH + SCAN_TILE - 1) / SCAN_TILE;
    cumsum_problem problem;
    gpu_device *device;
    gpu_failure failure;
    assert_int_equal(cumsum_problem_init(&problem, &desc, CUMSUM_FEATURE_LEVEL_DEFAULT, &why),
                     CUMSUM_OK);
    assert_int_equal(driver->open(NULL, &device, &failure), GPU_OK);
    for (size_t i = 0; i < count; i++) {
        const gpu_scan_options options = {.bytecodes = &variants[i].bytecodes};
        gpu_scanner *scanner;
        assert_int_equal(cumsum_scanner_open(device, &options, &scanner, &failure), GPU_OK);
        standin_cuda_control()->groups = 0;
        assert_int_equal(
            cumsum_scan_run(scanner, &problem, &blocked, numbers, sums, NULL, &failure), GPU_OK);
        assert_memory_equal(sums, expected, BYTES);
        if (standin_cuda_control()->groups != 1 + groups_of(variants[i].name, tiles) + 1)
            fail_msg("%s begins %u groups", variants[i].name, standin_cuda_control()->groups);
        cumsum_scanner_close(scanner);
    }
    driver->close(device);
}

static void expect_no_plan(int gpu, cumsum_status status, const char *text) {
    cumsum_cuda_plan *plan = (cumsum_cuda_plan *)&plan;
    assert_int_equal(
        cumsum_cuda_plan_create(gpu, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why),
        status);
    assert_null(plan);
    assert_contains(why.message, text);
    assert_int_equal(standin_contexts(), 0);
}

static void test_no_plan(void) {
    static const struct {
        const char *call;
        cumsum_status status;
        const char *text;
    } failures[] = {{"gpus", CUMSUM_NO_DEVICE, "CUDA has no GPU"},
                    {"cuInit", CUMSUM_NO_DEVICE, "cuInit: error 1"},
                    {"cuDevicePrimaryCtxRetain", CUMSUM_DEVICE_FAILED, "Retain: error 1"},
                    {"cuModuleLoadData", CUMSUM_DEVICE_FAILED, "cuModuleLoadData: error 218"},
                    {"cuModuleGetFunction", CUMSUM_DEVICE_FAILED, "GetFunction: error 500"},
                    {"cuFuncGetAttribute", CUMSUM_DEVICE_FAILED, "cuFuncGetAttribute: error 1"}};
    expect_no_plan(2, CUMSUM_NO_DEVICE, "CUDA has no GPU number 2, only 2");
    expect_no_plan(-1, CUMSUM_NO_DEVICE, "no GPU number -1");
    assert_int_equal(
        cumsum_cuda_plan_create(0, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL, &why),
        CUMSUM_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        setenv("STANDIN_CUDA", failures[i].call, 1);
        expect_no_plan(0, failures[i].status, failures[i].text);
    }
}

/* Each allocation of the process fails once. A launch has none. */
static void test_no_memory(void) {
    size_t number = 0;
    while (failing_memory_next(&number)) {
        cumsum_cuda_plan *plan;
        const cumsum_status status =
            cumsum_cuda_plan_create(0, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
        assert_int_equal(status, failing_memory_failed() ? CUMSUM_OUT_OF_MEMORY : CUMSUM_OK);
        if (status == CUMSUM_OK) {
            failing_memory_at(1);
            expect_launched(plan, NULL, &input, &output);
            assert_false(failing_memory_failed());
        }
        cumsum_cuda_plan_destroy(plan);
    }
    assert_true(number > 1);
}

CHECK_GROUP_WITH(test_cuda, set_up, tear_down, T(test_launched), T(test_captured), T(test_threads),
                 T(test_odd_halves), T(test_far), T(test_refused), T(test_other_gpu), T(test_lost),
                 T(test_lost_device), T(test_groups_of_variants), T(test_no_plan),
                 T(test_no_memory));

int main(void) {
    return check_run(&test_cuda);
}
