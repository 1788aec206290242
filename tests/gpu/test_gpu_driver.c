/* SPDX-License-Identifier: MIT */
/*
 * The driver on a real Direct3D 12 device: every slot of the root signature, the order of commands,
 * transfers, refusals. A small shader (driver_probe.hlsl) makes every binding visible in its
 * output.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "driver_registry.h"
#include "shader_file.h"
#include "test_device.h"

static gpu_device *device;
static const gpu_driver *driver;
static gpu_failure why;
static bool debug_layer;

static void expect_ok(gpu_status status) {
    test_device_expect_ok(status, &why);
}

static gpu_buffer *make_buffer(uint64_t bytes, uint32_t word) {
    gpu_buffer *buffer;
    expect_ok(driver->buffer_open(device, bytes, &buffer, &why));
    expect_ok(driver->fill(device, buffer, 0, bytes, word, &why));
    return buffer;
}

static uint32_t read_word(gpu_buffer *buffer, uint64_t index) {
    uint32_t word = 0;
    expect_ok(
        driver->download(device, buffer, &(gpu_part){4 * index, &word, sizeof word}, 1, &why));
    return word;
}

static void test_info(void) {
    const cumsum_d3d12_device_info *info = driver->info(device);
    assert_non_null(info);
    assert_true(strlen(info->adapter.name) > 0);
    assert_true(strlen(info->api) > 0);
    assert_true(info->timestamp_ticks_per_second > 0);
    assert_true(info->shader_model >= 0x50);
    assert_true(info->max_buffer_in_bytes >= (uint64_t)128 << 20);
    assert_true(info->wave_lanes_min <= info->wave_lanes_max);
}

/* The probe's buffers, and a command for `count` words from word `first` on. */
#define WORDS 4096
typedef struct probe {
    gpu_shader *shader;
    gpu_buffer *sums;
    gpu_buffer *terms;
    gpu_buffer *groups;
} probe;

static void probe_open(probe *p) {
    const scan_bytecode code = shader_file_read(driver, "driver_probe");
    expect_ok(driver->shader_open(device, code.words, code.bytes, &p->shader, &why));
    p->sums = make_buffer(WORDS * 4, 1);
    p->terms = make_buffer(WORDS * 4, 10);
    p->groups = make_buffer(WORDS * 4, 77);
}

static void probe_close(probe *p) {
    driver->buffer_close(p->sums);
    driver->buffer_close(p->terms);
    driver->buffer_close(p->groups);
    driver->shader_close(p->shader);
}

static gpu_command probe_command(const probe *p, uint32_t first, uint32_t count) {
    gpu_command c = {.type = GPU_DISPATCH,
                     .shader = p->shader,
                     .writable = {{p->sums, 0}, {p->terms, 0}, {p->groups, 0}},
                     .constants = {first, count, 3},
                     .constant_count = 32,
                     .groups = {3, (count + 191) / 192, 1}};
    c.constants[31] = 1000;
    return c;
}

static void test_every_slot(void) {
    probe p;
    probe_open(&p);
    gpu_command c = probe_command(&p, 0, 1000);
    gpu_timing timing = {0};
    expect_ok(driver->submit(device, &c, 1, &timing, &why));
    assert_int_equal(read_word(p.sums, 0), 1 + 30 + 1000);
    assert_int_equal(read_word(p.sums, 999), 1 + 30 + 1000);
    assert_int_equal(read_word(p.sums, 1000), 1);
    assert_int_equal(read_word(p.groups, 999), 0 + 1000 * 5);
    assert_int_equal(read_word(p.groups, 1000), 77);
    assert_int_equal(read_word(p.terms, 0), 10);
    assert_true(timing.ticks > 0);
    probe_close(&p);
}

static void test_binding_offsets(void) {
    probe p;
    const uint32_t mark = 500;
    probe_open(&p);
    expect_ok(driver->upload(device, p.terms, 512, &mark, sizeof mark, &why));
    gpu_command c = probe_command(&p, 0, 1);
    c.writable[0].offset = 256;
    c.writable[1].offset = 512;
    expect_ok(driver->submit(device, &c, 1, NULL, &why));
    assert_int_equal(read_word(p.sums, 0), 1);
    assert_int_equal(read_word(p.sums, 64), 1 + 1500 + 1000);
    probe_close(&p);
}

/* (2^30 + 1) - 1 and its like: the guarded sums have the bits of binary32, whatever the compilers
 * between the bytecode and the device make of the others. */
