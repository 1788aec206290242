/* SPDX-License-Identifier: MIT */
/*
 * The rules for the memory of an execution (docs/validation.md, "Bindings"): the last binding that
 * is valid and the first that is not. A call that fails writes nothing.
 */
#include "check.h"
#include "scan_case.h"

#include <stdio.h>
#include <string.h>

/* The tests place tensors of 4 FLOAT32 elements, 16 bytes, in the pool. */
static _Alignas(256) unsigned char pool[1024];
static _Alignas(256) unsigned char before[1024];

static cumsum_plan *make_plan(const scan_case *c) {
    cumsum_plan *plan = NULL;
    assert_int_equal(cumsum_plan_create(&c->desc, &c->options, &plan, NULL), CUMSUM_OK);
    return plan;
}

static cumsum_plan *plan_of_four(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 4);
    return make_plan(&c);
}

static void fill_pool(void) {
    uint64_t seed = 31;
    for (size_t i = 0; i < sizeof pool; i++)
        pool[i] = (unsigned char)random_next(&seed) & 0xBF; /* no NaN */
    memcpy(before, pool, sizeof pool);
}

static void expect_invalid(const cumsum_plan *plan, const void *input, uint64_t input_size,
                           void *output, uint64_t output_size, const char *tensor,
                           const char *field, const char *words) {
    cumsum_diagnostic d;
    assert_int_equal(cumsum_plan_execute(plan, input, input_size, output, output_size, &d),
                     CUMSUM_INVALID_BINDING);
    assert_int_equal(d.status, CUMSUM_INVALID_BINDING);
    assert_string_equal(d.tensor, tensor);
    assert_string_equal(d.field, field);
    if (!strstr(d.message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, d.message);
    assert_int_equal(cumsum_plan_execute(plan, input, input_size, output, output_size, NULL),
                     CUMSUM_INVALID_BINDING);
    assert_memory_equal(pool, before, sizeof pool);
}

static void expect_valid(const cumsum_plan *plan, const void *input, uint64_t input_size,
                         void *output, uint64_t output_size) {
    cumsum_diagnostic d = {.message = ""};
    if (cumsum_plan_execute(plan, input, input_size, output, output_size, &d) != CUMSUM_OK)
        fail_msg("%s", d.message);
    fill_pool();
}

static void expect_null(const cumsum_plan *plan, const void *input, void *output,
                        const char *argument) {
    cumsum_diagnostic d;
    memset(&d, 0xAA, sizeof d);
    assert_int_equal(cumsum_plan_execute(plan, input, 16, output, 16, &d), CUMSUM_INVALID_ARGUMENT);
    assert_string_equal(d.tensor, "");
    assert_string_equal(d.field, argument);
    assert_true(d.dimension == -1 && d.value == 0 && d.limit == 0);
    assert_non_null(strstr(d.message, "is NULL, but it must be given."));
}

static void test_null_pointers(void) {
    cumsum_plan *plan = plan_of_four();
    fill_pool();
    expect_null(NULL, pool, pool + 16, "plan");
    expect_null(plan, NULL, pool, "input");
    expect_null(plan, pool, NULL, "output");
    assert_int_equal(cumsum_plan_execute(plan, NULL, 0, NULL, 0, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_memory_equal(pool, before, sizeof pool);
    cumsum_plan_destroy(plan);
}

static void test_sizes(void) {
    cumsum_plan *plan = plan_of_four();
    fill_pool();
    expect_valid(plan, pool, 16, pool + 16, 16);
    expect_invalid(plan, pool, 15, pool + 16, 16, "InputTensor", "SizeInBytes",
                   "is 15, but it must be at least TotalTensorSizeInBytes, here 16");
    expect_invalid(plan, pool, 16, pool + 16, 15, "OutputTensor", "SizeInBytes", "here 16");
    expect_invalid(plan, pool, 0, pool + 16, 16, "InputTensor", "SizeInBytes", "is 0");
    cumsum_plan_destroy(plan);
}

/* A binding must cover the total size, not only the elements. */
static void test_total_size_counts(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 4);
    c.buffer[0].total_tensor_size_in_bytes = 64;
    cumsum_plan *plan = make_plan(&c);
    fill_pool();
    expect_valid(plan, pool, 64, pool + 64, 16);
    expect_invalid(plan, pool, 63, pool + 64, 16, "InputTensor", "SizeInBytes", "here 64");
    cumsum_plan_destroy(plan);
}

/* Ranges that reach past the last address. */
static void test_wrapping_ranges(void) {
    cumsum_plan *plan = plan_of_four();
    fill_pool();
    const uint64_t rest = UINTPTR_MAX - (uintptr_t)pool;
    char words[80];
    snprintf(words, sizeof words, "end of the address space, here %llu.", (unsigned long long)rest);
    expect_valid(plan, pool, rest, pool + 16, 16);
    expect_invalid(plan, pool, rest + 1, pool + 16, 16, "InputTensor", "SizeInBytes", words);
    expect_invalid(plan, pool, 16, pool + 16, UINT64_MAX, "OutputTensor", "SizeInBytes",
                   "end of the address space");
    cumsum_plan_destroy(plan);
}

static void test_element_alignment(void) {
    static const cumsum_data_type types[3] = {CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_UINT32,
                                              CUMSUM_DATA_TYPE_INT64};
    for (int t = 0; t < 3; t++) {
        scan_case c;
        scan_case_init_line(&c, types[t], 4);
        cumsum_plan *plan = make_plan(&c);
        const size_t size = cumsum_data_type_size(types[t]);
        fill_pool();
        for (size_t shift = 0; shift < 16; shift++) {
            if (shift % size == 0) {
                expect_valid(plan, pool + shift, 32, pool + 256 + shift, 32);
                continue;
            }
            expect_invalid(plan, pool + shift, 32, pool + 256, 32, "InputTensor", "Address",
                           "multiple of the element size");
            expect_invalid(plan, pool, 32, pool + 256 + shift, 32, "OutputTensor", "Address",
                           "multiple of the element size");
        }
        cumsum_plan_destroy(plan);
    }
}

static void test_guaranteed_alignment(void) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, 4);
    c.buffer[1].guaranteed_base_offset_alignment = 64;
    cumsum_plan *plan = make_plan(&c);
    fill_pool();
    expect_valid(plan, pool + 4, 16, pool + 64, 16);
    expect_valid(plan, pool + 4, 16, pool + 128, 16);
    expect_invalid(plan, pool + 4, 16, pool + 96, 16, "OutputTensor", "Address", "here 64");
    expect_invalid(plan, pool + 4, 16, pool + 68, 16, "OutputTensor", "Address", "here 64");
    cumsum_plan_destroy(plan);
}

