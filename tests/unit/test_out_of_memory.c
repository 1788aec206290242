/* SPDX-License-Identifier: MIT */
/* A plan that cannot be allocated is reported like any other error. plan.c is compiled into this
 * program with `malloc` defined as failing_malloc. */
#include <cumsum/cumsum.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

void *failing_malloc(size_t size);

static int calls = 0;

void *failing_malloc(size_t size) {
    (void)size;
    calls++;
    return NULL;
}

static void test_out_of_memory(void **state) {
    (void)state;
    const uint32_t sizes[1] = {3};
    const cumsum_buffer_tensor_desc buffer = {.data_type = CUMSUM_DATA_TYPE_FLOAT32,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = 12};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor, .output_tensor = &tensor};
    cumsum_plan *plan = (cumsum_plan *)(void *)&calls;
    cumsum_diagnostic d = {.message = ""};
    assert_int_equal(cumsum_plan_create(&desc, NULL, &plan, &d), CUMSUM_OUT_OF_MEMORY);
    assert_int_equal(calls, 1);
    assert_null(plan);
    assert_int_equal(d.status, CUMSUM_OUT_OF_MEMORY);
    assert_string_equal(d.message, "plan is too large, but it must fit in memory.");
    assert_int_equal(cumsum_plan_create(&desc, NULL, &plan, NULL), CUMSUM_OUT_OF_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
