/* SPDX-License-Identifier: MIT */
/*
 * Extents and strides (docs/validation.md): the strides of an input are free, those of an output
 * are not, and no extent wraps.
 */
#include "validation_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_extents(void **state) {
    (void)state;
    const uint32_t two[1] = {2};
    const uint32_t last[1] = {0xFFFFFFFE};
    const uint32_t beyond[1] = {0xFFFFFFFF};
    const uint64_t most = 8 * UINT64_C(0xFFFFFFFF);
    scan_case c;
    for (int operand = 0; operand < 2; operand++) {
        scan_case_init(&c, CUMSUM_DATA_TYPE_INT64, 1, two, 0);
        validation_set_strides(&c, operand, last, most);
        expect_valid(&c);
        validation_set_strides(&c, operand, beyond, most);
        expect_invalid(&c,
                       (expectation){validation_tensors[operand], "Strides", -1,
                                     UINT64_C(0x100000000), 0xFFFFFFFF, "Strides is too large"});
    }
    /* Packed, 2^32 elements: too many by one. */
    const uint32_t large[2] = {0x10000, 0x10000};
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_INT64, 1);
    for (int operand = 0; operand < 2; operand++) {
        memcpy(c.sizes[operand], large, sizeof large);
        c.buffer[operand].dimension_count = 2;
        c.buffer[operand].total_tensor_size_in_bytes = most;
    }
    expect_invalid(&c, (expectation){"InputTensor", "Sizes", -1, UINT64_C(0x100000000), 0xFFFFFFFF,
                                     "Sizes is too large"});
    c.sizes[0][0] = c.sizes[1][0] = 0xFFFF;
    c.sizes[0][1] = c.sizes[1][1] = 0x10001; /* 2^32 - 1 */
    expect_valid(&c);
}

/* Terms and products of 2^64 - 2^33 and more: each layout would be valid if one of them wrapped. */
static void test_extents_do_not_wrap(void **state) {
    (void)state;
    uint32_t all_ones[8];
    uint32_t halves[8];
    for (int d = 0; d < 8; d++) {
        all_ones[d] = 0xFFFFFFFF;
        halves[d] = 0x80000001; /* (2^31) * 2^33 = 2^64 in two terms of a naive sum */
    }
    scan_case c;
    for (uint32_t rank = 1; rank <= 8; rank++) {
        uint32_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, rank, ones, 0);
        for (int operand = 0; operand < 2; operand++) {
            memcpy(c.sizes[operand], rank % 2 ? all_ones : halves, sizeof all_ones);
            validation_set_strides(&c, operand, all_ones, 4 * UINT64_C(0xFFFFFFFF));
        }
        expect_invalid(&c, (expectation){"InputTensor", "Strides", -1, UINT64_C(0x100000000),
                                         0xFFFFFFFF, "too large"});
        c.buffer[0].strides = c.buffer[1].strides = NULL;
        if (rank > 1)
            expect_invalid(&c, (expectation){"InputTensor", "Sizes", -1, UINT64_C(0x100000000),
                                             0xFFFFFFFF, "too large"});
    }
}

static void test_input_strides_are_free(void **state) {
    (void)state;
    const uint32_t strides[][4] = {{0, 0, 0, 0}, {1, 1, 1, 1}, {0, 7, 7, 1}, {60, 20, 5, 1}};
    scan_case c;
    validation_valid_case(&c);
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        scan_case_set_strides(&c, strides[i], NULL);
        expect_valid(&c);
    }
}

static void test_output_strides(void **state) {
    (void)state;
    const uint32_t permuted[4] = {1, 2, 6, 24};
    const uint32_t zero[4] = {60, 0, 5, 1};
    const uint32_t twins[4] = {60, 20, 20, 1};
    const uint32_t dense[4] = {59, 20, 5, 1};
    scan_case c;
    validation_valid_case(&c);
    scan_case_set_strides(&c, NULL, permuted);
    expect_valid(&c);
    scan_case_set_strides(&c, NULL, zero);
    expect_invalid(&c, (expectation){"OutputTensor", "Strides", 1, 0, 1, "Strides[1] is 0"});
    scan_case_set_strides(&c, NULL, twins);
    expect_invalid(&c, (expectation){"OutputTensor", "Strides", 2, 20, 1,
                                     "Strides[2] is 20, but it must not repeat"});
    scan_case_set_strides(&c, NULL, dense); /* spans 119 for 120 elements */
    expect_invalid(&c, (expectation){"OutputTensor", "Strides", -1, 119, 120, "too dense"});
}

/* The stride of a dimension of size 1 is ignored. */
static void test_strides_of_size_1_are_ignored(void **state) {
    (void)state;
    const uint32_t sizes[4] = {1, 3, 1, 5};
    const uint32_t strides[4] = {0, 5, 5, 1};
    const uint32_t huge[4] = {0xFFFFFFFF, 5, 0xFFFFFFFF, 1};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, 4, sizes, 1);
    scan_case_set_strides(&c, huge, strides);
    expect_valid(&c);
    assert_int_equal(c.buffer[0].total_tensor_size_in_bytes, 60);
    scan_case_set_strides(&c, strides, huge);
    expect_valid(&c);
}

/* The rule is not a test for overlap: it accepts what DirectML accepts. */
static void test_colliding_output_is_accepted(void **state) {
    (void)state;
    const uint32_t sizes[2] = {5, 5};
    const uint32_t strides[2] = {3, 4};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, 2, sizes, 1);
    scan_case_set_strides(&c, NULL, strides);
    expect_valid(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_extents_do_not_wrap),
        cmocka_unit_test(test_input_strides_are_free),
        cmocka_unit_test(test_output_strides),
        cmocka_unit_test(test_strides_of_size_1_are_ignored),
        cmocka_unit_test(test_colliding_output_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
