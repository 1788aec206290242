/* SPDX-License-Identifier: MIT */
/* Every rule of docs/validation.md at its boundary, from both sides, and what is said of it. */
#include "scan_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* 2 x 3 x 4 x 5 of FLOAT32, axis 2: valid at every level. */
static void valid_case(scan_case *c) {
    const uint32_t sizes[4] = {2, 3, 4, 5};
    scan_case_init(c, CUMSUM_DATA_TYPE_FLOAT32, 4, sizes, 2);
}

static void expect_valid_at(const scan_case *c, cumsum_feature_level level) {
    cumsum_diagnostic diagnostic = {.message = "untouched"};
    assert_int_equal(cumsum_validate(&c->desc, level, &diagnostic), CUMSUM_OK);
    assert_string_equal(diagnostic.message, "untouched");
}

static void expect_valid(const scan_case *c) {
    expect_valid_at(c, CUMSUM_FEATURE_LEVEL_DEFAULT);
}

typedef struct expectation {
    const char *tensor;
    const char *field;
    int32_t dimension;
    uint64_t value;
    uint64_t limit;
    const char *words; /* a part of the message */
} expectation;

static void expect_invalid_at(const scan_case *c, cumsum_feature_level level, expectation e) {
    cumsum_diagnostic d;
    memset(&d, 0xAA, sizeof d);
    assert_int_equal(cumsum_validate(&c->desc, level, &d), CUMSUM_INVALID_DESCRIPTOR);
    assert_int_equal(d.status, CUMSUM_INVALID_DESCRIPTOR);
    assert_string_equal(d.tensor, e.tensor);
    assert_string_equal(d.field, e.field);
    assert_int_equal(d.dimension, e.dimension);
    assert_int_equal(d.value, e.value);
    assert_int_equal(d.limit, e.limit);
    assert_non_null(strstr(d.message, d.rule));
    if (!strstr(d.message, e.words))
        fail_msg("\"%s\" is not in \"%s\"", e.words, d.message);
    assert_int_equal(d.message[strlen(d.message) - 1], '.');
    assert_null(strchr(d.message, '\n'));
    assert_int_equal(cumsum_validate(&c->desc, level, NULL), CUMSUM_INVALID_DESCRIPTOR);
}

static void expect_invalid(const scan_case *c, expectation e) {
    expect_invalid_at(c, CUMSUM_FEATURE_LEVEL_DEFAULT, e);
}

static const char *const names[2] = {"InputTensor", "OutputTensor"};

static void test_null_and_unknown_arguments(void **state) {
    (void)state;
    scan_case c;
    valid_case(&c);
    cumsum_diagnostic d;
    assert_int_equal(cumsum_validate(NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &d),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.message, "desc is NULL, but it must be given.");
    assert_int_equal(cumsum_validate(&c.desc, (cumsum_feature_level)0x3000, &d),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.field, "feature_level");
    assert_int_equal(d.value, 0x3000);
    assert_int_equal(cumsum_validate(&c.desc, (cumsum_feature_level)1, NULL),
                     CUMSUM_INVALID_ARGUMENT);
}

static void test_missing_tensors(void **state) {
    (void)state;
    scan_case c;
    valid_case(&c);
    c.desc.input_tensor = NULL;
    expect_invalid(&c, (expectation){"InputTensor", "", -1, 0, 0, "InputTensor is NULL"});
    valid_case(&c);
    c.desc.output_tensor = NULL;
    expect_invalid(&c, (expectation){"OutputTensor", "", -1, 0, 0, "OutputTensor is NULL"});
    for (int side = 0; side < 2; side++) {
        valid_case(&c);
        c.tensor[side].type = CUMSUM_TENSOR_TYPE_INVALID;
        expect_invalid(&c, (expectation){names[side], "Type", -1, 0, 1, "Type is 0"});
        c.tensor[side].type = (cumsum_tensor_type)2;
        expect_invalid(&c, (expectation){names[side], "Type", -1, 2, 1, "Type is 2"});
        valid_case(&c);
        c.tensor[side].desc = NULL;
        expect_invalid(&c, (expectation){names[side], "Desc", -1, 0, 0, "Desc is NULL"});
        valid_case(&c);
        c.buffer[side].sizes = NULL;
        expect_invalid(&c, (expectation){names[side], "Sizes", -1, 0, 0, "Sizes is NULL"});
    }
}

