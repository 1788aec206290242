/* SPDX-License-Identifier: MIT */
/* cumsum_plan_create: defaults, kernels, and every failure with its diagnostic. */
#include "check.h"
#include "failing_memory.h"
#include "scan_case.h"

#include <stdio.h>
#include <string.h>

static cumsum_plan *const not_a_plan = (cumsum_plan *)(void *)&not_a_plan;

static void expect_failure(const cumsum_operator_desc *desc, const cumsum_plan_options *options,
                           cumsum_status status, const char *field, uint64_t value) {
    cumsum_plan *plan = not_a_plan;
    cumsum_diagnostic d;
    assert_int_equal(cumsum_plan_create(desc, options, &plan, &d), status);
    assert_null(plan);
    assert_int_equal(d.status, status);
    assert_string_equal(d.field, field);
    assert_int_equal(d.value, value);
    assert_non_null(strstr(d.message, field));
    assert_int_equal(cumsum_plan_create(desc, options, &plan, NULL), status);
}

static void test_defaults(void) {
    const float input[3] = {1, 2, 3};
    float output[3] = {0};
    scan_case c;
    cumsum_plan *plan = NULL;
    cumsum_diagnostic d = {.message = "untouched"};
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 3);
    assert_int_equal(cumsum_plan_create(&c.desc, NULL, &plan, &d), CUMSUM_OK);
    assert_int_not_equal(cumsum_plan_kernel(plan), CUMSUM_KERNEL_AUTO);
    memset(&c, 0xFF, sizeof c); /* nothing of the descriptor is kept */
    assert_int_equal(cumsum_plan_execute(plan, input, 12, output, 12, &d), CUMSUM_OK);
    assert_true(output[0] == 1 && output[1] == 3 && output[2] == 6);
    assert_string_equal(d.message, "untouched");
    cumsum_plan_destroy(plan);
    cumsum_plan_destroy(NULL);
    assert_int_equal(cumsum_plan_kernel(NULL), CUMSUM_KERNEL_AUTO);
}

static void test_null_arguments(void) {
    scan_case c;
    cumsum_diagnostic d;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 3);
    assert_int_equal(cumsum_plan_create(&c.desc, NULL, NULL, &d), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.field, "plan");
    assert_int_equal(cumsum_plan_create(&c.desc, NULL, NULL, NULL), CUMSUM_INVALID_ARGUMENT);
    expect_failure(NULL, NULL, CUMSUM_INVALID_ARGUMENT, "desc", 0);
}

static void test_invalid_descriptor(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 3);
    c.desc.axis = 1;
    expect_failure(&c.desc, NULL, CUMSUM_INVALID_DESCRIPTOR, "Axis", 1);
    c.desc.axis = 0;
    c.options.feature_level = CUMSUM_FEATURE_LEVEL_2_1;
    expect_failure(&c.desc, &c.options, CUMSUM_INVALID_DESCRIPTOR, "DimensionCount", 1);
}

static void test_options_out_of_range(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 3);
    const cumsum_plan_options bad[] = {
        {.numerics.order = (cumsum_order)3},
        {.numerics.half_accumulator = (cumsum_half_accumulator)2},
        {.numerics.half_store = (cumsum_half_store)3},
        {.numerics.denormals = (cumsum_denormals)2},
        {.kernel = (cumsum_kernel)7},
        {.feature_level = (cumsum_feature_level)0x5001},
        {.numerics.order = (cumsum_order)-1},
    };
    const char *const fields[] = {"order",  "half_accumulator", "half_store", "denormals",
                                  "kernel", "feature_level",    "order"};
    const uint64_t values[] = {3, 2, 3, 2, 7, 0x5001, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_failure(&c.desc, &bad[i], CUMSUM_INVALID_ARGUMENT, fields[i], values[i]);
}

static void test_out_of_memory(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 3);
    cumsum_plan *plan = not_a_plan;
    cumsum_diagnostic d;
    failing_memory_at(1);
    const cumsum_status status = cumsum_plan_create(&c.desc, NULL, &plan, &d);
    failing_memory_at(0);
    assert_int_equal(status, CUMSUM_OUT_OF_MEMORY);
    assert_int_equal(d.status, CUMSUM_OUT_OF_MEMORY);
    assert_string_equal(d.message, "plan is too large, but it must fit in memory.");
    assert_null(plan);
}

/* An unavailable kernel is refused with its reason. */
static void test_unavailable_kernels(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_UINT32, 3);
    for (int k = CUMSUM_KERNEL_AUTO; k <= CUMSUM_KERNEL_NEON; k++) {
        const char *reason = NULL;
        cumsum_diagnostic d;
        cumsum_plan *plan = NULL;
        char message[200];
        c.options.kernel = (cumsum_kernel)k;
        if (cumsum_kernel_available(c.options.kernel, &reason))
            continue;
        assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, &d), CUMSUM_UNSUPPORTED);
        assert_string_equal(d.rule, reason);
        snprintf(message, sizeof message, "kernel is %s, but %s.",
                 cumsum_kernel_name(c.options.kernel), reason);
        assert_string_equal(d.message, message);
    }
}

CHECK_GROUP(test_plan, T(test_defaults), T(test_null_arguments), T(test_invalid_descriptor),
            T(test_options_out_of_range), T(test_out_of_memory), T(test_unavailable_kernels));
