/* SPDX-License-Identifier: MIT */
/* The functions of cumsum/d3d12.h on a stand-in for Direct3D: results, and the status and message
 * of every failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_device.h"
#include "check.h"
#include "failing_memory.h"
#include "gpu_measure.h"
#include "standin_control.h"
#include "test_device.h"

static standin_control *control;
static const gpu_driver *drivers[2]; /* WSL's, without those of real devices */
static cumsum_diagnostic why;

static void set_up(void) {
    control = standin_get_control();
    *control = (standin_control){.adapters = 2};
    drivers[0] = &cumsum_wsl_driver;
    memset(&why, 0, sizeof why);
}

static void tear_down(void) {
    assert_null(control->complaint);
    assert_int_equal(control->live_objects, 0);
}

static cumsum_d3d12_device *open_device(void) {
    cumsum_d3d12_device *device = NULL;
    assert_int_equal(cumsum_gpu_open(drivers, NULL, &device, &why), CUMSUM_OK);
    assert_non_null(device);
    control->executions = 0; /* without those of opening the device */
    return device;
}

static void test_adapters(void) {
    cumsum_d3d12_adapter list[3];
    size_t count = 0;
    memset(list, 0xEE, sizeof list);
    assert_int_equal(cumsum_gpu_list(drivers, list, 3, &count, &why), CUMSUM_OK);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].name, "Stand-in Hardware");
    assert_string_equal(list[0].driver, "31.15.21.41651");
    assert_int_equal(list[0].vendor_id, 0x10DE);
    assert_int_equal(list[0].device_id, 0x2204);
    assert_true(list[0].dedicated_memory_in_bytes == (uint64_t)8 << 30);
    assert_false(list[0].software);
    assert_string_equal(list[1].name, "Stand-in Software");
    assert_true(list[1].software);
    assert_int_equal((unsigned char)list[2].name[0], 0xEE);
    memset(list, 0xEE, sizeof list);
    assert_int_equal(cumsum_gpu_list(drivers, list, 1, &count, NULL), CUMSUM_OK);
    assert_int_equal((unsigned char)list[1].name[0], 0xEE);
    assert_int_equal(count, 2);
    assert_int_equal(cumsum_gpu_list(drivers, NULL, 0, &count, NULL), CUMSUM_OK);
    assert_int_equal(count, 2);
    expect_failure(cumsum_gpu_list(drivers, NULL, 1, &count, &why), CUMSUM_INVALID_ARGUMENT,
                   "adapters");
    expect_failure(cumsum_d3d12_adapters(list, 2, NULL, &why), CUMSUM_INVALID_ARGUMENT, "count");
}

/* The first driver with an adapter is used. If none has one, the message has each driver's reason.
 */
static void test_drivers_in_turn(void) {
    const gpu_driver *const both[] = {drivers[0], drivers[0], NULL};
    cumsum_d3d12_device *device = (cumsum_d3d12_device *)&why;
    size_t count = 7;
    control->adapters = 0;
    assert_int_equal(cumsum_gpu_list(both, NULL, 0, &count, &why), CUMSUM_NO_DEVICE);
    assert_string_equal(why.message, "no device: libdxcore.so lists no adapter; "
                                     "libdxcore.so lists no adapter");
    assert_int_equal(cumsum_gpu_open(both, NULL, &device, &why), CUMSUM_NO_DEVICE);
    assert_null(device);
}

static void test_options(void) {
    const cumsum_d3d12_options options = {
        .adapter = "SOFT", .debug_layer = true, .timeout_in_ms = 11};
    cumsum_d3d12_device *device;
    assert_int_equal(cumsum_gpu_open(drivers, &options, &device, NULL), CUMSUM_OK);
    assert_string_equal(cumsum_d3d12_info(device)->adapter.name, "Stand-in Software");
    assert_true(control->debug_layer);
    assert_int_equal(device->gpu->timeout_ms, 11);
    cumsum_d3d12_close(device);
    assert_int_equal(cumsum_d3d12_open(&options, NULL, &why), CUMSUM_INVALID_ARGUMENT);
    assert_null(cumsum_d3d12_info(NULL));
    cumsum_d3d12_close(NULL);
}

/* The statuses of opening. test_directml and test_cuda have devices that are late, and guards. */
static void test_failures_to_open(void) {
    static const struct {
        const char *call;
        uint32_t result;
        cumsum_status status;
        const char *words;
    } failures[] = {
        {"CreateCommittedResource", 0x8007000E, CUMSUM_OUT_OF_MEMORY, "out of memory: creating"},
        {"CreateFence", 0x887A0005, CUMSUM_DEVICE_REMOVED, "device removed: the device was"},
        {"CreateFence", 0x80004005, CUMSUM_DEVICE_FAILED, "device failed: CreateFence returned"}};
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        cumsum_d3d12_device *device = (cumsum_d3d12_device *)&why;
        control->failing_call = failures[i].call;
        control->failing_result = (int32_t)failures[i].result;
        assert_int_equal(cumsum_gpu_open(drivers, NULL, &device, NULL), failures[i].status);
        expect_failure(cumsum_gpu_open(drivers, NULL, &device, &why), failures[i].status,
                       failures[i].words);
        assert_null(device);
        assert_int_equal(why.status, failures[i].status);
        assert_int_equal(why.value, failures[i].result);
    }
}

