/* SPDX-License-Identifier: MIT */
/*
 * The dispatches that a scan consists of: groups, chunks, levels, submissions. The driver is one
 * for tests, which records commands and executes nothing (fake_driver.c).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake_driver.h"
#include "scan_pass.h"

/* A pass on the recording driver. */
typedef struct bench {
    fake_device *device;
    scan_commands commands;
    scan_shaders shaders;
    gpu_buffer *buffer;
    scan_pass pass;
} bench;

static gpu_failure why;

static bench *the_bench;

static void set_up(void) {
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->device = fake_device_open();
    b->commands.device = &b->device->base;
    b->shaders.device = &b->device->base;
    b->shaders.bytecodes = &cumsum_dxbc;
    assert_int_equal(b->device->base.driver->buffer_open(&b->device->base, 4, &b->buffer, &why),
                     GPU_OK);
    b->pass = (scan_pass){.commands = &b->commands,
                          .shaders = &b->shaders,
                          .buffers = {{b->buffer, 0}, {b->buffer, 0}, {b->buffer, 0}},
                          .element = SCAN_FLOAT32};
    the_bench = b;
}

static void tear_down(void) {
    bench *b = the_bench;
    cumsum_scan_shaders_close(&b->shaders);
    b->device->base.driver->buffer_close(b->buffer);
    assert_int_equal(fake_device_close(b->device), 0);
    free(b);
}

static scan_constants constants_of(const bench *b, size_t i) {
    scan_constants constants;
    assert_true(i < b->device->commands);
    memcpy(&constants, b->device->log[i].constants, sizeof constants);
    return constants;
}

static void sequential(bench *b, uint32_t lines, uint32_t length) {
    b->device->commands = 0;
    cumsum_scan_layout_packed(&b->pass.layout, lines, length, 1024);
    assert_int_equal(cumsum_scan_sequential(&b->pass, 0, length, &why), GPU_OK);
    assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
}

static void blocked(bench *b, uint32_t lines, uint32_t length) {
    b->device->commands = 0;
    cumsum_scan_layout_packed(&b->pass.layout, lines, length, 1024);
    assert_int_equal(cumsum_scan_blocked(&b->pass, &why), GPU_OK);
    assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
}

/* Makes the lines of a packed layout the columns of a matrix. */
static void interleave(scan_layout *layout) {
    layout->input_step = layout->output_step = layout->lines;
    layout->outer[0] = (scan_dimension){layout->lines, 1, 1};
}

static void test_every_line_has_a_thread(void) {
    bench *b = the_bench;
    static const uint32_t lines[] = {1,       63,      64,      65,       2097151,
                                     2097152, 2097153, 4194305, 1u << 30, 1u << 31};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        sequential(b, lines[i], 1);
        assert_int_equal(b->device->commands, 1);
        const uint32_t *groups = b->device->log[0].groups;
        const uint64_t wanted = (UINT64_C(63) + lines[i]) / 64;
        assert_true(UINT64_C(1) * groups[0] * groups[1] >= wanted);
        assert_true(groups[1] == 1 ? groups[0] == wanted : groups[0] == 32768);
        assert_true(UINT64_C(1) * groups[0] * (groups[1] - 1) < wanted);
        assert_int_equal(groups[2], 1);
        assert_int_equal(constants_of(b, 0).line_count, lines[i]);
    }
}

static void test_chunks_follow_each_other(void) {
    bench *b = the_bench;
    const uint32_t length = 3 * SCAN_CHUNK + 5;
    sequential(b, 70, length);
    assert_int_equal(b->device->commands, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const scan_constants c = constants_of(b, i);
        assert_int_equal(c.line_length, i < 3 ? SCAN_CHUNK : 5);
        assert_int_equal(c.input_base, 1024 + i * SCAN_CHUNK);
        assert_int_equal(c.output_base, 1024 + i * SCAN_CHUNK);
        assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUES), i > 0);
        assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUED), i < 3);
        assert_int_equal(c.last_output_stride, length);
    }
    assert_true(cumsum_scan_sequential_work(&b->pass) >= 70 * 4);
}

/* Few long lines of FLOAT32: two dispatches for each chunk, after two that prepare the first one,
 * and a last one for the elements behind the last segment. */
