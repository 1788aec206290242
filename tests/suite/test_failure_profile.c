/* SPDX-License-Identifier: MIT */
/* The profile of a wrong output, which reports show: compared with a plain count over all elements,
 * and with patterns whose two dimensions are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cumsum/oracle.h>

#include "element.h"
#include "profile.h"
#include "splitmix64.h"

static uint32_t draw(uint32_t below) {
    static uint64_t state = 1;
    return random_below(&state, below);
}

/* A tensor with its expected and its actual contents. */
typedef struct pair_of_outputs {
    layout tensor;
    unsigned char *expected;
    unsigned char *actual;
} pair_of_outputs;

static void coordinates_of(const layout *tensor, uint64_t index, uint32_t *at) {
    for (uint32_t d = tensor->rank; d-- > 0;) {
        at[d] = (uint32_t)(index % tensor->sizes[d]);
        index /= tensor->sizes[d];
    }
}

/* `gap`: the last dimension has this many elements between two. */
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

/* What a profile is compared with: counts of bins by plain loops. */
#define BINS 64

typedef struct plain_counts {
    uint64_t sign_of_zero;
    uint64_t nan;
    uint64_t ulps[64];
    uint64_t differing[BINS];
    uint64_t measured[BINS];
    uint64_t worst[BINS];
} plain_counts;

static uint32_t width_of(uint32_t size) {
    return (size + BINS - 1) / BINS;
}

static bool is_float(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
}

static void count_element(plain_counts *want, cumsum_data_type type, uint64_t expected,
                          uint64_t actual, uint32_t bin) {
    uint64_t ulps = cumsum_ulp_distance(type, expected, actual);
    bool nan = is_float(type) && ulps == UINT64_MAX;
    want->differing[bin]++;
    want->measured[bin] += !nan;
    want->nan += nan;
    want->sign_of_zero += ulps == 0;
    for (uint32_t k = 0; k < 64 && !nan; k++)
        want->ulps[k] += ulps >> k == 1;
    if (!nan && ulps > want->worst[bin])
        want->worst[bin] = ulps;
}

static const uint64_t values[] = {0,          1,          0x80000000, 0x3F800000,
                                  0x3F800001, 0x7F800000, 0x7FC00000, 0x7E00,
                                  0x8000,     0x3C00,     0xFF800000, UINT64_MAX};
#define VALUES (sizeof values / sizeof values[0])

static uint64_t draw_value(uint32_t size) {
    uint64_t value = values[draw(VALUES)];
    return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

/* Fills both, and counts into `want`. */
static void plant(pair_of_outputs *p, uint32_t axis, plain_counts *want) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    *want = (plain_counts){0};
    for (uint64_t i = 0; i < p->tensor.count; i++) {
        coordinates_of(&p->tensor, i, at);
        uint64_t expected = draw_value(p->tensor.element_size);
        uint64_t actual = draw(3) ? expected : draw_value(p->tensor.element_size);
        put(p, at, expected, actual);
        if (!cumsum_same_bits(p->tensor.type, expected, actual))
            count_element(want, p->tensor.type, expected, actual,
                          at[axis] / width_of(p->tensor.sizes[axis]));
    }
}

static json_object *member(json_object *object, const char *key) {
    json_object *value = NULL;
    assert_true(json_object_object_get_ex(object, key, &value));
    return value;
}

static uint64_t number(json_object *object, const char *key) {
    return json_object_get_uint64(member(object, key));
}

static uint64_t item(json_object *array, size_t index) {
    return json_object_get_uint64(json_object_array_get_idx(array, index));
}

static void expect_counts(json_object *fields, const plain_counts *want, uint32_t size) {
    json_object *histogram = member(fields, "ulpHistogram");
    json_object *along = member(fields, "alongAxis");
    const size_t bins = (size + width_of(size) - 1) / width_of(size);
    assert_int_equal(number(histogram, "signOfZero"), want->sign_of_zero);
    assert_int_equal(number(histogram, "nan"), want->nan);
    for (size_t k = 0; k < 64; k++)
        assert_int_equal(item(member(histogram, "log2"), k), want->ulps[k]);
    assert_int_equal(number(along, "binSize"), width_of(size));
    assert_int_equal(json_object_array_length(member(along, "differing")), bins);
    for (size_t b = 0; b < bins; b++) {
        json_object *worst = json_object_array_get_idx(member(along, "worst"), b);
        assert_int_equal(item(member(along, "differing"), b), want->differing[b]);
        assert_int_equal(worst == NULL, want->differing[b] && !want->measured[b]);
        assert_int_equal(json_object_get_uint64(worst), want->worst[b]);
    }
}

static char letter_of(uint64_t differing, uint64_t elements) {
    return (char)(differing == 0          ? '.'
                  : differing == elements ? '#'
                                          : '0' + (char)(differing * 10 / elements));
}

