/* SPDX-License-Identifier: MIT */
/*
 * The driver on a real Direct3D 12 device, where neither scans (check_scans) nor the stand-in
 * (test_standin) show it: guarded sums, long transfers, the largest buffer, what Vulkan validates.
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

/* A shader can access the last word of the largest buffer: device_copy copies all of it. */
static void test_largest_buffer(void) {
    const uint64_t most = device->info.max_buffer_in_bytes;
    const uint64_t bytes = most < (uint64_t)2 << 30 ? most : (uint64_t)2 << 30;
    const scan_bytecode code = driver->bytecodes->copy;
    const uint32_t groups = (uint32_t)((bytes + 16383) / 16384), row = 32768;
    gpu_shader *shader;
    gpu_buffer *from = make_buffer(bytes, 1), *to = make_buffer(bytes, 2);
    gpu_command c = {.type = GPU_DISPATCH,
                     .writable = {{from, 0}, {to, 0}, {to, 0}},
                     .constants = {(uint32_t)((bytes + 15) / 16), 0}, /* blocks; a copy */
                     .constant_count = 4,
                     .groups = {groups < row ? groups : row, (groups + row - 1) / row, 1}};
    expect_ok(driver->shader_open(device, code.words, code.bytes, &shader, &why));
    c.shader = shader;
    expect_ok(driver->submit(device, &c, 1, NULL, &why));
    assert_int_equal(read_word(to, 0), 1);
    assert_int_equal(read_word(to, bytes / 4 - 1), 1);
    driver->buffer_close(from);
    driver->buffer_close(to);
    driver->shader_close(shader);
}

/* Copying bytes onto themselves is forbidden but harmless. Vulkan's validation layer, which the
 * environment adds, reports it on standard output. */
static void test_forbidden_copy(void) {
    gpu_buffer *one = make_buffer(65536, 0);
    const gpu_command copy = {
        .type = GPU_COPY, .source = {one, 0}, .target = {one, 0}, .bytes = 64};
    if (getenv("VK_INSTANCE_LAYERS"))
        expect_ok(driver->submit(device, &copy, 1, NULL, &why));
    driver->buffer_close(one);
}

CHECK_GROUP(test_gpu_driver, T(test_guarded_sums), T(test_transfers), T(test_largest_buffer),
            T(test_forbidden_copy));

int main(int argc, char **argv) {
    device = test_device_open(argc, argv);
    driver = device->driver;
    const int status = check_run(&test_gpu_driver);
    driver->close(device);
    return status;
}
