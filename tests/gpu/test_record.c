/* SPDX-License-Identifier: MIT */
/*
 * Recording into a caller's command list, on stand-ins for the libraries of Direct3D: what is
 * recorded, every refusal, and what is freed.
 */
#include <stdio.h>
#include <string.h>

#include <cumsum/d3d12.h>

#include "check.h"
#include "failing_memory.h"
#include "standin_control.h"
#include "test_device.h"

enum {
    DIRECT = 0, /* D3D12_COMMAND_LIST_TYPE */
    BUNDLE = 1,
    COMPUTE = 2,
    COPY = 3,
    BUFFER = 1,   /* D3D12_RESOURCE_DIMENSION */
    TEXTURE = 3,  /* two-dimensional */
    UNORDERED = 4 /* D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS */
};

static standin_control *control;
static const standin_maker *maker;
static cumsum_diagnostic why;
static struct ID3D12Device *device;
static struct ID3D12GraphicsCommandList *list;
static struct ID3D12Resource *one;
static struct ID3D12Resource *two;

/* A FLOAT32 tensor of lines of 20,000 elements, which take several dispatches. */
enum {
    LINES = 3,
    LENGTH = 20000,
    BYTES = LINES * LENGTH * 4,
    RESOURCE = 4096 + 2 * BYTES
};
static const uint32_t sizes[4] = {1, 1, LINES, LENGTH};
static cumsum_buffer_tensor_desc buffer;
static cumsum_tensor_desc tensor;
static cumsum_operator_desc desc;

static void set_up(void) {
    control = standin_get_control();
    maker = standin_get_maker();
    *control = (standin_control){.adapters = 2};
    memset(&why, 0, sizeof why);
    buffer = (cumsum_buffer_tensor_desc){.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                         .dimension_count = 4,
                                         .sizes = sizes,
                                         .total_tensor_size_in_bytes = BYTES};
    tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    desc = (cumsum_operator_desc){&tensor, &tensor, 3, CUMSUM_AXIS_DIRECTION_INCREASING, 0};
    device = maker->device();
    list = maker->list(COMPUTE);
    one = maker->buffer(RESOURCE, BUFFER, UNORDERED);
    two = maker->buffer(RESOURCE, BUFFER, UNORDERED);
}

/* Nothing leaks, and the stand-in saw no wrong call. */
static void tear_down(void) {
    maker->release(two);
    maker->release(one);
    maker->release(list);
    maker->release(device);
    if (control->complaint)
        printf("the stand-in complains of %s\n", control->complaint);
    assert_null(control->complaint);
    assert_int_equal(control->live_objects, 0);
}

