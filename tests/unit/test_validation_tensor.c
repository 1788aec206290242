/* SPDX-License-Identifier: MIT */
/* The rules of one tensor (docs/validation.md): the last value that is valid and the first that is
 * not, for the input and the output. */
#include "validation_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void set_type(scan_case *c, cumsum_data_type type) {
    for (int operand = 0; operand < 2; operand++) {
        c->buffer[operand].data_type = type;
        c->buffer[operand].total_tensor_size_in_bytes = 120 * cumsum_data_type_size(type);
    }
}

static void test_missing_tensors(void **state) {
    (void)state;
    scan_case c;
    validation_valid_case(&c);
    c.desc.input_tensor = NULL;
    expect_invalid(&c, (expectation){"InputTensor", "", -1, 0, 0, "InputTensor is NULL"});
    validation_valid_case(&c);
    c.desc.output_tensor = NULL;
    expect_invalid(&c, (expectation){"OutputTensor", "", -1, 0, 0, "OutputTensor is NULL"});
    for (int operand = 0; operand < 2; operand++) {
        validation_valid_case(&c);
        c.tensor[operand].type = CUMSUM_TENSOR_TYPE_INVALID;
        expect_invalid(&c,
                       (expectation){validation_tensors[operand], "Type", -1, 0, 1, "Type is 0"});
        c.tensor[operand].type = (cumsum_tensor_type)2;
        expect_invalid(&c,
                       (expectation){validation_tensors[operand], "Type", -1, 2, 1, "Type is 2"});
        c.tensor[operand].type = (cumsum_tensor_type)0xFFFF0001;
        expect_invalid(&c, (expectation){validation_tensors[operand], "Type", -1, 0xFFFF0001, 1,
                                         "Type is 4294901761"});
        validation_valid_case(&c);
        c.tensor[operand].desc = NULL;
        expect_invalid(
            &c, (expectation){validation_tensors[operand], "Desc", -1, 0, 0, "Desc is NULL"});
        validation_valid_case(&c);
        c.buffer[operand].sizes = NULL;
        expect_invalid(
            &c, (expectation){validation_tensors[operand], "Sizes", -1, 0, 0, "Sizes is NULL"});
    }
}

static void test_data_types(void **state) {
    (void)state;
    static const cumsum_data_type narrow[4] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                               CUMSUM_DATA_TYPE_UINT32, CUMSUM_DATA_TYPE_INT32};
    static const cumsum_data_type wide[2] = {CUMSUM_DATA_TYPE_UINT64, CUMSUM_DATA_TYPE_INT64};
    static const uint32_t others[] = {0, 4, 5, 7, 8, 9, 12, 13, 14, 0xFFFFFFFF};
    scan_case c;
    validation_valid_case(&c);
    for (int i = 0; i < 4; i++) {
        set_type(&c, narrow[i]);
        expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_2_1);
        expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_4_0);
        expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_5_0);
        expect_valid(&c);
    }
    for (int i = 0; i < 2; i++) {
        set_type(&c, wide[i]);
        expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_5_0);
        expect_valid(&c);
        const expectation e = {"InputTensor", "DataType", -1,
                               wide[i],       0,          "below feature level 5_0"};
        expect_invalid_at(&c, CUMSUM_FEATURE_LEVEL_4_0, e);
        expect_invalid_at(&c, CUMSUM_FEATURE_LEVEL_2_1, e);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        validation_valid_case(&c);
        set_type(&c, (cumsum_data_type)others[i]);
        expect_invalid(&c, (expectation){"InputTensor", "DataType", -1, others[i], 0, "DataType"});
    }
    set_type(&c, CUMSUM_DATA_TYPE_UINT16);
    expect_invalid(&c, (expectation){"InputTensor", "DataType", -1, 4, 0, "DataType is UINT16"});
    validation_valid_case(&c);
    c.buffer[1].data_type = CUMSUM_DATA_TYPE_UINT32;
    expect_invalid(&c, (expectation){"OutputTensor", "DataType", -1, 3, 1, "must equal"});
}

static void test_flags(void **state) {
    (void)state;
    scan_case c;
    validation_valid_case(&c);
    c.buffer[0].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    expect_valid(&c);
    c.buffer[0].flags = (cumsum_tensor_flags)2;
    expect_invalid(&c, (expectation){"InputTensor", "Flags", -1, 2, 1, "Flags is 2"});
    c.buffer[0].flags = (cumsum_tensor_flags)3;
    expect_invalid(&c, (expectation){"InputTensor", "Flags", -1, 3, 1, "Flags is 3"});
    c.buffer[0].flags = (cumsum_tensor_flags)0xFFFF0001;
    expect_invalid(&c, (expectation){"InputTensor", "Flags", -1, 0xFFFF0001, 1, "Flags is"});
    validation_valid_case(&c);
    c.buffer[1].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    expect_invalid(&c, (expectation){"OutputTensor", "Flags", -1, 1, 0, "on an output"});
}

static void test_alignment(void **state) {
    (void)state;
    static const uint32_t bad[] = {1, 2, 4, 8, 15, 17, 24, 48, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFF};
    scan_case c;
    for (int operand = 0; operand < 2; operand++) {
        validation_valid_case(&c);
        uint32_t *alignment = &c.buffer[operand].guaranteed_base_offset_alignment;
        for (uint32_t bit = 4; bit < 32; bit++) {
            *alignment = 1u << bit;
            expect_valid(&c);
        }
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            *alignment = bad[i];
            expect_invalid(&c, (expectation){validation_tensors[operand],
                                             "GuaranteedBaseOffsetAlignment", -1, bad[i], 16,
                                             "power of two"});
        }
    }
}

static void test_total_sizes(void **state) {
    (void)state;
    const uint64_t most = 4 * UINT64_C(0xFFFFFFFF);
    const uint32_t three[1] = {3};
    scan_case c;
    for (int operand = 0; operand < 2; operand++) {
        validation_valid_case(&c);
        uint64_t *total = &c.buffer[operand].total_tensor_size_in_bytes;
        *total = 481; /* need not be a multiple of 4 */
        expect_valid(&c);
        *total = most;
        expect_valid(&c);
        *total = most + 1;
        expect_invalid(&c, (expectation){validation_tensors[operand], "TotalTensorSizeInBytes", -1,
                                         most + 1, most, "must be at most"});
        *total = UINT64_MAX;
        expect_invalid(&c, (expectation){validation_tensors[operand], "TotalTensorSizeInBytes", -1,
                                         UINT64_MAX, most, "18446744073709551615"});
        *total = 479;
        expect_invalid(&c, (expectation){validation_tensors[operand], "TotalTensorSizeInBytes", -1,
                                         479, 480, "is 479, but it must be at least"});
        *total = 0;
        expect_invalid(&c, (expectation){validation_tensors[operand], "TotalTensorSizeInBytes", -1,
                                         0, 480, "here 480"});
        /* 6 bytes of binary16 need 8. */
        scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT16, 1, three, 0);
        *total = 8;
        expect_valid(&c);
        *total = 7;
        expect_invalid(&c, (expectation){validation_tensors[operand], "TotalTensorSizeInBytes", -1,
                                         7, 8, "here 8"});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_tensors), cmocka_unit_test(test_data_types),
        cmocka_unit_test(test_flags),           cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_total_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
