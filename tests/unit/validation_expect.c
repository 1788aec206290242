/* SPDX-License-Identifier: MIT */
/* See validation_expect.h. */
#include "validation_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

const char *const validation_tensors[2] = {"InputTensor", "OutputTensor"};

void validation_valid_case(scan_case *c) {
    const uint32_t sizes[4] = {2, 3, 4, 5};
    scan_case_init(c, CUMSUM_DATA_TYPE_FLOAT32, 4, sizes, 2);
}

void expect_valid_at(const scan_case *c, cumsum_feature_level level) {
    cumsum_diagnostic diagnostic = {.message = "untouched"};
    assert_int_equal(cumsum_validate(&c->desc, level, &diagnostic), CUMSUM_OK);
    assert_string_equal(diagnostic.message, "untouched");
}

void expect_valid(const scan_case *c) {
    expect_valid_at(c, CUMSUM_FEATURE_LEVEL_DEFAULT);
}

void expect_invalid_at(const scan_case *c, cumsum_feature_level level, expectation e) {
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

void expect_invalid(const scan_case *c, expectation e) {
    expect_invalid_at(c, CUMSUM_FEATURE_LEVEL_DEFAULT, e);
}

void validation_set_strides(scan_case *c, int operand, const uint32_t *strides, uint64_t total) {
    memcpy(c->strides[operand], strides, c->buffer[operand].dimension_count * sizeof *strides);
    c->buffer[operand].strides = c->strides[operand];
    c->buffer[operand].total_tensor_size_in_bytes = total;
}