static void test_overlap(void) {
    cumsum_plan *plan = plan_of_four();
    fill_pool();
    for (ptrdiff_t shift = -32; shift <= 32; shift += 4) {
        unsigned char *output = pool + 256 + shift;
        if (shift == 0 || shift <= -16 || shift >= 16)
            expect_valid(plan, pool + 256, 16, output, 16);
        else
            expect_invalid(plan, pool + 256, 16, output, 16, "OutputTensor", "Address",
                           "partly overlaps");
    }
    cumsum_plan_destroy(plan);
}

/* Overlap concerns the bytes of the elements, not those of the bindings: two tensors may lie one
 * behind the other in a buffer, with bindings that both reach to its end. */
static void test_overlap_is_of_elements(void) {
    cumsum_plan *plan = plan_of_four();
    fill_pool();
    expect_valid(plan, pool, sizeof pool, pool + 16, sizeof pool - 16);
    expect_invalid(plan, pool, sizeof pool, pool + 12, sizeof pool - 12, "OutputTensor", "Address",
                   "partly overlaps");
    cumsum_plan_destroy(plan);
}

/* The same address is in place only if the layouts agree; strides of dimensions of size 1 are
 * ignored. */
static void test_in_place_needs_the_same_layout(void) {
    const uint32_t sizes[3] = {1, 2, 3};
    const uint32_t packed[3] = {6, 3, 1};
    const uint32_t unused[3] = {77, 3, 1};
    const uint32_t transposed[3] = {6, 1, 2};
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 3, sizes, 2);
    fill_pool();
    scan_case_set_strides(&c, NULL, packed);
    cumsum_plan *plan = make_plan(&c);
    expect_valid(plan, pool, 24, pool, 24);
    cumsum_plan_destroy(plan);
    scan_case_set_strides(&c, unused, packed);
    plan = make_plan(&c);
    expect_valid(plan, pool, 24, pool, 24);
    cumsum_plan_destroy(plan);
    scan_case_set_strides(&c, transposed, packed);
    plan = make_plan(&c);
    expect_invalid(plan, pool, 24, pool, 24, "OutputTensor", "Address", "the same strides");
    cumsum_plan_destroy(plan);
    scan_case_set_strides(&c, packed, packed);
    c.buffer[1].total_tensor_size_in_bytes = 28;
    plan = make_plan(&c);
    expect_invalid(plan, pool, 28, pool, 28, "OutputTensor", "Address", "total size");
    cumsum_plan_destroy(plan);
}

CHECK_GROUP(test_binding, T(test_null_pointers), T(test_sizes), T(test_total_size_counts),
            T(test_wrapping_ranges), T(test_element_alignment), T(test_guaranteed_alignment),
            T(test_overlap), T(test_overlap_is_of_elements),
            T(test_in_place_needs_the_same_layout));
