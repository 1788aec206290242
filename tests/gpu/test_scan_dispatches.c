/* SPDX-License-Identifier: MIT */
/*
 * Dispatches of scans that are too large to be executed in a test, and their submissions. The
 * stand-in for Direct3D records them and executes nothing. check_scans has the bits of what can be
 * executed.
 */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "scan_pass.h"
#include "standin_control.h"
#include "test_device.h"

static standin_control *control;
static gpu_failure why;

/* A pass on the stand-in. */
static gpu_device *device;
static scan_commands commands;
static scan_shaders shaders;
static gpu_buffer *buffer;
static scan_pass pass;

static void set_up(void) {
    control = standin_get_control();
    *control = (standin_control){.adapters = 2};
    assert_int_equal(cumsum_wsl_driver.open(NULL, &device, &why), GPU_OK);
    assert_int_equal(device->driver->buffer_open(device, 4, &buffer, &why), GPU_OK);
    commands = (scan_commands){.device = device};
    shaders = (scan_shaders){.device = device, .bytecodes = &cumsum_dxbc};
    pass = (scan_pass){.commands = &commands,
                       .shaders = &shaders,
                       .buffers = {{buffer, 0}, {buffer, 0}, {buffer, 0}},
                       .element = SCAN_FLOAT32};
}

static void tear_down(void) {
    cumsum_scan_shaders_close(&shaders);
    device->driver->buffer_close(buffer);
    device->driver->close(device);
    assert_null(control->complaint);
    assert_int_equal(control->live_objects, 0);
}

static void scan_lines(cumsum_order order, uint32_t lines, uint32_t length) {
    control->dispatch_count = control->executions = 0;
    cumsum_scan_layout_packed(&pass.layout, lines, length, 1024);
    assert_int_equal(order == CUMSUM_ORDER_BLOCKED ? cumsum_scan_blocked(&pass, &why)
                                                   : cumsum_scan_sequential(&pass, 0, length, &why),
                     GPU_OK);
    assert_int_equal(cumsum_scan_submit(&commands, &why), GPU_OK);
}

static void test_every_line_has_a_thread(void) {
    static const uint32_t lines[] = {1,       63,      64,      65,       2097151,
                                     2097152, 2097153, 4194305, 1u << 30, 1u << 31};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        scan_lines(CUMSUM_ORDER_SEQUENTIAL, lines[i], 1);
        assert_int_equal(control->dispatch_count, 1);
        const uint32_t *groups = control->dispatches[0].groups;
        const uint64_t wanted = (UINT64_C(63) + lines[i]) / 64;
        assert_true(UINT64_C(1) * groups[0] * groups[1] >= wanted);
        assert_true(groups[1] == 1 ? groups[0] == wanted : groups[0] == 32768);
        assert_true(UINT64_C(1) * groups[0] * (groups[1] - 1) < wanted);
        assert_int_equal(groups[2], 1);
        scan_constants constants;
        memcpy(&constants, control->dispatches[0].constants, sizeof constants);
        assert_int_equal(constants.line_count, lines[i]);
    }
}

/* A line of one tile takes one dispatch. A longer one takes a single pass. One that is too long for
 * that takes totals, levels up and down, outputs. */
static void test_levels(void) {
    static const struct {
        uint32_t length;
        size_t dispatches;
    } cases[] = {{1, 1},
                 {1024, 1},
                 {1025, 3},
                 {1024 * 1024, 3},
                 {1024 * 1024 + 1, 3},
                 {1024u * 1024 * 1024, 3},
                 {1024u * 1024 * 1024 + 1, 7},
                 {UINT32_MAX, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scan_lines(CUMSUM_ORDER_BLOCKED, 1, cases[i].length);
        assert_int_equal(control->dispatch_count, cases[i].dispatches);
    }
}

/* A submission has a limited number of commands and a limited amount of work. */
static void test_submissions_are_limited(void) {
    scan_lines(CUMSUM_ORDER_SEQUENTIAL, 70, 200 * SCAN_CHUNK);
    assert_int_equal(control->dispatch_count, 200);
    assert_int_equal(control->executions,
                     (200 + SCAN_COMMANDS_AT_ONCE - 1) / SCAN_COMMANDS_AT_ONCE);
    scan_lines(CUMSUM_ORDER_SEQUENTIAL, 1u << 16,
               4 * SCAN_CHUNK); /* 2^29 elements in each dispatch */
    assert_int_equal(control->executions, 4);
}

/* A submission in the middle of a scan may fail. No dispatch is queued after it. */
static void test_a_submission_fails(void) {
    control->failing_call = "Signal";
    control->failing_result = (int32_t)0x887A0005;
    cumsum_scan_layout_packed(&pass.layout, 70, 200 * SCAN_CHUNK, 1024);
    assert_int_equal(cumsum_scan_sequential(&pass, 0, 200 * SCAN_CHUNK, &why), GPU_DEVICE_REMOVED);
    assert_int_equal(control->executions, 1);
    assert_int_equal(commands.count, 0);
}

CHECK_GROUP_WITH(test_scan_dispatches, set_up, tear_down, T(test_every_line_has_a_thread),
                 T(test_levels), T(test_submissions_are_limited), T(test_a_submission_fails));
