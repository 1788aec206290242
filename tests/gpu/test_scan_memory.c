/* SPDX-License-Identifier: MIT */
/*
 * Memory of a scan: pieces, guard bands, and the failure of each call. Dispatches of the stand-in
 * for Direct3D do nothing, so a scan in pieces copies its input, which shows that packing and
 * unpacking agree.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "failing_memory.h"
#include "scan.h"
#include "scan_memory.h"
#include "standin_control.h"
#include "test_device.h"

enum {
    ROWS = 5,
    COLUMNS = 3000,
    PITCH = COLUMNS + 7, /* of the output */
    INPUT = ROWS * COLUMNS,
    OUTPUT = (ROWS - 1) * PITCH + COLUMNS
};

static uint32_t input[INPUT];
static uint32_t output[OUTPUT];
static const gpu_driver *driver;
static standin_control *control;
static gpu_failure why;

static void set_up(void) {
    driver = &cumsum_wsl_driver;
    control = standin_get_control();
    *control = (standin_control){.adapters = 2};
}

static void tear_down(void) {
    assert_null(control->complaint);
}

static cumsum_problem make_problem(uint32_t axis, bool decreasing) {
    const uint32_t sizes[] = {ROWS, COLUMNS};
    const uint32_t strides[] = {PITCH, 1};
    const cumsum_buffer_tensor_desc from = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                            .dimension_count = 2,
                                            .sizes = sizes,
                                            .total_tensor_size_in_bytes = sizeof input};
    const cumsum_buffer_tensor_desc to = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                          .dimension_count = 2,
                                          .sizes = sizes,
                                          .strides = strides,
                                          .total_tensor_size_in_bytes = sizeof output};
    const cumsum_tensor_desc in = {CUMSUM_TENSOR_TYPE_BUFFER, &from};
    const cumsum_tensor_desc out = {CUMSUM_TENSOR_TYPE_BUFFER, &to};
    const cumsum_operator_desc desc = {.input_tensor = &in,
                                       .output_tensor = &out,
                                       .axis = axis,
                                       .axis_direction = decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING};
    cumsum_problem problem;
    assert_int_equal(cumsum_problem_init(&problem, &desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL),
                     CUMSUM_OK);
    return problem;
}

static void reset_tensors(void) {
    for (uint32_t i = 0; i < INPUT; i++)
        input[i] = i + 1;
    for (uint32_t i = 0; i < OUTPUT; i++)
        output[i] = 0xEEEEEEEE;
}

/* The scanner's call of Direct3D with the number `failing`, from 1 on, and all after it fail;
 * 0: none does. */
static gpu_status scan_failing(uint32_t failing, const gpu_scan_options *options,
                               const cumsum_problem *problem, cumsum_order order) {
    gpu_device *device;
    gpu_scanner *scanner = NULL;
    const cumsum_numerics numerics = {.order = order};
    reset_tensors();
    gpu_status status = driver->open(NULL, &device, &why);
    control->calls = 0;
    control->failing_from = failing;
    if (status == GPU_OK)
        status = cumsum_scanner_open(device, options, &scanner, &why);
    if (status == GPU_OK)
        status = cumsum_scan_run(scanner, problem, &numerics, input, output, NULL, &why);
    cumsum_scanner_close(scanner);
    control->failing_from = 0;
    if (device)
        driver->close(device);
    assert_int_equal(control->live_objects, 0);
    return status;
}

static gpu_status scan(const gpu_scan_options *options, const cumsum_problem *problem,
                       cumsum_order order) {
    return scan_failing(0, options, problem, order);
}

static void expect_copy(void) {
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t i = 0; i < PITCH && row * PITCH + i < OUTPUT; i++)
            assert_int_equal(output[row * PITCH + i],
                             i < COLUMNS ? row * COLUMNS + i + 1 : 0xEEEEEEEE);
}

/* Pieces of whole lines (axis 0), and of segments of a line (axis 1). */
static void test_pieces_are_unpacked(void) {
    const gpu_scan_options small = {.max_buffer = 1};
    for (uint32_t variant = 0; variant < 8; variant++) {
        const cumsum_problem problem = make_problem(variant & 1, variant & 2);
        const cumsum_order order = variant & 4 ? CUMSUM_ORDER_BLOCKED : CUMSUM_ORDER_SEQUENTIAL;
        control->executions = 0;
        assert_int_equal(scan(&small, &problem, order), GPU_OK);
        expect_copy();
        assert_true(control->executions > 3);
        assert_true(control->largest_buffer <= 65536);
    }
}