static void set_type(scan_case *c, cumsum_data_type type) {
    for (int side = 0; side < 2; side++) {
        c->buffer[side].data_type = type;
        c->buffer[side].total_tensor_size_in_bytes = 120 * cumsum_data_type_size(type);
    }
}

static void test_data_types(void **state) {
    (void)state;
    static const cumsum_data_type narrow[4] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                               CUMSUM_DATA_TYPE_UINT32, CUMSUM_DATA_TYPE_INT32};
    static const cumsum_data_type wide[2] = {CUMSUM_DATA_TYPE_UINT64, CUMSUM_DATA_TYPE_INT64};
    static const uint32_t others[] = {0, 4, 5, 7, 8, 9, 12, 13, 14, 0xFFFFFFFF};
    scan_case c;
    valid_case(&c);
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
        valid_case(&c);
        set_type(&c, (cumsum_data_type)others[i]);
        expect_invalid(&c, (expectation){"InputTensor", "DataType", -1, others[i], 0, "DataType"});
    }
    set_type(&c, CUMSUM_DATA_TYPE_UINT16);
    expect_invalid(&c, (expectation){"InputTensor", "DataType", -1, 4, 0, "DataType is UINT16"});
    valid_case(&c);
    c.buffer[1].data_type = CUMSUM_DATA_TYPE_UINT32;
    expect_invalid(&c, (expectation){"OutputTensor", "DataType", -1, 3, 1, "must equal"});
}

static void test_dimension_counts(void **state) {
    (void)state;
    const uint32_t ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    scan_case c;
    for (uint32_t rank = 1; rank <= 8; rank++) {
        scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, rank, ones, rank - 1);
        expect_valid(&c);
        expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_4_0);
        if (rank == 4)
            expect_valid_at(&c, CUMSUM_FEATURE_LEVEL_2_1);
        else
            expect_invalid_at(&c, CUMSUM_FEATURE_LEVEL_2_1,
                              (expectation){"InputTensor", "DimensionCount", -1, rank, 4,
                                            "must be 4 at feature level 2_1"});
    }
    for (int side = 0; side < 2; side++) {
        valid_case(&c);
        c.buffer[side].dimension_count = 0;
        expect_invalid(
            &c, (expectation){names[side], "DimensionCount", -1, 0, 1, "DimensionCount is 0"});
        c.buffer[side].dimension_count = 9;
        expect_invalid(
            &c, (expectation){names[side], "DimensionCount", -1, 9, 8, "DimensionCount is 9"});
        c.buffer[side].dimension_count = 0xFFFFFFFF;
        expect_invalid(&c, (expectation){names[side], "DimensionCount", -1, 0xFFFFFFFF, 8, "8"});
    }
    valid_case(&c);
    c.buffer[1].dimension_count = 3;
    expect_invalid(&c, (expectation){"OutputTensor", "DimensionCount", -1, 3, 4, "must equal"});
}

static void test_sizes(void **state) {
    (void)state;
    scan_case c;
    for (int side = 0; side < 2; side++)
        for (uint32_t d = 0; d < 4; d++) {
            valid_case(&c);
            c.sizes[side][d] = 0;
            expect_invalid(&c, (expectation){names[side], "Sizes", (int32_t)d, 0, 1, "is 0"});
        }
    for (uint32_t d = 0; d < 4; d++) {
        valid_case(&c);
        c.sizes[1][d]--;
        expect_invalid(&c, (expectation){"OutputTensor", "Sizes", (int32_t)d, c.sizes[1][d],
                                         c.sizes[0][d], "must equal InputTensor.Sizes"});
    }
}

