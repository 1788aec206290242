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

/* Executes with bindings of `sizes` at these places of the pool. What is refused has `words` in its
 * message; NULL: the bindings are valid. */
static void expect(const cumsum_plan *plan, const size_t places[2], const uint64_t sizes[2],
                   const char *words) {
    cumsum_diagnostic d = {.message = ""};
    fill_pool();
    const cumsum_status status =
        cumsum_plan_execute(plan, pool + places[0], sizes[0], pool + places[1], sizes[1], &d);
    assert_int_equal(status, words ? CUMSUM_INVALID_BINDING : CUMSUM_OK);
    if (!words)
        return;
    assert_int_equal(d.status, CUMSUM_INVALID_BINDING);
    if (!strstr(d.message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, d.message);
    assert_int_equal(
        cumsum_plan_execute(plan, pool + places[0], sizes[0], pool + places[1], sizes[1], NULL),
        CUMSUM_INVALID_BINDING);
    assert_memory_equal(pool, before, sizeof pool);
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

enum {
    FLOAT = CUMSUM_DATA_TYPE_FLOAT32,
    HALF = CUMSUM_DATA_TYPE_FLOAT16,
    INT = CUMSUM_DATA_TYPE_INT32,
    WIDE = CUMSUM_DATA_TYPE_INT64
};

/* Bindings of four elements; the last that are valid, and the first that are not. */
static const struct {
    int type;
    uint64_t total;     /* TotalTensorSizeInBytes of the input, where it is larger */
    uint32_t alignment; /* GuaranteedBaseOffsetAlignment of the output */
    size_t places[2];
    uint64_t sizes[2];
    const char *words;
} bindings[] = {
    {FLOAT, 0, 0, {0, 16}, {16, 16}, NULL},
    {FLOAT, 0, 0, {0, 16}, {15, 16}, "InputTensor.SizeInBytes is 15, but it must be at least"},
    {FLOAT, 0, 0, {0, 16}, {16, 15}, "OutputTensor.SizeInBytes is 15, but"},
    {FLOAT, 0, 0, {0, 16}, {0, 16}, "InputTensor.SizeInBytes is 0, but"},
    /* A binding covers the total size, not only the elements. */
    {FLOAT, 64, 0, {0, 64}, {64, 16}, NULL},
    {FLOAT, 64, 0, {0, 64}, {63, 16}, "at least TotalTensorSizeInBytes, here 64"},
    {FLOAT, 0, 0, {0, 16}, {16, UINT64_MAX}, "end of the address space"},
    /* Elements are aligned to their size, and outputs as they were said to be. */
    {HALF, 0, 0, {2, 258}, {8, 8}, NULL},
    {HALF, 0, 0, {1, 256}, {8, 8}, "must be a multiple of the element size"},
    {HALF, 0, 0, {0, 257}, {8, 8}, "must be a multiple of the element size"},
    {INT, 0, 0, {4, 260}, {16, 16}, NULL},
    {INT, 0, 0, {2, 256}, {16, 16}, "must be a multiple of the element size"},
    {INT, 0, 0, {0, 258}, {16, 16}, "must be a multiple of the element size"},
    {WIDE, 0, 0, {8, 264}, {32, 32}, NULL},
    {WIDE, 0, 0, {4, 256}, {32, 32}, "must be a multiple of the element size"},
    {WIDE, 0, 0, {0, 260}, {32, 32}, "must be a multiple of the element size"},
    {FLOAT, 0, 64, {4, 64}, {16, 16}, NULL},
    {FLOAT, 0, 64, {4, 96}, {16, 16}, "here 64"},
    {FLOAT, 0, 64, {4, 68}, {16, 16}, "here 64"},
    /* Elements are apart, or in the same place; bindings may both reach to the end of a buffer. */
    {FLOAT, 0, 0, {256, 240}, {16, 16}, NULL},
    {FLOAT, 0, 0, {256, 244}, {16, 16}, "partly overlaps"},
    {FLOAT, 0, 0, {256, 256}, {16, 16}, NULL},
    {FLOAT, 0, 0, {256, 268}, {16, 16}, "partly overlaps"},
    {FLOAT, 0, 0, {256, 272}, {16, 16}, NULL},
    {FLOAT, 0, 0, {0, 16}, {1024, 1008}, NULL},
    {FLOAT, 0, 0, {0, 12}, {1024, 1012}, "partly overlaps"},
};

static void test_bindings(void) {
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++) {
        scan_case c;
        scan_case_init_line(&c, (cumsum_data_type)bindings[i].type, 4);
        if (bindings[i].total)
            c.buffer[0].total_tensor_size_in_bytes = bindings[i].total;
        c.buffer[1].guaranteed_base_offset_alignment = bindings[i].alignment;
        cumsum_plan *plan = make_plan(&c);
        expect(plan, bindings[i].places, bindings[i].sizes, bindings[i].words);
        cumsum_plan_destroy(plan);
    }
}

/* Ranges that reach past the last address. */
static void test_wrapping_ranges(void) {
    static const size_t places[2] = {0, 16};
    const uint64_t rest = UINTPTR_MAX - (uintptr_t)pool;
    cumsum_plan *plan = plan_of_four();
    char words[80];
    snprintf(words, sizeof words, "end of the address space, here %llu.", (unsigned long long)rest);
    expect(plan, places, (uint64_t[]){rest, 16}, NULL);
    expect(plan, places, (uint64_t[]){rest + 1, 16}, words);
    cumsum_plan_destroy(plan);
}

/* The same address is in place only if the layouts agree; strides of dimensions of size 1 are
 * ignored. */
static void test_in_place_needs_the_same_layout(void) {
    static const uint32_t sizes[3] = {1, 2, 3}, packed[3] = {6, 3, 1}, unused[3] = {77, 3, 1},
                          transposed[3] = {6, 1, 2};
    static const size_t same[2] = {0, 0};
    const struct {
        const uint32_t *input;
        uint64_t total;
        const char *words;
    } layouts[] = {{NULL, 24, NULL},
                   {unused, 24, NULL},
                   {transposed, 24, "the same strides"},
                   {packed, 28, "total size"}};
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        scan_case c;
        scan_case_init(&c, CUMSUM_DATA_TYPE_FLOAT32, 3, sizes, 2);
        scan_case_set_strides(&c, layouts[i].input, packed);
        c.buffer[1].total_tensor_size_in_bytes = layouts[i].total;
        cumsum_plan *plan = make_plan(&c);
        expect(plan, same, (uint64_t[]){28, 28}, layouts[i].words);
        cumsum_plan_destroy(plan);
    }
}

CHECK_GROUP(test_binding, T(test_null_pointers), T(test_bindings), T(test_wrapping_ranges),
            T(test_in_place_needs_the_same_layout));
