/* SPDX-License-Identifier: MIT */
/*
 * Dispatches of scans that are too large to be executed in a test, and their submissions. The
 * stand-in for Direct3D records them and executes nothing. check_scans has the bits of what can be
 * executed.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scan_pass.h"
#include "standin_control.h"
#include "test_device.h"

/* A pass on the stand-in. */
typedef struct bench {
    gpu_device *device;
    scan_commands commands;
    scan_shaders shaders;
    gpu_buffer *buffer;
    scan_pass pass;
} bench;

static standin_control *control;
static gpu_failure why;

static bench *the_bench;

static void set_up(void) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    control = standin_get_control();
    *control = (standin_control){.adapters = 2};
    assert_int_equal(test_device_driver("wsl")->open(NULL, &b->device, &why), GPU_OK);
    b->commands.device = b->device;
    b->shaders.device = b->device;
    b->shaders.bytecodes = &cumsum_dxbc;
    assert_int_equal(b->device->driver->buffer_open(b->device, 4, &b->buffer, &why), GPU_OK);
    b->pass = (scan_pass){.commands = &b->commands,
                          .shaders = &b->shaders,
                          .buffers = {{b->buffer, 0}, {b->buffer, 0}, {b->buffer, 0}},
                          .element = SCAN_FLOAT32};
    the_bench = b;
}

static void tear_down(void) {
    bench *b = the_bench;
    cumsum_scan_shaders_close(&b->shaders);
    b->device->driver->buffer_close(b->buffer);
    b->device->driver->close(b->device);
    free(b);
    assert_null(control->complaint);
    assert_int_equal(control->live_objects, 0);
}

static void sequential(bench *b, uint32_t lines, uint32_t length) {
    control->dispatch_count = control->executions = 0;
    cumsum_scan_layout_packed(&b->pass.layout, lines, length, 1024);
    assert_int_equal(cumsum_scan_sequential(&b->pass, 0, length, &why), GPU_OK);
    assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
}

static void blocked(bench *b, uint32_t lines, uint32_t length) {
    control->dispatch_count = control->executions = 0;
    cumsum_scan_layout_packed(&b->pass.layout, lines, length, 1024);
    assert_int_equal(cumsum_scan_blocked(&b->pass, &why), GPU_OK);
    assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
}

static void test_every_line_has_a_thread(void) {
    bench *b = the_bench;
    static const uint32_t lines[] = {1,       63,      64,      65,       2097151,
                                     2097152, 2097153, 4194305, 1u << 30, 1u << 31};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        sequential(b, lines[i], 1);
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
    bench *b = the_bench;
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
        blocked(b, 1, cases[i].length);
        assert_int_equal(control->dispatch_count, cases[i].dispatches);
    }
}

/* A submission has a limited number of commands and a limited amount of work. */
static void test_submissions_are_limited(void) {
    bench *b = the_bench;
    sequential(b, 70, 200 * SCAN_CHUNK);
    assert_int_equal(control->dispatch_count, 200);
    assert_int_equal(control->executions,
                     (200 + SCAN_COMMANDS_AT_ONCE - 1) / SCAN_COMMANDS_AT_ONCE);
    sequential(b, 1u << 16, 4 * SCAN_CHUNK); /* 2^29 elements in each dispatch */
    assert_int_equal(control->executions, 4);
}

/* A submission in the middle of a scan may fail. No dispatch is queued after it. */
static void test_a_submission_fails(void) {
    bench *b = the_bench;
    control->failing_call = "Signal";
    control->failing_result = (int32_t)0x887A0005;
    cumsum_scan_layout_packed(&b->pass.layout, 70, 200 * SCAN_CHUNK, 1024);
    assert_int_equal(cumsum_scan_sequential(&b->pass, 0, 200 * SCAN_CHUNK, &why),
                     GPU_DEVICE_REMOVED);
    assert_int_equal(control->executions, 1);
    assert_int_equal(b->commands.count, 0);
}

CHECK_GROUP_WITH(test_scan_dispatches, set_up, tear_down, T(test_every_line_has_a_thread),
                 T(test_levels), T(test_submissions_are_limited), T(test_a_submission_fails));