static void test_axis_and_direction(void **state) {
    (void)state;
    scan_case c;
    valid_case(&c);
    for (uint32_t axis = 0; axis < 4; axis++) {
        c.desc.axis = axis;
        expect_valid(&c);
    }
    c.desc.axis = 4;
    expect_invalid(&c, (expectation){"", "Axis", -1, 4, 4, "Axis is 4, but it must be below"});
    c.desc.axis = 0xFFFFFFFF;
    expect_invalid(&c, (expectation){"", "Axis", -1, 0xFFFFFFFF, 4, "here 4"});
    valid_case(&c);
    c.desc.axis_direction = CUMSUM_AXIS_DIRECTION_DECREASING;
    expect_valid(&c);
    c.desc.axis_direction = (cumsum_axis_direction)2;
    expect_invalid(&c, (expectation){"", "AxisDirection", -1, 2, 1, "AxisDirection is 2"});
    c.desc.axis_direction = (cumsum_axis_direction)-1;
    expect_invalid(&c, (expectation){"", "AxisDirection", -1, 0xFFFFFFFF, 1, "DECREASING (1)"});
}

static void test_exclusive_is_any_bool(void **state) {
    (void)state;
    static const int32_t values[] = {0, 1, 2, -1, INT32_MIN, INT32_MAX};
    scan_case c;
    valid_case(&c);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        c.desc.has_exclusive_sum = values[i];
        expect_valid(&c);
    }
}

static void test_flags(void **state) {
    (void)state;
    scan_case c;
    valid_case(&c);
    c.buffer[0].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    expect_valid(&c);
    c.buffer[0].flags = (cumsum_tensor_flags)2;
    expect_invalid(&c, (expectation){"InputTensor", "Flags", -1, 2, 1, "Flags is 2"});
    c.buffer[0].flags = (cumsum_tensor_flags)3;
    expect_invalid(&c, (expectation){"InputTensor", "Flags", -1, 3, 1, "Flags is 3"});
    valid_case(&c);
    c.buffer[1].flags = CUMSUM_TENSOR_FLAG_OWNED_BY_DML;
    expect_invalid(&c, (expectation){"OutputTensor", "Flags", -1, 1, 0, "on an output"});
}

static void test_alignment(void **state) {
    (void)state;
    static const uint32_t bad[] = {1, 2, 4, 8, 15, 17, 24, 48, 0x7FFFFFFF, 0x80000001, 0xFFFFFFFF};
    scan_case c;
    for (int side = 0; side < 2; side++) {
        valid_case(&c);
        uint32_t *alignment = &c.buffer[side].guaranteed_base_offset_alignment;
        for (uint32_t bit = 4; bit < 32; bit++) {
            *alignment = 1u << bit;
            expect_valid(&c);
        }
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            *alignment = bad[i];
            expect_invalid(&c, (expectation){names[side], "GuaranteedBaseOffsetAlignment", -1,
                                             bad[i], 16, "power of two"});
        }
    }
}

