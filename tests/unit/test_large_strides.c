/* SPDX-License-Identifier: MIT */
/* The largest tensors that are valid: 2^32 - 1 elements from the first to the last, 32 GiB for
 * INT64. The address space is reserved without memory, and only the pages of the six elements that
 * are addressed come into being. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "scan_case.h"

#include <string.h>
#include <sys/mman.h>

/* 2 * 2^30 + (2^31 - 2) + 1 = 2^32 - 1 elements. */
static const uint32_t sizes[2] = {3, 2};
static const uint32_t strides[2] = {0x40000000, 0x7FFFFFFE};

static unsigned char *reserve(uint64_t size) {
    void *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        check_skip("there is no such address space");
    return memory;
}

static unsigned char *element(unsigned char *memory, uint32_t i, uint32_t j, uint32_t size) {
    return memory + ((uint64_t)i * strides[0] + (uint64_t)j * strides[1]) * size;
}

/* Ones, tens and hundreds of a type that holds them, and their sums along dimension 0. */
static const int64_t input[3][2] = {{1, 2}, {10, 20}, {100, 200}};
static const int64_t increasing[3][2] = {{1, 2}, {11, 22}, {111, 222}};
static const int64_t decreasing[3][2] = {{111, 222}, {110, 220}, {100, 200}};

static void expect_sums(cumsum_data_type type, bool down, bool in_place) {
    scan_case c;
    const uint32_t size = cumsum_data_type_size(type);
    const int64_t(*expected)[2] = down ? decreasing : increasing;
    scan_case_init(&c, type, 2, sizes, 0);
    scan_case_set_strides(&c, strides, strides);
    /* This is both the smallest size that the strides need and the largest that is valid. */
    assert_int_equal(c.buffer[0].total_tensor_size_in_bytes, size * UINT64_C(0xFFFFFFFF));
    c.desc.axis_direction =
        down ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    unsigned char *from = reserve(size * UINT64_C(0x100000000));
    unsigned char *to = in_place ? from : reserve(size * UINT64_C(0x100000000));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 2; j++)
            memcpy(element(from, i, j, size), &input[i][j], size); /* little-endian */
    scan_case_execute(&c, from, to);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 2; j++)
            assert_memory_equal(element(to, i, j, size), &expected[i][j], size);
    munmap(from, (size_t)(size * UINT64_C(0x100000000)));
    if (!in_place)
        munmap(to, (size_t)(size * UINT64_C(0x100000000)));
}

static void test_sums(void) {
    for (int variant = 0; variant < 4; variant++) {
        expect_sums(CUMSUM_DATA_TYPE_INT64, variant & 1, variant & 2);
        expect_sums(CUMSUM_DATA_TYPE_UINT32, variant & 1, variant & 2);
    }
}

CHECK_GROUP(test_large_strides, T(test_sums));