static void test_segments_are_prepared(void) {
    bench *b = the_bench;
    static const uint32_t now[] = {0, 512, 512, 76}, next[] = {512, 512, 76, 0};
    const uint32_t segments = 512 + 512 + 76, lines = 2;
    sequential(b, lines, 1024 * segments + 5);
    assert_int_equal(b->device->commands, 9);
    for (uint32_t i = 0, first = 0; i < 4; first += now[i++]) {
        const scan_constants carry = constants_of(b, 2 * i);
        const scan_constants segment = constants_of(b, 2 * i + 1);
        const gpu_command *log = &b->device->log[2 * i];
        assert_ptr_equal(log[0].shader, b->shaders.made[SCAN_SEQUENTIAL_CARRY][SCAN_FLOAT32]);
        assert_ptr_equal(log[1].shader, b->shaders.made[SCAN_SEQUENTIAL_SEGMENT][SCAN_FLOAT32]);
        assert_int_equal(log[0].groups[0], lines * ((now[i] > 0) + (next[i] + 3) / 4));
        assert_int_equal(log[1].groups[0], lines * (now[i] + next[i]));
        assert_int_equal(segment.first_tile, first);
        assert_int_equal(segment.tile_count, now[i]);
        assert_int_equal(segment.tiles_per_line, next[i]);
        assert_int_equal(segment.line_shift, 512);
        assert_int_equal(!!(carry.flags & (uint32_t)SCAN_FLAG_CONTINUES), i > 1);
        assert_int_equal(!!(segment.flags & (uint32_t)SCAN_FLAG_CONTINUES), i > 0);
    }
    const scan_constants rest = constants_of(b, 8);
    assert_int_equal(rest.line_length, 5);
    assert_int_equal(rest.input_base, 1024 + 1024 * segments);
    assert_true(rest.flags & (uint32_t)SCAN_FLAG_CONTINUES);
    assert_true(cumsum_scan_sequential_work(&b->pass) >=
                4 * lines * (3 + 2 * 512 / 4 + UINT64_C(8) * 512));
}

/* Which lines have segments: of FLOAT32, few, and long ones. */
static void test_other_lines_have_no_segments(void) {
    bench *b = the_bench;
    sequential(b, 64, 16384);
    assert_int_equal(constants_of(b, 0).tiles_per_line, 16);
    sequential(b, 65, 16384);
    assert_int_equal(constants_of(b, 0).tiles_per_line, 0);
    sequential(b, 1, 16383);
    assert_int_equal(constants_of(b, 0).tiles_per_line, 0);
    b->pass.element = SCAN_FLOAT16;
    sequential(b, 1, 16384);
    assert_int_equal(constants_of(b, 0).tiles_per_line, 0);
}

/* Lines of 50 elements, contiguous or interleaved in the input and in the output: which kernel they
 * get, with which flags, and how many lines share a group. */