static void test_guarded_sums(void) {
    static const float pairs[][2] = {{1, 0x1p30f}, {0x1p-20f, 3}, {-5, 0x1p26f}, {7, 9}};
    enum {
        PAIRS = sizeof pairs / sizeof pairs[0]
    };
    gpu_shader *shader = NULL;
    gpu_buffer *results = make_buffer(sizeof pairs, 0), *terms = make_buffer(sizeof pairs, 0);
    float given[PAIRS][2];
    int regrouped = 0;
    expect_ok(driver->upload(device, terms, 0, pairs, sizeof pairs, &why));
    const scan_bytecode code = shader_file_read(driver, "regrouped_sums");
    expect_ok(driver->shader_open(device, code.words, code.bytes, &shader, &why));
    const gpu_command command = {.type = GPU_DISPATCH,
                                 .shader = shader,
                                 .writable = {{results, 0}, {terms, 0}, {terms, 0}},
                                 .constant_count = 32,
                                 .groups = {PAIRS, 1, 1}};
    expect_ok(driver->submit(device, &command, 1, NULL, &why));
    expect_ok(driver->download(device, results, &(gpu_part){0, given, sizeof given}, 1, &why));
    for (int i = 0; i < PAIRS; i++) {
        const volatile float sum = pairs[i][0] + pairs[i][1];
        const float right = sum - pairs[i][1];
        assert_true(given[i][1] == right);
        regrouped += given[i][0] != right;
    }
    printf("sums without the guard that were regrouped: %d of %d\n", regrouped, PAIRS);
    driver->buffer_close(results);
    driver->buffer_close(terms);
    driver->shader_close(shader);
}

/* Each command sees what the one before it wrote, for every pair of command types. */
static void test_order(void) {
    probe p;
    gpu_command commands[40];
    probe_open(&p);
    for (int i = 0; i < 40; i += 2) {
        commands[i] = probe_command(&p, 0, WORDS);
        commands[i].groups[1] = (WORDS + 191) / 192;
        commands[i + 1] = (gpu_command){
            .type = GPU_COPY, .source = {p.sums, 0}, .target = {p.terms, 0}, .bytes = WORDS * 4};
    }
    uint32_t sum = 1;
    uint32_t term = 10;
    for (int i = 0; i < 40; i += 2) {
        sum += term * 3 + 1000;
        term = sum;
    }
    expect_ok(driver->submit(device, commands, 40, NULL, &why));
    for (uint64_t i = 0; i < WORDS; i += 555)
        assert_int_equal(read_word(p.sums, i), sum);
    probe_close(&p);
}

/* One buffer in two slots, as sums and as terms: in place. */
static void test_one_buffer_in_two_slots(void) {
    probe p;
    probe_open(&p);
    gpu_command c = probe_command(&p, 0, WORDS);
    c.writable[1] = c.writable[0];
    expect_ok(driver->submit(device, &c, 1, NULL, &why));
    assert_int_equal(read_word(p.sums, 0), 1 + 3 + 1000);
    probe_close(&p);
}

/* Transfers that are larger than the staging buffers. */
static void test_transfers(void) {
    const size_t words = (size_t)17 << 20;
    const uint64_t bytes = words * 4;
    uint32_t *data = malloc(bytes);
    uint32_t *back = malloc(bytes);
    gpu_buffer *one = make_buffer(bytes, 5);
    gpu_buffer *two = make_buffer(bytes, 6);
    assert_non_null(data);
    assert_non_null(back);
    for (size_t i = 0; i < words; i++)
        data[i] = (uint32_t)(i * 2654435761u);
    expect_ok(driver->upload(device, one, 8, data, bytes - 16, &why));
    gpu_command copy = {
        .type = GPU_COPY, .source = {one, 4}, .target = {two, 12}, .bytes = bytes - 16};
    expect_ok(driver->submit(device, &copy, 1, NULL, &why));
    expect_ok(driver->download(device, two, &(gpu_part){0, back, bytes}, 1, &why));
    assert_int_equal(back[2], 6);
    assert_int_equal(back[3], 5);
    assert_memory_equal(back + 4, data, bytes - 20);
    assert_int_equal(back[words - 1], 6);
    driver->buffer_close(one);
    driver->buffer_close(two);
    free(data);
    free(back);
}

