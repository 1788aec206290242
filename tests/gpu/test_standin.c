/* SPDX-License-Identifier: MIT */
/*
 * The driver on a stand-in for WSL's Direct3D: its adapters, its submissions, and what happens when
 * each call fails. check_scans and test_gpu_driver have dispatches and transfers, on a device.
 */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "standin_control.h"
#include "test_device.h"

#define HARDWARE "Stand-in Hardware"

static const gpu_driver *driver;
static standin_control *control;
static gpu_device *device;
static gpu_buffer *buffer; /* of 64 bytes */
static gpu_failure why;

static const uint32_t bytecode[16] = {0x43425844};

static void expect_ok(gpu_status status) {
    test_device_expect_ok(status, &why);
}

static void set_up(void) {
    driver = &cumsum_wsl_driver;
    control = standin_get_control();
    *control = (standin_control){.adapters = 2};
    memset(&why, 0, sizeof why);
    expect_ok(driver->open(&(cumsum_d3d12_options){.timeout_in_ms = 50}, &device, &why));
    expect_ok(driver->buffer_open(device, 64, &buffer, &why));
}

/* Nothing leaks, and the stand-in saw no wrong call. */
static void tear_down(void) {
    driver->buffer_close(buffer);
    if (device)
        driver->close(device);
    device = NULL;
    if (control->complaint)
        printf("the stand-in complains of %s\n", control->complaint);
    assert_null(control->complaint);
    assert_int_equal(control->live_objects, 0);
}

static void test_info(void) {
    const cumsum_d3d12_device_info *info = &device->info;
    assert_string_equal(info->adapter.name, HARDWARE);
    assert_true(info->native_16bit_shader_ops);
    assert_true(info->int64_shader_ops);
    assert_int_equal(info->wave_lanes_min, 32);
    assert_int_equal(info->wave_lanes_max, 64);
    assert_int_equal(info->shader_model, 0x65);
    assert_int_equal(info->timestamp_ticks_per_second, 5000000);
    assert_int_equal(info->max_buffer_in_bytes, 4 << 27);
    assert_int_equal(control->level, 0xB000); /* feature level 11_0 */
}

static void test_chosen_adapter(void) {
    gpu_device *other;
    const void *hardware = control->adapter;
    expect_ok(driver->open(&(cumsum_d3d12_options){.adapter = "#1"}, &other, &why));
    assert_string_equal(other->info.adapter.name, "Stand-in Software");
    assert_ptr_not_equal(control->adapter, hardware);
    driver->close(other);
    assert_int_equal(driver->open(&(cumsum_d3d12_options){.adapter = "#2"}, &other, &why),
                     GPU_UNAVAILABLE);
}

/* An operator's uploads and its work are one submission, and its downloads another one. Copies that
 * wait for a buffer that is closed are left out. */
static void test_submissions_of_an_operator(void) {
    const uint32_t words[4] = {1, 2, 3, 4};
    uint32_t back[4] = {0};
    const gpu_part parts[] = {
        {4, back, 4}, {64, back + 1, 0}, {60, back + 1, 4}, {64, back + 2, 8}};
    gpu_buffer *one, *two;
    expect_ok(driver->buffer_open(device, 128, &one, &why));
    expect_ok(driver->buffer_open(device, 128, &two, &why));
    expect_ok(driver->upload(device, buffer, 0, words, 16, &why));
    const int executions = (int)control->executions;
    expect_ok(driver->upload(device, buffer, 16, words, 16, &why));
    driver->buffer_close(buffer);
    buffer = NULL;
    expect_ok(driver->fill(device, two, 0, 128, 7, &why));
    expect_ok(driver->upload(device, one, 0, words, 16, &why));
    gpu_command copy = {.type = GPU_COPY, .source = {one, 4}, .target = {two, 64}, .bytes = 8};
    assert_int_equal(control->executions, executions);
    expect_ok(driver->submit(device, &copy, 1, NULL, &why));
    assert_int_equal(control->executions, executions + 1);
    expect_ok(driver->download(device, two, parts, 4, &why));
    assert_int_equal(control->executions, executions + 2);
    assert_true(back[0] == 7 && back[1] == 7 && back[2] == 2 && back[3] == 3);
    driver->buffer_close(one);
    driver->buffer_close(two);
}

