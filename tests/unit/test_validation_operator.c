/* SPDX-License-Identifier: MIT */
/*
 * The rules of the operator as a whole (docs/validation.md): the last value that is valid and the
 * first that is not, and the order in which rules are reported.
 */
#include "validation_expect.h"

#include <cumsum/oracle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_null_and_unknown_arguments(void **state) {
    (void)state;
    scan_case c;
    validation_valid_case(&c);
    cumsum_diagnostic d;
    assert_int_equal(cumsum_validate(NULL, CUMSUM_FEATURE_LEVEL_DEFAULT, &d),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.message, "desc is NULL, but it must be given.");
    assert_int_equal(d.value, 0);
    cumsum_judgement judgement;
    memset(&d, 0xAA, sizeof d);
    assert_int_equal(cumsum_judge(NULL, &c, sizeof c, &c, sizeof c, NULL, NULL, &judgement, &d),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.message, "desc is NULL, but it must be given.");
    assert_int_equal(d.value, 0);
    assert_int_equal(cumsum_validate(&c.desc, (cumsum_feature_level)0x3000, &d),
                     CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.field, "feature_level");
    assert_int_equal(d.value, 0x3000);
    assert_int_equal(cumsum_validate(&c.desc, (cumsum_feature_level)1, NULL),
                     CUMSUM_INVALID_ARGUMENT);
}

static void test_axis_and_direction(void **state) {
    (void)state;
    scan_case c;
    validation_valid_case(&c);
    for (uint32_t axis = 0; axis < 4; axis++) {
        c.desc.axis = axis;
        expect_valid(&c);
    }
    c.desc.axis = 4;
    expect_invalid(&c, (expectation){"", "Axis", -1, 4, 4, "Axis is 4, but it must be below"});
    c.desc.axis = 0xFFFFFFFF;
    expect_invalid(&c, (expectation){"", "Axis", -1, 0xFFFFFFFF, 4, "Axis is -1, but it must"});
    c.desc.axis = (uint32_t)-8;
    expect_invalid(&c, (expectation){"", "Axis", -1, (uint32_t)-8, 4, "Axis is -8, but"});
    c.desc.axis = (uint32_t)-9;
    expect_invalid(&c, (expectation){"", "Axis", -1, (uint32_t)-9, 4, "Axis is 4294967287, but"});
    validation_valid_case(&c);
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
    validation_valid_case(&c);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        c.desc.has_exclusive_sum = values[i];
        expect_valid(&c);
    }
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
    for (int operand = 0; operand < 2; operand++) {
        validation_valid_case(&c);
        c.buffer[operand].dimension_count = 0;
        expect_invalid(&c, (expectation){validation_tensors[operand], "DimensionCount", -1, 0, 1,
                                         "DimensionCount is 0"});
        c.buffer[operand].dimension_count = 9;
        expect_invalid(&c, (expectation){validation_tensors[operand], "DimensionCount", -1, 9, 8,
                                         "DimensionCount is 9"});
        c.buffer[operand].dimension_count = 0xFFFFFFFF;
        expect_invalid(&c, (expectation){validation_tensors[operand], "DimensionCount", -1,
                                         0xFFFFFFFF, 8, "8"});
    }
    validation_valid_case(&c);
    c.buffer[1].dimension_count = 3;
    expect_invalid(&c, (expectation){"OutputTensor", "DimensionCount", -1, 3, 4, "must equal"});
}

static void test_sizes(void **state) {
    (void)state;
    scan_case c;
    for (int operand = 0; operand < 2; operand++)
        for (uint32_t d = 0; d < 4; d++) {
            validation_valid_case(&c);
            c.sizes[operand][d] = 0;
            expect_invalid(
                &c, (expectation){validation_tensors[operand], "Sizes", (int32_t)d, 0, 1, "is 0"});
        }
    for (uint32_t d = 0; d < 4; d++) {
        validation_valid_case(&c);
        c.sizes[1][d]--;
        expect_invalid(&c, (expectation){"OutputTensor", "Sizes", (int32_t)d, c.sizes[1][d],
                                         c.sizes[0][d], "must equal InputTensor.Sizes"});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_and_unknown_arguments),
        cmocka_unit_test(test_axis_and_direction),
        cmocka_unit_test(test_exclusive_is_any_bool),
        cmocka_unit_test(test_dimension_counts),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