static void test_total_sizes(void **state) {
    (void)state;
    const uint64_t most = 4 * UINT64_C(0xFFFFFFFF);
    const uint32_t three[1] = {3};
    scan_case c;
    for (int side = 0; side < 2; side++) {
        valid_case(&c);
        uint64_t *total = &c.buffer[side].total_tensor_size_in_bytes;
        *total = 481; /* need not be a multiple of 4 */
        expect_valid(&c);
        *total = most;
        expect_valid(&c);
        *total = most + 1;
        expect_invalid(&c, (expectation){names[side], "TotalTensorSizeInBytes", -1, most + 1, most,
                                         "must be at most"});
        *total = UINT64_MAX;
        expect_invalid(&c, (expectation){names[side], "TotalTensorSizeInBytes", -1, UINT64_MAX,
                                         most, "18446744073709551615"});
        *total = 479;
        expect_invalid(&c, (expectation){names[side], "TotalTensorSizeInBytes", -1, 479, 480,
                                         "is 479, but it must be at least"});
        *total = 0;
        expect_invalid(
            &c, (expectation){names[side], "TotalTensorSizeInBytes", -1, 0, 480, "here 480"});
        /* 6 bytes of binary16 need 8. */
        scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT16, 1, three, 0);
        *total = 8;
        expect_valid(&c);
        *total = 7;
        expect_invalid(&c,
                       (expectation){names[side], "TotalTensorSizeInBytes", -1, 7, 8, "here 8"});
    }
}

/* Sets strides without asking for a total size, which some of these have none of. */
static void set_raw_strides(scan_case *c, int side, const uint32_t *strides, uint64_t total) {
    memcpy(c->strides[side], strides, c->buffer[side].dimension_count * sizeof *strides);
    c->buffer[side].strides = c->strides[side];
    c->buffer[side].total_tensor_size_in_bytes = total;
}

static void test_extents(void **state) {
    (void)state;
    const uint32_t two[1] = {2};
    const uint32_t last[1] = {0xFFFFFFFE};
    const uint32_t beyond[1] = {0xFFFFFFFF};
    const uint64_t most = 8 * UINT64_C(0xFFFFFFFF);
    scan_case c;
    for (int side = 0; side < 2; side++) {
        scan_case_init(&c, CUMSUM_DATA_TYPE_INT64, 1, two, 0);
        set_raw_strides(&c, side, last, most);
        expect_valid(&c);
        set_raw_strides(&c, side, beyond, most);
        expect_invalid(&c, (expectation){names[side], "Strides", -1, UINT64_C(0x100000000),
                                         0xFFFFFFFF, "Strides is too large"});
    }
    /* Packed, 2^32 elements: too many by one. */
    const uint32_t large[2] = {0x10000, 0x10000};
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_INT64, 1);
    for (int side = 0; side < 2; side++) {
        memcpy(c.sizes[side], large, sizeof large);
        c.buffer[side].dimension_count = 2;
        c.buffer[side].total_tensor_size_in_bytes = most;
    }
    expect_invalid(&c, (expectation){"InputTensor", "Sizes", -1, UINT64_C(0x100000000), 0xFFFFFFFF,
                                     "Sizes is too large"});
    c.sizes[0][0] = c.sizes[1][0] = 0xFFFF;
    c.sizes[0][1] = c.sizes[1][1] = 0x10001; /* 2^32 - 1 */
    expect_valid(&c);
}

/* Terms and products at 2^64 - 2^33 and beyond: each would pass if one of them wrapped. */
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
        for (int side = 0; side < 2; side++) {
            memcpy(c.sizes[side], rank % 2 ? all_ones : halves, sizeof all_ones);
            set_raw_strides(&c, side, all_ones, 4 * UINT64_C(0xFFFFFFFF));
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
    valid_case(&c);
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
    valid_case(&c);
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

/* A dimension of size 1 has no stride, whatever is written there. */
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

/* DirectML's test is not one for overlap, and neither is this. */
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
        cmocka_unit_test(test_null_and_unknown_arguments),
        cmocka_unit_test(test_missing_tensors),
        cmocka_unit_test(test_data_types),
        cmocka_unit_test(test_dimension_counts),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_axis_and_direction),
        cmocka_unit_test(test_exclusive_is_any_bool),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_total_sizes),
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_extents_do_not_wrap),
        cmocka_unit_test(test_input_strides_are_free),
        cmocka_unit_test(test_output_strides),
        cmocka_unit_test(test_strides_of_size_1_are_ignored),
        cmocka_unit_test(test_colliding_output_is_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