enum {
    ANSWERS = 10
};

/* A sum of 2 x 3 elements. */
typedef struct sum {
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc desc;
    uint32_t input[6];
    uint32_t output[6];
} sum;

static void sum_begin(sum *s, cumsum_data_type type) {
    static const uint32_t sizes[] = {2, 3};
    *s = (sum){.buffer = {.data_type = type,
                          .dimension_count = 2,
                          .sizes = sizes,
                          .total_tensor_size_in_bytes = sizeof s->input}};
    s->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &s->buffer};
    s->desc =
        (cumsum_operator_desc){.input_tensor = &s->tensor, .output_tensor = &s->tensor, .axis = 1};
}

static cumsum_d3d12_timing timing; /* of the last execution */

static cumsum_status execute(cumsum_d3d12_device *device, sum *s, const cumsum_numerics *numerics) {
    memset(&why, 0, sizeof why);
    return cumsum_d3d12_execute(device, &s->desc, numerics, CUMSUM_FEATURE_LEVEL_DEFAULT, s->input,
                                sizeof s->input, s->output, sizeof s->output, &timing, &why);
}

static void test_arguments(void) {
    cumsum_d3d12_device *device = open_device();
    sum s;
    sum_begin(&s, CUMSUM_DATA_TYPE_FLOAT32);
    expect_failure(execute(NULL, &s, NULL), CUMSUM_INVALID_ARGUMENT, "device");
    expect_failure(execute(device, &s, &(cumsum_numerics){.order = (cumsum_order)3}),
                   CUMSUM_INVALID_ARGUMENT, "order");
    s.desc.axis = 2;
    assert_int_equal(execute(device, &s, NULL), CUMSUM_INVALID_DESCRIPTOR);
    s.desc.axis = 1;
    assert_int_equal(cumsum_d3d12_execute(device, &s.desc, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT,
                                          s.input, 20, s.output, 24, NULL, &why),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(cumsum_d3d12_execute(device, NULL, NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, s.input,
                                          24, s.output, 24, NULL, &why),
                     CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(control->executions, 0);
    cumsum_d3d12_close(device);
}

/* FLOAT32 scans flush if that is asked for, whatever the device does; integer scans do not. This
 * one answers zeros. */
static void test_flushing(void) {
    const uint32_t flag = 0x40; /* SCAN_FLAG_FLUSH among the constants of a dispatch */
    static const uint32_t zeros[ANSWERS];
    control->answers = zeros;
    control->answer_bytes = sizeof zeros;
    cumsum_d3d12_device *device = open_device();
    sum s;
    assert_true(cumsum_d3d12_info(device)->flushes_float32_subnormals);
    assert_int_equal(cumsum_d3d12_info(device)->half_conversion, CUMSUM_D3D12_HALF_OTHER);
    for (int flush = 0; flush < 2; flush++) {
        const cumsum_numerics numerics = {.denormals = (cumsum_denormals)flush};
        for (int integers = 0; integers < 2; integers++) {
            sum_begin(&s, integers ? CUMSUM_DATA_TYPE_INT32 : CUMSUM_DATA_TYPE_FLOAT32);
            control->dispatch_count = 0;
            assert_int_equal(execute(device, &s, &numerics), CUMSUM_OK);
            assert_int_equal(control->dispatches[0].constants[6] & flag,
                             flush && !integers ? flag : 0);
        }
    }
    cumsum_d3d12_close(device);
}

/* A device that fails while it is opened, or its properties are measured, is not returned. */
static void test_failures_while_opened(void) {
    cumsum_status status = CUMSUM_DEVICE_FAILED;
    control->failing_result = (int32_t)0x80004005;
    control->failing_once = true;
    control->failing_from = 1; /* CreateDevice is tried twice, and test_standin has it */
    while (status != CUMSUM_OK) {
        cumsum_d3d12_device *device = (cumsum_d3d12_device *)&why;
        control->calls = 0;
        control->failing_from++;
        status = cumsum_gpu_open(drivers, NULL, &device, &why);
        assert_int_equal(status, control->calls >= control->failing_from ? CUMSUM_DEVICE_FAILED
                                                                         : CUMSUM_OK);
        assert_true((device == NULL) == (status != CUMSUM_OK));
        cumsum_d3d12_close(device);
        assert_int_equal(control->live_objects, 0);
    }
    assert_true(control->failing_from > 20);
    control->complaint = NULL; /* of resetting a list whose Reset failed */
}

/* Every submission takes 234 ticks of 5 MHz. */
#define NANOSECONDS 46800

static void test_exact_sums_and_time(void) {
    const cumsum_numerics exact = {.order = CUMSUM_ORDER_EXACT};
    cumsum_d3d12_device *device = open_device();
    sum s;
    sum_begin(&s, CUMSUM_DATA_TYPE_FLOAT32);
    expect_failure(execute(device, &s, &exact), CUMSUM_UNSUPPORTED, "EXACT");
    sum_begin(&s, CUMSUM_DATA_TYPE_INT32);
    assert_int_equal(execute(device, &s, &exact), CUMSUM_OK);
    assert_int_equal(timing.nanoseconds, NANOSECONDS);
    assert_int_equal(timing.dispatches, 1);
    cumsum_d3d12_close(device);
}

static cumsum_status measure(cumsum_d3d12_device *device, sum *s, device_measuring *m) {
    *m = (device_measuring){
        .measuring = {device_measure}, .repetitions = 3, .bytes = sizeof s->input};
    device->gpu->measuring = &m->measuring;
    return execute(device, s, NULL);
}

static void test_measurement(void) {
    device_measuring m;
    const device_speed *speed = &m.speed;
    sum s;
    cumsum_d3d12_device *device = open_device();
    sum_begin(&s, CUMSUM_DATA_TYPE_FLOAT32);
    assert_int_equal(execute(device, &s, NULL), CUMSUM_OK);
    const int alive = control->live_objects;
    assert_int_equal(measure(device, &s, &m), CUMSUM_OK);
    assert_true(m.measured);
    const device_times *const times[] = {&speed->hot,  &speed->copy_hot,  &speed->shader_copy_hot,
                                         &speed->cold, &speed->copy_cold, &speed->shader_copy_cold};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const int expected = i < 3 ? NANOSECONDS / 32 : NANOSECONDS; /* 32 in a submission */
        assert_int_equal(times[i]->median, expected);
        assert_int_equal(times[i]->least, expected);
        assert_int_equal(times[i]->greatest, expected);
    }
    assert_int_equal(speed->copied_bytes, sizeof s.input);
    assert_int_equal(speed->left_tiles, 0);
    assert_int_equal(control->live_objects, alive);
    failing_memory_at(1);
    assert_int_equal(measure(device, &s, &m), CUMSUM_OUT_OF_MEMORY);
    failing_memory_at(0);
    assert_string_equal(why.message, "out of memory: no memory for the times");
    device->gpu->info.max_buffer_in_bytes = 64; /* a scan in pieces is not measured */
    assert_int_equal(measure(device, &s, &m), CUMSUM_OK);
    assert_false(m.measured);
    cumsum_d3d12_close(device);
}

/* Each allocation of the process fails once. The status says so, and nothing leaks. */
static void test_no_memory_in_the_process(void) {
    size_t number = 0;
    while (failing_memory_next(&number)) {
        cumsum_d3d12_device *device;
        const cumsum_status status = cumsum_gpu_open(drivers, NULL, &device, &why);
        if (failing_memory_failed())
            expect_failure(status, CUMSUM_OUT_OF_MEMORY, "out of memory: no memory for");
        assert_int_equal(status == CUMSUM_OK, !failing_memory_failed());
        assert_true((status == CUMSUM_OK) == (device != NULL));
        cumsum_d3d12_close(device);
        assert_int_equal(control->live_objects, 0);
    }
    assert_true(number > 5);
}

/* What is concluded from the probe's answers: to its first two questions of subnormals, and to the
 * last three of the conversion to FLOAT16. */
static void test_answers_of_a_device(void) {
    static const struct {
        uint32_t answers[ANSWERS];
        bool flushes;
        cumsum_d3d12_half_conversion conversion;
    } devices[] = {
        {{1, 0, 1, 0, 0, 0x3C02, 0, 0x7C00, 0, 2}, false, CUMSUM_D3D12_HALF_NEAREST_EVEN},
        {{1, 0, 0, 0, 0, 0x3C01, 0, 0x7BFF, 0, 1}, true, CUMSUM_D3D12_HALF_TOWARD_ZERO},
        {{0, 0, 1, 0, 0, 0x3C02, 0, 0x7BFF, 0, 2}, true, CUMSUM_D3D12_HALF_OTHER}};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        control->answers = devices[i].answers;
        control->answer_bytes = sizeof devices[i].answers;
        cumsum_d3d12_device *device = open_device();
        assert_int_equal(cumsum_d3d12_info(device)->flushes_float32_subnormals, devices[i].flushes);
        assert_int_equal(cumsum_d3d12_info(device)->half_conversion, devices[i].conversion);
        cumsum_d3d12_close(device);
    }
}

CHECK_GROUP_WITH(test_gpu_api, set_up, tear_down, T(test_adapters), T(test_drivers_in_turn),
                 T(test_options), T(test_failures_to_open), T(test_arguments),
                 T(test_exact_sums_and_time), T(test_flushing), T(test_answers_of_a_device),
                 T(test_failures_while_opened), T(test_measurement),
                 T(test_no_memory_in_the_process));