static void expect_cells(const pair_of_outputs *p, json_object *map) {
    uint64_t cells[BINS][BINS] = {{0}};
    uint64_t elements[BINS][BINS] = {{0}};
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    const bool rows = member(map, "rows") != NULL;
    const uint32_t row = rows ? (uint32_t)number(map, "rows") : 0;
    const uint32_t column = (uint32_t)number(map, "columns");
    for (uint64_t i = 0; i < p->tensor.count; i++) {
        coordinates_of(&p->tensor, i, at);
        uint64_t offset = layout_offset(&p->tensor, at);
        uint32_t r = rows ? at[row] / width_of(p->tensor.sizes[row]) : 0;
        uint32_t c = at[column] / width_of(p->tensor.sizes[column]);
        elements[r][c]++;
        cells[r][c] +=
            !cumsum_same_bits(p->tensor.type, element_load(p->expected + offset, p->tensor.type),
                              element_load(p->actual + offset, p->tensor.type));
    }
    assert_int_equal(number(map, "rowSize"), rows ? width_of(p->tensor.sizes[row]) : 1);
    assert_int_equal(number(map, "columnSize"), width_of(p->tensor.sizes[column]));
    for (uint32_t r = 0; r < BINS && elements[r][0]; r++) {
        const char *text =
            json_object_get_string(json_object_array_get_idx(member(map, "differing"), r));
        for (uint32_t c = 0; c < BINS && elements[r][c]; c++)
            assert_int_equal(text[c], letter_of(cells[r][c], elements[r][c]));
    }
}

static json_object *profile_of(const pair_of_outputs *p, uint32_t axis) {
    json_object *fields = json_object_new_object();
    if (!failure_profile_fields(fields, &p->tensor, axis, p->expected, p->actual))
        assert_int_equal(json_object_object_length(fields), 0);
    return fields;
}

static void one_random_tensor(cumsum_data_type type) {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t rank = 1 + draw(CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < rank; d++)
        sizes[d] = 1 + draw(rank < 3 ? 300 : rank < 5 ? 9 : 3);
    uint32_t axis = draw(rank);
    plain_counts want;
    pair_of_outputs p = begin(type, rank, sizes, draw(2));
    plant(&p, axis, &want);
    json_object *fields = profile_of(&p, axis);
    if (json_object_object_length(fields)) {
        expect_counts(fields, &want, sizes[axis]);
        expect_cells(&p, member(fields, "heatMap"));
    } else {
        for (size_t b = 0; b < BINS; b++)
            assert_int_equal(want.differing[b], 0);
    }
    json_object_put(fields);
    end(&p);
}

static void counts_of_random_tensors(void **state) {
    (void)state;
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT64};
    for (uint32_t i = 0; i < 400; i++)
        one_random_tensor(types[i % 4]);
}

typedef bool fails_at(const uint32_t *at);

static bool at_3_and_5(const uint32_t *at) {
    return at[0] == 3 && at[2] == 5;
}
static bool checkered(const uint32_t *at) {
    return (at[1] + at[3]) % 2;
}
static bool behind_a_tile(const uint32_t *at) {
    return at[1] >= 32;
}
static bool everywhere(const uint32_t *at) {
    (void)at;
    return true;
}

static void expect_map(fails_at *fails, uint32_t axis, uint32_t rows, uint32_t columns) {
    static const uint32_t sizes[] = {5, 64, 7, 10};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    pair_of_outputs p = begin(CUMSUM_DATA_TYPE_INT32, 4, sizes, 0);
    for (uint64_t i = 0; i < p.tensor.count; i++) {
        coordinates_of(&p.tensor, i, at);
        put(&p, at, 1, fails(at) ? 2 : 1);
    }
    json_object *fields = profile_of(&p, axis);
    json_object *map = member(fields, "heatMap");
    assert_int_equal(number(map, "rows"), rows);
    assert_int_equal(number(map, "columns"), columns);
    json_object_put(fields);
    end(&p);
}

/* The pattern decides about the dimensions; if it does not, the axis does, then the larger map. */
static void the_two_most_telling_dimensions(void **state) {
    (void)state;
    expect_map(at_3_and_5, 1, 0, 2);
    expect_map(checkered, 0, 1, 3);
    expect_map(behind_a_tile, 1, 1, 3);
    expect_map(behind_a_tile, 0, 0, 1);
    expect_map(everywhere, 2, 1, 2);
}

static void expect_profile(const pair_of_outputs *p, const char *wanted) {
    json_object *fields = profile_of(p, 0);
    assert_string_equal(json_object_to_json_string_ext(fields, JSON_C_TO_STRING_PLAIN), wanted);
    json_object_put(fields);
}

/* The members that the documentation names; nothing where nothing differs. */
static void members(void **state) {
    (void)state;
    pair_of_outputs p = begin(CUMSUM_DATA_TYPE_FLOAT32, 1, (const uint32_t[]){4}, 0);
    expect_profile(&p, "{}");
    put(&p, (const uint32_t[]){1}, 0x3F800000, 0x7FC00000);
    put(&p, (const uint32_t[]){2}, 0x3F800000, 0x3F800006);
    put(&p, (const uint32_t[]){3}, 0, 0x80000000);
    expect_profile(&p, "{\"ulpHistogram\":{\"signOfZero\":1,\"nan\":1,\"log2\":[0,0,1]},"
                       "\"alongAxis\":{\"dimension\":0,\"binSize\":1,\"differing\":[0,1,1,1],"
                       "\"worst\":[0,null,6,0]},"
                       "\"heatMap\":{\"rows\":null,\"rowSize\":1,\"columns\":0,\"columnSize\":1,"
                       "\"differing\":[\".###\"]}}");
    end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_random_tensors),
        cmocka_unit_test(the_two_most_telling_dimensions),
        cmocka_unit_test(members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