/* The upload waits for the submission, which has nothing else to do. */
static gpu_status upload_to(gpu_device *opened, gpu_buffer *to) {
    const uint32_t word = 1;
    const gpu_status status = driver->upload(opened, to, 0, &word, sizeof word, &why);
    return status == GPU_OK ? driver->submit(opened, NULL, 0, NULL, &why) : status;
}

/* What is done while a call fails. Nothing is made then. */

static gpu_status upload_word(void) {
    return upload_to(device, buffer);
}

static gpu_status open_device(void) {
    gpu_device *made = device;
    const gpu_status status = driver->open(NULL, &made, &why);
    if (made)
        driver->close(made);
    return made ? GPU_OK : status;
}

static gpu_status make_buffer(void) {
    gpu_buffer *made = buffer;
    const gpu_status status = driver->buffer_open(device, 64, &made, &why);
    driver->buffer_close(made);
    return made ? GPU_OK : status;
}

static gpu_status make_shader(void) {
    gpu_shader *made = (gpu_shader *)&why;
    const gpu_status status = driver->shader_open(device, bytecode, sizeof bytecode, &made, &why);
    if (made)
        driver->shader_close(made);
    return made ? GPU_OK : status;
}

static void expect_call_to_fail(gpu_status (*work)(void), const char *call, uint32_t result,
                                gpu_status status, const char *words) {
    const int alive = control->live_objects;
    control->failing_call = call;
    control->failing_result = (int32_t)result;
    expect_failure(work(), status, words);
    assert_int_equal(why.hresult, control->failing_result);
    control->failing_call = NULL;
    control->complaint = NULL; /* of resetting a list whose Close failed */
    expect_ok(upload_word());  /* the device still works */
    assert_int_equal(control->live_objects, alive);
}

static void test_failing_calls(void) {
    static const char *const working[] = {"ResetAllocator", "Reset", "Close", "Signal"};
    expect_ok(upload_word());
    expect_call_to_fail(open_device, "CreateDevice", 0x80004005, GPU_REJECTED, "0x80004005");
    for (size_t i = 0; i < sizeof working / sizeof working[0]; i++)
        expect_call_to_fail(upload_word, working[i], 0x80004005, GPU_REJECTED, "0x80004005");
    expect_call_to_fail(make_shader, "CreateComputePipelineState", 0x80070057, GPU_REJECTED,
                        "CreateComputePipelineState returned 0x80070057");
    expect_call_to_fail(make_buffer, "CreateCommittedResource", 0x8007000E, GPU_OUT_OF_MEMORY,
                        "64 bytes");
    assert_int_equal(driver->buffer_open(device, (uint64_t)1 << 40, &(gpu_buffer *){0}, &why),
                     GPU_OUT_OF_MEMORY);
}

static gpu_status transfer(void) {
    return driver->upload(device, buffer, 0, bytecode, 4, &why);
}

static gpu_status download(void) {
    uint32_t word;
    return driver->download(device, buffer, &(gpu_part){0, &word, 4}, 1, &why);
}

static gpu_status fill(void) {
    return driver->fill(device, buffer, 0, 4, 0, &why);
}

static gpu_status submit(void) {
    return driver->submit(device, &(gpu_command){.type = GPU_COPY}, 1, NULL, &why);
}

/* Every call on a lost device returns the failure with which it was lost. */
static void expect_lost(gpu_status status, const char *words) {
    gpu_status (*const calls[])(void) = {submit,   make_buffer, make_shader,
                                         transfer, download,    fill};
    const int executions = (int)control->executions;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        why = (gpu_failure){0};
        expect_failure(calls[i](), status, words);
    }
    assert_int_equal(control->executions, executions);
}

/* A removal is seen at the fence, afterwards (a device may be removed although it was signalled),
 * or by a call. */