static cumsum_d3d12_plan *make_plan(void) {
    cumsum_d3d12_plan *plan = NULL;
    const cumsum_status status =
        cumsum_d3d12_plan_create(device, &desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
    if (status != CUMSUM_OK)
        fail_msg("%s", why.message);
    return plan;
}

/* Each dispatch has a barrier before it. Offsets are split between the address and the constants,
 * of which the first two are the tensors' places. */
static void test_recorded(void) {
    cumsum_d3d12_plan *plan = make_plan();
    const uint64_t scratch_bytes = cumsum_d3d12_plan_scratch(plan);
    assert_true(scratch_bytes >= LINES * 4 && scratch_bytes < BYTES);
    const cumsum_d3d12_buffer input = {one, 256 + 48, BYTES};
    const cumsum_d3d12_buffer output = {two, 16, BYTES};
    const cumsum_d3d12_buffer scratch = {one, (RESOURCE - scratch_bytes) / 256 * 256,
                                         scratch_bytes};
    assert_int_equal(cumsum_d3d12_record(plan, list, &input, &output, &scratch, &why), CUMSUM_OK);
    assert_true(control->dispatch_count >= 2);
    assert_int_equal(control->barriers, control->dispatch_count);
    const standin_dispatch *d = control->dispatches;
    assert_ptr_equal(d->bound[0], maker->memory(one) + 256);
    assert_ptr_equal(d->bound[1], maker->memory(two));
    assert_ptr_equal(d->bound[2], maker->memory(one) + scratch.offset_in_bytes);
    assert_int_equal(d->constants[0], 48 / 4);
    assert_int_equal(d->constants[1], 16 / 4);
    assert_int_equal(control->executions, 0);
    cumsum_d3d12_plan_destroy(plan);
}

/* In place the input's slot has the output. */
static void test_in_place(void) {
    cumsum_d3d12_plan *plan = make_plan();
    const cumsum_d3d12_buffer both = {one, 512, BYTES};
    const cumsum_d3d12_buffer scratch = {two, 256, cumsum_d3d12_plan_scratch(plan)};
    maker->release(list);
    list = maker->list(DIRECT);
    assert_int_equal(cumsum_d3d12_record(plan, list, &both, &both, &scratch, NULL), CUMSUM_OK);
    assert_ptr_equal(control->dispatches->bound[0], maker->memory(one) + 512);
    assert_ptr_equal(control->dispatches->bound[1], maker->memory(one) + 512);
    cumsum_d3d12_plan_destroy(plan);
}

/* Short lines take one dispatch and no scratch memory; its slot then has the output. */
static void test_no_scratch(void) {
    static const uint32_t short_lines[4] = {1, 1, LINES * 20, LENGTH / 20};
    static const cumsum_order orders[] = {CUMSUM_ORDER_SEQUENTIAL, CUMSUM_ORDER_BLOCKED};
    const cumsum_d3d12_buffer both = {one, 0, BYTES};
    buffer.sizes = short_lines;
    for (int i = 0; i < 2; i++) {
        const cumsum_numerics numerics = {.order = orders[i]};
        cumsum_d3d12_plan *plan = NULL;
        assert_int_equal(cumsum_d3d12_plan_create(device, &desc, &numerics,
                                                  CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why),
                         CUMSUM_OK);
        assert_int_equal(cumsum_d3d12_plan_scratch(plan), 0);
        assert_int_equal(cumsum_d3d12_record(plan, list, &both, &both, NULL, &why), CUMSUM_OK);
        assert_int_equal(control->dispatch_count, i + 1);
        assert_ptr_equal(control->dispatches[i].bound[2], maker->memory(one));
        cumsum_d3d12_plan_destroy(plan);
    }
}

static void test_null_pointers(void) {
    cumsum_d3d12_plan *plan = make_plan();
    const cumsum_d3d12_buffer whole = {one, 0, BYTES};
    const cumsum_d3d12_buffer scratch = {two, 0, cumsum_d3d12_plan_scratch(plan)};
    const cumsum_d3d12_buffer none = {NULL, 0, BYTES};
    const struct {
        const cumsum_d3d12_plan *plan;
        struct ID3D12GraphicsCommandList *list;
        const cumsum_d3d12_buffer *input, *output, *scratch;
        const char *words;
    } calls[] = {{NULL, list, &whole, &whole, &scratch, "plan"},
                 {plan, NULL, &whole, &whole, &scratch, "command_list"},
                 {plan, list, NULL, &whole, &scratch, "InputTensor"},
                 {plan, list, &none, &whole, &scratch, "InputTensor"},
                 {plan, list, &whole, NULL, &scratch, "OutputTensor"},
                 {plan, list, &whole, &whole, NULL, "Scratch"}};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        assert_int_equal(cumsum_d3d12_record(calls[i].plan, calls[i].list, calls[i].input,
                                             calls[i].output, calls[i].scratch, &why),
                         CUMSUM_INVALID_ARGUMENT);
        assert_contains(why.message, calls[i].words);
    }
    cumsum_d3d12_plan *other = plan;
    const cumsum_feature_level level = CUMSUM_FEATURE_LEVEL_DEFAULT;
    assert_int_equal(cumsum_d3d12_plan_create(NULL, &desc, NULL, level, &other, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_null(other);
    assert_int_equal(cumsum_d3d12_plan_create(device, &desc, NULL, level, NULL, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_d3d12_plan_create(device, NULL, NULL, level, &other, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_d3d12_plan_scratch(NULL), 0);
    cumsum_d3d12_plan_destroy(NULL);
    assert_int_equal(control->dispatch_count, 0);
    cumsum_d3d12_plan_destroy(plan);
}

static void test_wrong_bindings(void) {
    cumsum_d3d12_plan *plan = make_plan();
    const uint64_t needed = cumsum_d3d12_plan_scratch(plan);
    struct ID3D12Resource *texture = maker->buffer(RESOURCE, TEXTURE, UNORDERED);
    struct ID3D12Resource *ordered = maker->buffer(RESOURCE, BUFFER, 0);
    enum {
        INPUT,
        OUTPUT,
        SCRATCH
    };
    const struct {
        int place; /* of a buffer beside two that are right */
        cumsum_d3d12_buffer buffer;
        const char *message;
    } calls[] = {
        {INPUT,
         {one, 0, BYTES - 1},
         "InputTensor.size_in_bytes is 239999, but it must be at least what the plan needs, here "
         "240000."},
        {OUTPUT,
         {two, 0, BYTES - 4},
         "OutputTensor.size_in_bytes is 239996, but it must be at least what the plan needs, here "
         "240000."},
        {SCRATCH,
         {two, 245760, needed - 1},
         "Scratch.size_in_bytes is 36095, but it must be at least what the plan needs, here "
         "36096."},
        {INPUT,
         {one, 8, BYTES},
         "InputTensor.offset_in_bytes is 8, but it must be a multiple of the alignment, here 16."},
        {OUTPUT,
         {two, 20, BYTES},
         "OutputTensor.offset_in_bytes is 20, but it must be a multiple of the alignment, here "
         "16."},
        {SCRATCH,
         {two, 245760 + 128, needed},
         "Scratch.offset_in_bytes is 245888, but it must be a multiple of the alignment, here "
         "256."},
        {INPUT,
         {one, RESOURCE / 2, BYTES + 4096},
         "InputTensor.size_in_bytes is 244096, but it must not reach past the end of the resource, "
         "here 242048."},
        {OUTPUT,
         {two, RESOURCE + 256, BYTES},
         "OutputTensor.size_in_bytes is 240000, but it must not reach past the end of the "
         "resource, here 0."},
        {INPUT,
         {one, 0, UINT64_MAX},
         "InputTensor.size_in_bytes is 18446744073709551615, but it must not reach past the end of "
         "the resource, here 484096."},
        {INPUT,
         {texture, 0, BYTES},
         "InputTensor.resource is unusable, but it must be a buffer made with "
         "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS."},
        {OUTPUT,
         {ordered, 0, BYTES},
         "OutputTensor.resource is unusable, but it must be a buffer made with "
         "D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS."},
        {OUTPUT,
         {one, 16, BYTES},
         "OutputTensor.offset_in_bytes is 16, but it must not lie in memory that overlaps "
         "InputTensor's, except in place with the same strides and total size, here 0."},
        {SCRATCH,
         {two, 239872, needed + 128},
         "OutputTensor.offset_in_bytes is 0, but it must not lie in memory that overlaps "
         "Scratch's, here 239872."},
        {SCRATCH,
         {one, 0, needed},
         "InputTensor.offset_in_bytes is 0, but it must not lie in memory that overlaps "
         "Scratch's, here 0."}};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        cumsum_d3d12_buffer b[] = {{one, 0, BYTES}, {two, 0, BYTES}, {two, 245760, needed}};
        b[calls[i].place] = calls[i].buffer;
        assert_int_equal(cumsum_d3d12_record(plan, list, &b[INPUT], &b[OUTPUT], &b[SCRATCH], &why),
                         CUMSUM_INVALID_BINDING);
        assert_string_equal(why.message, calls[i].message);
    }
    assert_int_equal(control->dispatch_count, 0);
    assert_int_equal(control->barriers, 0);
    maker->release(texture);
    maker->release(ordered);
    cumsum_d3d12_plan_destroy(plan);
}

static void test_wrong_list(void) {
    static const uint32_t types[] = {BUNDLE, COPY};
    cumsum_d3d12_plan *plan = make_plan();
    const cumsum_d3d12_buffer both = {one, 0, BYTES};
    const cumsum_d3d12_buffer scratch = {two, 0, cumsum_d3d12_plan_scratch(plan)};
    for (int i = 0; i < 2; i++) {
        maker->release(list);
        list = maker->list(types[i]);
        assert_int_equal(cumsum_d3d12_record(plan, list, &both, &both, &scratch, &why),
                         CUMSUM_DEVICE_FAILED);
        assert_contains(why.message, "neither DIRECT nor COMPUTE");
    }
    assert_int_equal(control->dispatch_count, 0);
    cumsum_d3d12_plan_destroy(plan);
}

static void expect_no_plan(const cumsum_numerics *numerics, cumsum_status status,
                           const char *words) {
    cumsum_d3d12_plan *plan = (cumsum_d3d12_plan *)&why;
    const int alive = control->live_objects;
    expect_failure(cumsum_d3d12_plan_create(device, &desc, numerics, CUMSUM_FEATURE_LEVEL_DEFAULT,
                                            &plan, &why),
                   status, words);
    assert_null(plan);
    assert_int_equal(control->live_objects, alive);
}

/* What a recording cannot do; and failures of Direct3D. */
static void test_refused_plans(void) {
    static const uint32_t large[4] = {1, 1, 1, (UINT32_C(1) << 27) - 63};
    static const uint32_t many[4] = {1, 1, 70000, 3};
    static const uint32_t colliding[4] = {0, 0, 2, 70000};
    expect_no_plan(&(cumsum_numerics){.order = CUMSUM_ORDER_EXACT}, CUMSUM_UNSUPPORTED, "CPU");
    expect_no_plan(&(cumsum_numerics){.order = (cumsum_order)9}, CUMSUM_INVALID_ARGUMENT, "order");
    buffer.total_tensor_size_in_bytes--;
    expect_no_plan(NULL, CUMSUM_INVALID_DESCRIPTOR, "TotalTensorSizeInBytes");
    buffer.sizes = large;
    buffer.total_tensor_size_in_bytes = UINT64_C(4) * large[3];
    expect_no_plan(NULL, CUMSUM_UNSUPPORTED,
                   "InputTensor.SizeInBytes is 536870660, but it must be at most what a shader can "
                   "access, here 536870656.");
    buffer.sizes = many;
    buffer.strides = colliding;
    buffer.total_tensor_size_in_bytes = UINT64_C(4) * 279999;
    expect_no_plan(NULL, CUMSUM_UNSUPPORTED,
                   "OutputTensor.Strides is such that elements overlap, but a plan has at most "
                   "65536 dispatches (kernels), ");
    buffer.sizes = sizes;
    buffer.strides = NULL;
    buffer.total_tensor_size_in_bytes = BYTES;
    control->failing_result = (int32_t)0x80004005;
    control->failing_call = "CreateRootSignature";
    expect_no_plan(NULL, CUMSUM_DEVICE_FAILED, "CreateRootSignature returned 0x80004005");
    control->failing_call = "CreateComputePipelineState";
    expect_no_plan(NULL, CUMSUM_DEVICE_FAILED, "CreateComputePipelineState returned 0x80004005");
    control->removed_reason = (int32_t)0x887A0006;
    expect_no_plan(NULL, CUMSUM_DEVICE_REMOVED, "DXGI_ERROR_DEVICE_HUNG");
}

/* A device of a library that is not known: its methods are this program's. */
static void test_unknown_library(void) {
    static void *methods[64];
    void **object = methods;
    cumsum_d3d12_plan *plan;
    methods[0] = methods;
    assert_int_equal(cumsum_d3d12_plan_create((struct ID3D12Device *)&object, &desc, NULL,
                                              CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why),
                     CUMSUM_NO_DEVICE);
    assert_contains(why.message, "no Direct3D 12 that this build knows");
}

/* Each allocation of the process fails once. Nothing leaks, and nothing is recorded. */
static void test_no_memory(void) {
    const cumsum_d3d12_buffer both = {one, 0, BYTES};
    const int alive = control->live_objects;
    size_t number = 0;
    while (failing_memory_next(&number)) {
        cumsum_d3d12_plan *plan = NULL;
        const uint32_t dispatches = control->dispatch_count;
        cumsum_status status = cumsum_d3d12_plan_create(device, &desc, NULL,
                                                        CUMSUM_FEATURE_LEVEL_DEFAULT, &plan, &why);
        const cumsum_d3d12_buffer scratch = {two, 0, cumsum_d3d12_plan_scratch(plan)};
        if (status == CUMSUM_OK)
            status = cumsum_d3d12_record(plan, list, &both, &both, &scratch, &why);
        cumsum_d3d12_plan_destroy(plan);
        assert_int_equal(status, failing_memory_failed() ? CUMSUM_OUT_OF_MEMORY : CUMSUM_OK);
        assert_int_equal(control->dispatch_count > dispatches, status == CUMSUM_OK);
        assert_int_equal(control->live_objects, alive);
    }
}

CHECK_GROUP_WITH(test_record, set_up, tear_down, T(test_recorded), T(test_in_place),
                 T(test_no_scratch), T(test_null_pointers), T(test_wrong_bindings),
                 T(test_wrong_list), T(test_refused_plans), T(test_unknown_library),
                 T(test_no_memory));