#define BOTH (SCAN_FLAG_LOAD_INTERLEAVED | SCAN_FLAG_STORE_INTERLEAVED)
static void test_kernel_follows_access_pattern(void) {
    bench *b = the_bench;
    static const struct {
        bool input_interleaved;
        bool output_interleaved;
        uint32_t lines;
        scan_kernel kernel;
        uint32_t flags;
        uint32_t shift;
    } cases[] = {{false, false, 1, SCAN_SEQUENTIAL_STAGED, 0, 6},
                 {false, false, 4096, SCAN_SEQUENTIAL_STAGED, 0, 4},
                 {false, false, 100000, SCAN_SEQUENTIAL_STAGED, 0, 0},
                 {true, false, 100, SCAN_SEQUENTIAL_STAGED, SCAN_FLAG_LOAD_INTERLEAVED, 2},
                 {false, true, 100, SCAN_SEQUENTIAL_STAGED, SCAN_FLAG_STORE_INTERLEAVED, 2},
                 {true, true, 3, SCAN_SEQUENTIAL_STAGED, BOTH, 4},
                 {true, true, 63, SCAN_SEQUENTIAL_STAGED, BOTH, 2},
                 {true, true, 16 * 1024 - 1, SCAN_SEQUENTIAL_STAGED, BOTH, 2},
                 {true, true, 16 * 1024, SCAN_SEQUENTIAL_DIRECT, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scan_layout *layout = &b->pass.layout;
        b->device->commands = 0;
        *layout = (scan_layout){.rank = 1, .lines = cases[i].lines, .length = 50};
        layout->input_step = cases[i].input_interleaved ? cases[i].lines : 1;
        layout->output_step = cases[i].output_interleaved ? cases[i].lines : 1;
        layout->outer[0] = (scan_dimension){cases[i].lines, cases[i].input_interleaved ? 1 : 50,
                                            cases[i].output_interleaved ? 1 : 50};
        assert_int_equal(cumsum_scan_sequential(&b->pass, 0, 50, &why), GPU_OK);
        assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
        assert_ptr_equal(b->device->log[0].shader, b->shaders.made[cases[i].kernel][SCAN_FLOAT32]);
        assert_int_equal(constants_of(b, 0).flags & (uint32_t)BOTH, cases[i].flags);
        assert_int_equal(constants_of(b, 0).line_shift, cases[i].shift);
    }
}

/* A processor gets kernels without groupshared memory. It computes 256 elements of interleaved
 * lines at a time. */
static void test_processors_stage_nothing(void) {
    bench *b = the_bench;
    b->pass.direct = true;
    b->pass.groups = 16;
    sequential(b, 100, 5000);
    assert_int_equal(b->device->commands, 1);
    assert_ptr_equal(b->device->log[0].shader,
                     b->shaders.made[SCAN_SEQUENTIAL_DIRECT][SCAN_FLOAT32]);
    b->device->commands = 0;
    b->pass.layout.output_step = 100;
    b->pass.layout.outer[0].output_stride = 1;
    assert_int_equal(cumsum_scan_sequential(&b->pass, 0, 5000, &why), GPU_OK);
    assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
    assert_int_equal(b->device->commands, 20);
    blocked(b, 3, 5000);
    assert_int_equal(b->device->commands, 3);
    for (size_t i = 0; i < 3; i++)
        assert_ptr_equal(b->device->log[i].shader,
                         b->shaders.made[SCAN_BLOCKED_LINE][SCAN_FLOAT32]);
    blocked(b, 15 * 64 + 1, 5000);
    assert_int_equal(b->device->commands, 3);
    for (uint32_t more = 0; more < 2; more++) {
        const uint32_t lines = 15 * 64 + more;
        cumsum_scan_layout_packed(&b->pass.layout, lines, 5000, 1024);
        interleave(&b->pass.layout);
        b->device->commands = 0;
        assert_int_equal(cumsum_scan_blocked(&b->pass, &why), GPU_OK);
        assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
        assert_int_equal(b->device->commands, more ? 1 : 3);
        assert_ptr_equal(
            b->device->log[0].shader,
            b->shaders.made[more ? SCAN_BLOCKED_WALK : SCAN_BLOCKED_LINE][SCAN_FLOAT32]);
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
        assert_int_equal(b->device->commands, cases[i].dispatches);
    }
}

/* A single pass clears its words, takes a group for each tile, and then those that are left; in
 * exclusive scans of floats twice. */
static void test_single_pass(void) {
    bench *b = the_bench;
    static const struct {
        scan_element element;
        uint32_t flags;
        uint32_t chunk;
        size_t dispatches;
        uint32_t words; /* of 2500 tiles, 156 blocks, 2 tiles of tiles, and a line */
    } cases[] = {{SCAN_FLOAT32, 0, 0, 3, 2 * 2658 + 2500},
                 {SCAN_FLOAT32, SCAN_FLAG_EXCLUSIVE, 16, 4, 2 * 2658 + 2500},
                 {SCAN_FLOAT16_HALF, SCAN_FLAG_EXCLUSIVE, 2048, 4, 2 * 2658 + 2500},
                 {SCAN_INTEGER32, SCAN_FLAG_EXCLUSIVE, 0, 3, 3 * 2658},
                 {SCAN_INTEGER64, SCAN_FLAG_EXCLUSIVE, 0, 3, 5 * 2658}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        b->pass.element = cases[i].element;
        b->pass.flags = cases[i].flags;
        b->pass.chunk = cases[i].chunk;
        blocked(b, 3, 2500 * 1024 - 7);
        assert_int_equal(b->device->commands, cases[i].dispatches);
        const uint32_t words = 2 + 3 * cases[i].words;
        assert_true(cumsum_scan_blocked_work(&b->pass) >= 4 * words);
        assert_int_equal(b->device->log[0].groups[0], (words + 1023) / 1024);
        for (uint32_t d = 0; d < cases[i].dispatches; d++) {
            const scan_constants c = constants_of(b, d);
            assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUES), d > 0);
            assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUED), d == 1);
            assert_int_equal(c.tiles_per_line, 2500);
            assert_true(d == 0 ||
                        b->device->log[d].groups[0] == (d == 1 ? 7500 : (7500 + 63) / 64));
            if (d > 1)
                assert_int_equal(c.first_tile, 1);
            else
                assert_true(cases[i].chunk ? c.first_tile == cases[i].chunk / 1024
                                           : c.first_tile > 1);
        }
    }
}

/* Interleaved lines that make enough groups are walked: 24 tiles of each in a dispatch, with the
 * state in the work buffer in between. The fewest blocks at a time that make enough groups are
 * taken. */
