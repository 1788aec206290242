/* SPDX-License-Identifier: MIT */
/*
 * Validation (docs/validation.md) of what no text can have: pointers that are NULL, and levels that
 * do not exist. tests/reject/validation.txt has a descriptor for each rule with its diagnostic, and
 * lists/invalid.jsonl what is just valid and just not.
 */
#include "check.h"
#include "scan_case.h"

#include <cumsum/oracle.h>

#include <string.h>

/* 2 x 3 x 4 x 5 of FLOAT32, axis 2: valid at every level. */
static void set_valid(scan_case *c) {
    const uint32_t sizes[4] = {2, 3, 4, 5};
    scan_case_init(c, CUMSUM_DATA_TYPE_FLOAT32, 4, sizes, 2);
}

static void test_null_and_unknown_arguments(void) {
    scan_case c;
    set_valid(&c);
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

static void test_no_description(void) {
    static const char *const tensors[2] = {"InputTensor", "OutputTensor"};
    for (int operand = 0; operand < 2; operand++) {
        scan_case c;
        cumsum_diagnostic d;
        set_valid(&c);
        c.tensor[operand].desc = NULL;
        memset(&d, 0xAA, sizeof d);
        assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, &d),
                         CUMSUM_INVALID_DESCRIPTOR);
        assert_int_equal(d.status, CUMSUM_INVALID_DESCRIPTOR);
        assert_string_equal(d.tensor, tensors[operand]);
        assert_string_equal(d.field, "Desc");
        assert_int_equal(d.dimension, -1);
        assert_non_null(strstr(d.message, d.rule));
        assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL),
                         CUMSUM_INVALID_DESCRIPTOR);
    }
}

static void test_a_valid_descriptor_leaves_the_diagnostic(void) {
    scan_case c;
    cumsum_diagnostic d = {.message = "untouched"};
    set_valid(&c);
    assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_2_1, &d), CUMSUM_OK);
    assert_int_equal(cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL), CUMSUM_OK);
    assert_string_equal(d.message, "untouched");
}

CHECK_GROUP(test_validation, T(test_null_and_unknown_arguments), T(test_no_description),
            T(test_a_valid_descriptor_leaves_the_diagnostic));
