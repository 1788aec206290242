/* SPDX-License-Identifier: MIT */
/* If the kernels have no function for a shape, the plan takes the reference. The kernels are made
 * up: cumsum_kernel_find is replaced (--wrap) by a table that has no functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kernel_table.h"

const cumsum_kernel_table *__wrap_cumsum_kernel_find(cumsum_kernel kernel, const char **reason);

static cumsum_panel_function *no_panel(const cumsum_shape *shape,
                                       const cumsum_arithmetic *arithmetic) {
    (void)shape;
    (void)arithmetic;
    return NULL;
}

static const cumsum_segment_functions *no_segments(const cumsum_arithmetic *arithmetic) {
    (void)arithmetic;
    return NULL;
}

const cumsum_kernel_table *__wrap_cumsum_kernel_find(cumsum_kernel kernel, const char **reason) {
    static const cumsum_kernel_table table = {
        .kernel = CUMSUM_KERNEL_AVX2, .select = no_panel, .select_segments = no_segments};
    assert_int_equal(kernel, CUMSUM_KERNEL_AVX2);
    *reason = NULL;
    return &table;
}

static void test_fallback_to_the_reference(void **state) {
    (void)state;
    static const uint32_t sizes[1] = {4};
    static const float input[4] = {1, 2, 3, 4}, expected[4] = {1, 3, 6, 10};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = sizeof input};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    const cumsum_plan_options options = {.kernel = CUMSUM_KERNEL_AVX2};
    float output[4] = {0};
    cumsum_plan *plan;
    assert_int_equal(cumsum_plan_create(&desc, &options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_kernel(plan), CUMSUM_KERNEL_REFERENCE);
    assert_int_equal(cumsum_plan_execute(plan, input, sizeof input, output, sizeof output, NULL),
                     CUMSUM_OK);
    assert_memory_equal(output, expected, sizeof expected);
    cumsum_plan_destroy(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fallback_to_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
