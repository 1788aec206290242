/* SPDX-License-Identifier: MIT */
/* The map of a wrong output, which reports show: its members, its dimensions and its bins. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "profile.h"

/* A tensor with its expected and its actual contents. */
typedef struct pair_of_outputs {
    layout tensor;
    unsigned char *expected;
    unsigned char *actual;
} pair_of_outputs;

static pair_of_outputs begin(cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                             uint32_t gap) {
    uint32_t strides[CUMSUM_MAX_DIMENSIONS];
    uint32_t step = 1 + gap;
    for (uint32_t d = rank; d-- > 0; step *= sizes[d])
        strides[d] = step;
    const cumsum_buffer_tensor_desc desc = {
        .data_type = type, .dimension_count = rank, .sizes = sizes, .strides = strides};
    pair_of_outputs p = {.tensor = layout_of(&desc)};
    p.expected = calloc(1, p.tensor.extent_in_bytes);
    p.actual = calloc(1, p.tensor.extent_in_bytes);
    assert_true(p.expected && p.actual);
    return p;
}

static void end(pair_of_outputs *p) {
    free(p->expected);
    free(p->actual);
}

static void put(pair_of_outputs *p, const uint32_t *at, uint64_t expected, uint64_t actual) {
    uint64_t offset = layout_offset(&p->tensor, at);
    element_store(p->expected + offset, p->tensor.type, expected);
    element_store(p->actual + offset, p->tensor.type, actual);
}

static json_object *member(json_object *object, const char *key) {
    json_object *value = NULL;
    assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static uint64_t number(json_object *object, const char *key) {
    return json_object_get_uint64(member(object, key));
}

static json_object *profile_of(const pair_of_outputs *p, uint32_t axis) {
    json_object *fields = json_make_object();
    if (!failure_profile_fields(fields, &p->tensor, axis, p->expected, p->actual))
        assert_int_equal(json_object_object_length(fields), 0);
    return fields;
}

static void expect_dimensions(uint32_t axis, uint32_t rows, uint32_t columns) {
    static const uint32_t sizes[] = {5, 64, 7, 10};
    pair_of_outputs p = begin(CUMSUM_DATA_TYPE_INT32, 4, sizes, 0);
    put(&p, (const uint32_t[]){3, 40, 5, 2}, 1, 2);
    json_object *fields = profile_of(&p, axis);
    json_object *map = member(fields, "heatMap");
    assert_int_equal(number(map, "rows"), rows);
    assert_int_equal(number(map, "columns"), columns);
    json_object_put(fields);
    end(&p);
}

static void the_axis_and_the_longest_other_dimension(void) {
    expect_dimensions(0, 0, 1);
    expect_dimensions(1, 1, 3);
    expect_dimensions(2, 1, 2);
    expect_dimensions(3, 1, 3);
}

static void expect_profile(const pair_of_outputs *p, const char *wanted) {
    json_object *fields = profile_of(p, 0);
    assert_string_equal(json_print(fields), wanted);
    json_object_put(fields);
}

/* The members that the documentation names; nothing where nothing differs. */
static void members(void) {
    pair_of_outputs p = begin(CUMSUM_DATA_TYPE_FLOAT32, 1, (const uint32_t[]){4}, 1);
    expect_profile(&p, "{}");
    put(&p, (const uint32_t[]){1}, 0x3F800000, 0x7FC00000);
    put(&p, (const uint32_t[]){2}, 0x3F800000, 0x3F800006);
    put(&p, (const uint32_t[]){3}, 0, 0x80000000);
    expect_profile(&p, "{\"heatMap\":{\"rows\":null,\"rowSize\":1,\"columns\":0,\"columnSize\":1,"
                       "\"differing\":[\".###\"]}}");
    end(&p);
}

/* Of a line of 130 elements, three have a bin; of 128 x 130, a cell has two rows of three. */
static void bins(void) {
    pair_of_outputs p = begin(CUMSUM_DATA_TYPE_INT32, 1, (const uint32_t[]){130}, 0);
    put(&p, (const uint32_t[]){5}, 0, 7);
    put(&p, (const uint32_t[]){129}, 0, 9);
    json_object *fields = profile_of(&p, 0);
    json_object *map = member(fields, "heatMap");
    assert_int_equal(number(map, "columnSize"), 3);
    assert_string_equal(json_item_text(member(map, "differing"), 0),
                        ".3.........................................#");
    json_object_put(fields);
    end(&p);
    p = begin(CUMSUM_DATA_TYPE_INT32, 2, (const uint32_t[]){128, 130}, 0);
    put(&p, (const uint32_t[]){3, 5}, 0, 7);
    fields = profile_of(&p, 1);
    map = member(fields, "heatMap");
    assert_int_equal(number(map, "rowSize"), 2);
    assert_string_equal(json_item_text(member(map, "differing"), 1),
                        ".1..........................................");
    json_object_put(fields);
    end(&p);
}

CHECK_GROUP(test_failure_profile, T(the_axis_and_the_longest_other_dimension), T(members), T(bins));