/* Of two copies to one place the later one wins. */
static void test_copies_in_order(void) {
    gpu_buffer *sources[2] = {make_buffer(65536, 1), make_buffer(65536, 2)};
    gpu_buffer *target = make_buffer(65536, 0);
    gpu_command copies[2];
    for (int i = 0; i < 2; i++) {
        copies[i] = (gpu_command){
            .type = GPU_COPY, .source = {sources[i], 0}, .target = {target, 0}, .bytes = 65536};
    }
    expect_ok(driver->submit(device, copies, 2, NULL, &why));
    assert_int_equal(read_word(target, 16383), 2);
    driver->buffer_close(sources[0]);
    driver->buffer_close(sources[1]);
    driver->buffer_close(target);
}

/* A shader can access the last word of the largest buffer. */
static void test_largest_buffer(void) {
    probe p;
    const uint64_t most = driver->info(device)->max_buffer_in_bytes;
    const uint64_t bytes = most < (uint64_t)2 << 30 ? most : (uint64_t)2 << 30;
    const uint32_t one = 1;
    gpu_buffer *large[2] = {NULL};
    probe_open(&p);
    for (int i = 0; i < 2; i++) {
        expect_ok(driver->buffer_open(device, bytes, &large[i], &why));
        expect_ok(driver->upload(device, large[i], bytes - 4, &one, sizeof one, &why));
    }
    gpu_command c = probe_command(&p, (uint32_t)(bytes / 4 - 1), 1);
    c.writable[0] = c.writable[1] = (gpu_binding){large[0], 0};
    c.writable[2] = (gpu_binding){large[1], 0};
    expect_ok(driver->submit(device, &c, 1, NULL, &why));
    assert_int_equal(read_word(large[0], bytes / 4 - 1), 1 + 3 + 1000);
    for (int i = 0; i < 2; i++)
        driver->buffer_close(large[i]);
    probe_close(&p);
}

static void test_refusals(void) {
    const uint32_t nonsense[] = {1, 2, 3, 4};
    gpu_buffer *buffer = (gpu_buffer *)&why;
    gpu_shader *shader = (gpu_shader *)&why;
    const uint64_t most = driver->info(device)->max_buffer_in_bytes;
    assert_int_equal(driver->buffer_open(device, most + 256, &buffer, &why), GPU_OUT_OF_MEMORY);
    assert_null(buffer);
    assert_non_null(strstr(why.message, "bytes"));
    assert_int_equal(driver->shader_open(device, nonsense, sizeof nonsense, &shader, &why),
                     GPU_REJECTED);
    assert_null(shader);
    assert_non_null(strstr(why.message, "CreateComputePipelineState"));
    assert_true(why.hresult < 0);
}

static void test_adapter_by_name(void) {
    char pattern[4];
    gpu_device *other = device;
    snprintf(pattern, sizeof pattern, "%.3s", driver->info(device)->adapter.name);
    pattern[0] = (char)(pattern[0] ^ 0x20); /* changes the case of a letter */
    cumsum_d3d12_options options = {.adapter = pattern};
    expect_ok(driver->open(&options, &other, &why));
    assert_string_equal(driver->info(other)->adapter.name, driver->info(device)->adapter.name);
    driver->close(other);
    options.adapter = "no adapter is called so";
    assert_int_equal(driver->open(&options, &other, &why), GPU_UNAVAILABLE);
    assert_null(other);
    assert_non_null(strstr(why.message, driver->info(device)->adapter.name));
}

/* Copying bytes onto themselves is forbidden but harmless. The debug layer must report it. */
static void test_debug_layer_reports(void) {
    gpu_buffer *one = make_buffer(65536, 0);
    gpu_buffer *two = make_buffer(65536, 0);
    gpu_command copy = {.type = GPU_COPY, .source = {one, 0}, .target = {one, 0}, .bytes = 64};
    if (debug_layer) {
        assert_int_equal(driver->submit(device, &copy, 1, NULL, &why), GPU_REJECTED);
        assert_non_null(strstr(why.message, "debug layer"));
    }
    copy.target.buffer = two;
    expect_ok(driver->submit(device, &copy, 1, NULL, &why));
    driver->buffer_close(one);
    driver->buffer_close(two);
}

CHECK_GROUP(test_gpu_driver, T(test_info), T(test_every_slot), T(test_binding_offsets),
            T(test_guarded_sums), T(test_order), T(test_one_buffer_in_two_slots), T(test_transfers),
            T(test_copies_in_order), T(test_largest_buffer), T(test_refusals),
            T(test_adapter_by_name), T(test_debug_layer_reports));

int main(int argc, char **argv) {
    device = test_device_open(argc, argv);
    driver = device->driver;
    debug_layer = argc > 1;
    const int status = check_run(&test_gpu_driver);
    driver->close(device);
    return status;
}