static void test_retry_in_pieces(void) {
    const cumsum_problem problem = make_problem(1, false);
    control->failing_once = true; /* the first buffer */
    control->failing_result = (int32_t)0x8007000E;
    assert_int_equal(scan_failing(1, NULL, &problem, CUMSUM_ORDER_SEQUENTIAL), GPU_OK);
    expect_copy();
}

/* Each call fails: once if it is rejected, and from there on if the device is lost or out of
 * memory. The scan returns the failure and leaks nothing. */
static void fail_each_call(const gpu_scan_options *options, gpu_status kind, uint32_t result) {
    const cumsum_problem problem = make_problem(1, true);
    gpu_status status = kind;
    uint32_t number = 0;
    control->failing_result = (int32_t)result;
    control->failing_once = kind == GPU_REJECTED;
    while (status != GPU_OK) {
        why = (gpu_failure){0};
        status = scan_failing(++number, options, &problem, CUMSUM_ORDER_BLOCKED);
        assert_int_equal(status, control->calls >= number ? kind : GPU_OK);
        assert_int_equal(why.hresult, status == GPU_OK ? 0 : control->failing_result);
    }
    assert_true(number > 10);
    control->complaint = NULL; /* of resetting a list whose Reset failed */
}

static void test_each_failure_is_passed_on(void) {
    const gpu_scan_options small = {.max_buffer = 1};
    static const struct {
        gpu_status status;
        uint32_t result;
    } kinds[] = {{GPU_DEVICE_REMOVED, 0x887A0005},
                 {GPU_REJECTED, 0x80004005},
                 {GPU_OUT_OF_MEMORY, 0x8007000E}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fail_each_call(NULL, kinds[i].status, kinds[i].result);
        fail_each_call(&small, kinds[i].status, kinds[i].result);
    }
}

/* Each allocation of the process fails once. If it is a buffer's, smaller buffers are tried; any
 * other failure is returned. */
static void fail_each_allocation(const gpu_scan_options *options, const char *last_words) {
    const cumsum_problem problem = make_problem(1, false);
    size_t number = 0, failed = 0;
    bool said = false;
    while (failing_memory_next(&number)) {
        why = (gpu_failure){0};
        const gpu_status status = scan(options, &problem, CUMSUM_ORDER_BLOCKED);
        assert_true(status == GPU_OK || (status == GPU_OUT_OF_MEMORY && failing_memory_failed()));
        said = said || strcmp(why.message, last_words) == 0;
        failed += status != GPU_OK;
    }
    assert_true(said && failed > 2);
}

static void test_no_memory_in_the_process(void) {
    const gpu_scan_options small = {.max_buffer = 1};
    fail_each_allocation(NULL, "no memory for a copy of the output");
    fail_each_allocation(&small, "no memory to pack a piece of the tensor");
}

/* Stray writes before the output, behind it and between its elements. */
static void test_stray_writes_are_found(void) {
    static const struct {
        uint64_t byte;
        const char *message;
    } strays[] = {{SCAN_GUARD - 1, "4 bytes before its first byte"},
                  {0, "4096 bytes before its first byte"},
                  {SCAN_GUARD + sizeof output, " 0 bytes behind its last byte"},
                  {SCAN_GUARD + sizeof output + 4095, "4092 bytes behind its last byte"},
                  {SCAN_GUARD + COLUMNS * 4, "byte 12000 of the output"}};
    const cumsum_problem problem = make_problem(1, false);
    for (size_t i = 0; i < sizeof strays / sizeof strays[0]; i++) {
        control->strays = true;
        control->stray_byte = strays[i].byte;
        assert_int_equal(scan(NULL, &problem, CUMSUM_ORDER_SEQUENTIAL), GPU_GUARD_BROKEN);
        assert_int_equal(why.status, GPU_GUARD_BROKEN);
        assert_contains(why.message, strays[i].message);
    }
}

CHECK_GROUP_WITH(test_scan_memory, set_up, tear_down, T(test_pieces_are_unpacked),
                 T(test_retry_in_pieces), T(test_each_failure_is_passed_on),
                 T(test_no_memory_in_the_process), T(test_stray_writes_are_found));
