/* SPDX-License-Identifier: MIT */
/*
 * A plan's scratch memory: no place is given twice, and an execution that finds no free place
 * computes the same bits without one.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan.h"

#include "scan_case.h"

static void test_places(void) {
    enum {
        COUNT = 3,
        SIZE = 100
    };
    cumsum_scratch scratch;
    void *memory = malloc(cumsum_scratch_bytes(COUNT, SIZE));
    unsigned char *places[COUNT];
    assert_non_null(memory);
    memset(memory, 0xFF, cumsum_scratch_bytes(COUNT, SIZE));
    cumsum_scratch_init(&scratch, COUNT, SIZE, memory);
    for (int i = 0; i < COUNT; i++) {
        places[i] = cumsum_scratch_take(&scratch);
        assert_non_null(places[i]);
        assert_int_equal((uintptr_t)places[i] % 64, 0);
        memset(places[i], i + 1, SIZE);
    }
    assert_null(cumsum_scratch_take(&scratch));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(places[i][0] + places[i][SIZE - 1], 2 * (i + 1));
    cumsum_scratch_give_back(places[1]);
    assert_ptr_equal(cumsum_scratch_take(&scratch), places[1]);
    assert_null(cumsum_scratch_take(&scratch));
    cumsum_scratch_give_back(NULL);
    free(memory);
}

static void test_no_places(void) {
    cumsum_scratch scratch;
    assert_int_equal(cumsum_scratch_bytes(4, 0), 0);
    cumsum_scratch_init(&scratch, 4, 0, NULL);
    assert_null(cumsum_scratch_take(&scratch));
}

/* Interleaved lines with one level and with two, more of them than fit without scratch memory. */
static void expect_same_bits(cumsum_data_type type, cumsum_kernel kernel, const uint32_t sizes[2],
                             bool exclusive) {
    scan_case c;
    cumsum_plan *plan;
    scan_case_init(&c, type, 2, sizes, 0);
    c.desc.has_exclusive_sum = exclusive;
    c.options =
        (cumsum_plan_options){.numerics = {.order = CUMSUM_ORDER_BLOCKED}, .kernel = kernel};
    const size_t bytes = c.buffer[0].total_tensor_size_in_bytes;
    unsigned char *input = malloc(bytes), *with = malloc(bytes), *without = malloc(bytes);
    assert_true(input && with && without);
    uint64_t random = 5;
    for (size_t i = 0; i + 2 <= bytes; i += 2) { /* halves and floats from 2^-8 to 4 or so */
        const uint16_t bits = (uint16_t)(0x3C00 + random_below(&random, 0x0400));
        memcpy(input + i, &bits, sizeof bits);
    }
    assert_int_equal(cumsum_plan_create(&c.desc, &c.options, &plan, NULL), CUMSUM_OK);
    assert_int_equal(cumsum_plan_execute(plan, input, bytes, with, bytes, NULL), CUMSUM_OK);
    void *place = cumsum_scratch_take(&plan->scratch);
    assert_true(place || cumsum_plan_kernel(plan) == CUMSUM_KERNEL_REFERENCE);
    assert_null(cumsum_scratch_take(&plan->scratch));
    assert_int_equal(cumsum_plan_execute(plan, input, bytes, without, bytes, NULL), CUMSUM_OK);
    cumsum_scratch_give_back(place);
    assert_memory_equal(with, without, bytes);
    cumsum_plan_destroy(plan);
    c.options.kernel = CUMSUM_KERNEL_REFERENCE;
    scan_case_execute(&c, input, without);
    assert_memory_equal(with, without, bytes);
    free(input);
    free(with);
    free(without);
}

static void test_executions_without_a_place(void) {
    static const uint32_t strips[2] = {1100, 1300}, tall[2] = {1049000, 4};
    for (int kernel = CUMSUM_KERNEL_PORTABLE; kernel <= CUMSUM_KERNEL_NEON; kernel++) {
        if (!cumsum_kernel_available((cumsum_kernel)kernel, NULL))
            continue;
        expect_same_bits(CUMSUM_DATA_TYPE_FLOAT32, (cumsum_kernel)kernel, strips, kernel & 1);
        expect_same_bits(CUMSUM_DATA_TYPE_FLOAT16, (cumsum_kernel)kernel, strips, !(kernel & 1));
        expect_same_bits(CUMSUM_DATA_TYPE_FLOAT32, (cumsum_kernel)kernel, tall, !(kernel & 1));
    }
}

CHECK_GROUP(test_scratch, T(test_places), T(test_no_places), T(test_executions_without_a_place));