static void test_removal(void) {
    static const struct {
        gpu_status (*work)(void);
        bool at_the_fence;
        uint32_t reason;
        const char *words;
    } removals[] = {{upload_word, true, 0x887A0006, "DXGI_ERROR_DEVICE_HUNG"},
                    {upload_word, true, 0x887A00FF, "0x887a00ff, an unknown reason"},
                    {upload_word, false, 0x887A0020, "DXGI_ERROR_DRIVER_INTERNAL_ERROR"},
                    {make_buffer, false, 0x887A0005, "DXGI_ERROR_DEVICE_REMOVED"}};
    for (size_t i = 0; i < sizeof removals / sizeof removals[0]; i++) {
        control->fence_removed = removals[i].at_the_fence;
        control->removed_reason = control->failing_result = (int32_t)removals[i].reason;
        control->failing_call = "CreateCommittedResource";
        if (removals[i].work == upload_word)
            control->failing_call = NULL;
        expect_failure(removals[i].work(), GPU_DEVICE_REMOVED, removals[i].words);
        assert_int_equal(why.hresult, control->removed_reason);
        expect_lost(GPU_DEVICE_REMOVED, removals[i].words);
        tear_down();
        set_up();
    }
}

/* After a timeout the GPU may still be writing: nothing that it could use is freed. */
static void test_timeout(void) {
    expect_ok(upload_word());
    const int adapters = 2; /* objects of the host, which are freed */
    const int used = control->live_objects - adapters;
    control->fence_stays = true;
    expect_failure(upload_word(), GPU_TIMEOUT, "50 ms");
    expect_lost(GPU_TIMEOUT, "50 ms");
    driver->buffer_close(buffer);
    driver->close(device);
    buffer = NULL;
    device = NULL;
    assert_int_equal(control->live_objects, used);
    control->live_objects = 0;
}

static void test_debug_layer(void) {
    const cumsum_d3d12_options layer = {.debug_layer = true};
    gpu_device *other;
    gpu_buffer *to;
    expect_ok(driver->open(&layer, &other, &why));
    assert_true(control->debug_layer);
    expect_ok(driver->buffer_open(other, 64, &to, &why));
    expect_ok(upload_to(other, to));
    control->message = "a wrong state, and the message cannot be had";
    control->failing_call = "GetMessage";
    control->failing_result = (int32_t)0x80004005;
    expect_ok(upload_to(other, to));
    control->failing_call = NULL;
    control->message = "a wrong state";
    expect_failure(upload_to(other, to), GPU_REJECTED, "the debug layer: a wrong state");
    expect_ok(upload_to(other, to));
    driver->buffer_close(to);
    driver->close(other);
    control->no_debug_layer = true;
    assert_int_equal(driver->open(&layer, &other, &why), GPU_UNAVAILABLE);
    assert_null(other);
}

/* A device without graphics is opened at its own feature level, an old one knows no shader model;
 * there may be no adapter, and no list of them. */
static void test_kinds_of_adapters(void) {
    gpu_device *other;
    size_t count;
    control->lowest_level = 0x1000;
    control->old_runtime = true;
    expect_ok(driver->open(NULL, &other, &why));
    assert_int_equal(control->level, 0x1000);
    assert_int_equal(other->info.shader_model, 0x51);
    driver->close(other);
    control->adapters = 0;
    expect_failure(driver->adapters(NULL, 0, &count, &why), GPU_UNAVAILABLE, "no adapter");
    control->failing_call = "CreateAdapterFactory";
    control->failing_result = (int32_t)0x80004005;
    expect_failure(driver->adapters(NULL, 0, &count, &why), GPU_UNAVAILABLE, "0x80004005");
}

CHECK_GROUP_WITH(test_standin, set_up, tear_down, T(test_info), T(test_chosen_adapter),
                 T(test_submissions_of_an_operator), T(test_failing_calls), T(test_removal),
                 T(test_timeout), T(test_debug_layer), T(test_kinds_of_adapters));