static void test_walks(void) {
    bench *b = the_bench;
    static const struct {
        bool interleaved;
        uint32_t lines;
        uint32_t length;
        size_t dispatches;
        uint32_t groups; /* of the first dispatch */
        uint32_t shift;
        scan_kernel kernel; /* of the first dispatch */
    } cases[] = {{false, 255, 33 * 1024, 3, 26, 6, SCAN_BLOCKED_SINGLE},
                 {false, 4096, 1024, 1, 4096, 6, SCAN_BLOCKED_TILE},
                 {false, 4096, 1025, 3, 25, 6, SCAN_BLOCKED_SINGLE},
                 {true, 1023 * 8, 4096, 3, 512, 0, SCAN_BLOCKED_LINE},
                 {true, 1023 * 8 + 1, 4096, 1, 1024, 3, SCAN_BLOCKED_WALK},
                 {true, 1023 * 8 + 1, 1024, 1, 128, 0, SCAN_BLOCKED_LINE},
                 {true, 1023 * 16 + 1, 4096, 1, 1024, 2, SCAN_BLOCKED_WALK},
                 {true, 1023 * 32 + 1, 24 * 1024, 1, 1024, 1, SCAN_BLOCKED_WALK},
                 {true, 1023 * 64 + 1, 25 * 1024, 2, 1024, 0, SCAN_BLOCKED_WALK},
                 {true, 1023 * 64 + 1, 49 * 1024, 3, 1024, 0, SCAN_BLOCKED_WALK}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scan_layout *layout = &b->pass.layout;
        cumsum_scan_layout_packed(layout, cases[i].lines, cases[i].length, 1024);
        if (cases[i].interleaved)
            interleave(layout);
        b->device->commands = 0;
        assert_int_equal(cumsum_scan_blocked(&b->pass, &why), GPU_OK);
        assert_int_equal(cumsum_scan_submit(&b->commands, &why), GPU_OK);
        assert_int_equal(b->device->commands, cases[i].dispatches);
        assert_int_equal(b->device->log[0].groups[0], cases[i].groups);
        assert_int_equal(constants_of(b, 0).line_shift, cases[i].shift);
        assert_ptr_equal(b->device->log[0].shader, b->shaders.made[cases[i].kernel][SCAN_FLOAT32]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const scan_constants c = constants_of(b, i);
        assert_int_equal(c.first_tile, 24 * i);
        assert_int_equal(c.tile_count, i < 2 ? 24 : 1);
        assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUES), i > 0);
        assert_int_equal(!!(c.flags & (uint32_t)SCAN_FLAG_CONTINUED), i < 2);
    }
}

/* Short lines share a group of 64 blocks; each takes a power of two of them. */
static void test_short_lines_share_a_group(void) {
    bench *b = the_bench;
    static const struct {
        uint32_t length;
        uint32_t shift;
    } cases[] = {{1, 0}, {16, 0}, {17, 1}, {32, 1}, {33, 2}, {512, 5}, {513, 6}, {1024, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        blocked(b, 1000, cases[i].length);
        const uint32_t lines = 64u >> cases[i].shift;
        assert_int_equal(constants_of(b, 0).line_shift, cases[i].shift);
        if (cases[i].length > 1) /* lines of one element are interleaved: a thread each */
            assert_int_equal(b->device->log[0].groups[0], (1000 + lines - 1) / lines);
    }
}

/* A submission has a limited number of commands and a limited amount of work. */
static void test_submissions_are_limited(void) {
    bench *b = the_bench;
    sequential(b, 70, 200 * SCAN_CHUNK);
    assert_int_equal(b->device->commands, 200);
    assert_int_equal(b->device->submissions,
                     (200 + SCAN_COMMANDS_AT_ONCE - 1) / SCAN_COMMANDS_AT_ONCE);
    b->device->submissions = 0;
    sequential(b, 1u << 16, 4 * SCAN_CHUNK); /* 2^29 elements in each dispatch */
    assert_int_equal(b->device->submissions, 4);
}

/* A submission in the middle of a scan may fail. No dispatch is queued after it. */
static void test_a_submission_fails(void) {
    bench *b = the_bench;
    b->device->fail_call = b->device->calls + 2; /* the call after shader_open */
    b->device->fail_status = GPU_DEVICE_REMOVED;
    cumsum_scan_layout_packed(&b->pass.layout, 70, 200 * SCAN_CHUNK, 1024);
    assert_int_equal(cumsum_scan_sequential(&b->pass, 0, 200 * SCAN_CHUNK, &why),
                     GPU_DEVICE_REMOVED);
    assert_int_equal(b->device->submissions, 1);
    assert_int_equal(b->commands.count, 0);
}

CHECK_GROUP_WITH(test_scan_dispatches, set_up, tear_down, T(test_every_line_has_a_thread),
                 T(test_chunks_follow_each_other), T(test_segments_are_prepared),
                 T(test_other_lines_have_no_segments), T(test_kernel_follows_access_pattern),
                 T(test_processors_stage_nothing), T(test_levels), T(test_single_pass),
                 T(test_walks), T(test_short_lines_share_a_group), T(test_submissions_are_limited),
                 T(test_a_submission_fails));
