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

static bool is_float(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
}

/* Counts an element with these bits into the profile that is wanted. */
static void expect_element(failure_profile *want, uint64_t expected, uint64_t actual,
                           uint32_t bin) {
    uint64_t ulps = cumsum_ulp_distance(want->type, expected, actual);
    bool nan = is_float(want->type) && ulps == UINT64_MAX;
    want->axis_differing[bin]++;
    want->nan += nan;
    want->sign_of_zero += ulps == 0;
    for (uint32_t k = 0; k < 64 && !nan; k++)
        want->ulps[k] += ulps >> k == 1;
    if (!nan && ulps > want->axis_worst[bin])
        want->axis_worst[bin] = ulps;
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
static void plant(pair_of_outputs *p, uint32_t axis, failure_profile *want) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    *want = (failure_profile){.type = p->tensor.type};
    uint32_t width = (p->tensor.sizes[axis] + 63) / 64;
    for (uint64_t i = 0; i < p->tensor.count; i++) {
        coordinates_of(&p->tensor, i, at);
        uint64_t expected = draw_value(p->tensor.element_size);
        uint64_t actual = draw(3) ? expected : draw_value(p->tensor.element_size);
        put(p, at, expected, actual);
        if (!cumsum_same_bits(want->type, expected, actual))
            expect_element(want, expected, actual, at[axis] / width);
    }
}

static void expect_cells(const pair_of_outputs *p, const failure_grid *grid) {
    uint64_t cells[FAILURE_BINS][FAILURE_BINS] = {{0}};
    uint64_t elements[FAILURE_BINS][FAILURE_BINS] = {{0}};
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    bool rows = grid->rows.dimension != FAILURE_NO_DIMENSION;
    for (uint64_t i = 0; i < p->tensor.count; i++) {
        coordinates_of(&p->tensor, i, at);
        uint64_t offset = layout_offset(&p->tensor, at);
        uint32_t r = rows ? at[grid->rows.dimension] / grid->rows.width : 0;
        uint32_t c = at[grid->columns.dimension] / grid->columns.width;
        elements[r][c]++;
        cells[r][c] +=
            !cumsum_same_bits(p->tensor.type, element_load(p->expected + offset, p->tensor.type),
                              element_load(p->actual + offset, p->tensor.type));
    }
    for (uint32_t r = 0; r < grid->rows.count; r++) {
        for (uint32_t c = 0; c < grid->columns.count; c++) {
            assert_int_equal(grid->differing[r][c], cells[r][c]);
            assert_int_equal(failure_cell_elements(grid, p->tensor.count, r, c), elements[r][c]);
        }
    }
}

static void one_random_tensor(cumsum_data_type type) {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t rank = 1 + draw(CUMSUM_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < rank; d++)
        sizes[d] = 1 + draw(rank < 3 ? 300 : rank < 5 ? 9 : 3);
    uint32_t axis = draw(rank);
    failure_profile want;
    pair_of_outputs p = begin(type, rank, sizes, draw(2));
    plant(&p, axis, &want);
    failure_profile *have = failure_profile_of(&p.tensor, axis, p.expected, p.actual);
    assert_int_equal(have->elements, p.tensor.count);
    assert_int_equal(have->nan, want.nan);
    assert_int_equal(have->sign_of_zero, want.sign_of_zero);
    assert_memory_equal(have->ulps, want.ulps, sizeof want.ulps);
    assert_memory_equal(have->axis_differing, want.axis_differing, sizeof want.axis_differing);
    for (uint32_t b = 0; b < FAILURE_BINS; b++) {
        bool nan_alone = is_float(type) && have->axis_worst[b] == UINT64_MAX;
        assert_int_equal(nan_alone ? 0 : have->axis_worst[b], want.axis_worst[b]);
    }
    expect_cells(&p, &have->heat);
    free(have);
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
    failure_profile *profile = failure_profile_of(&p.tensor, axis, p.expected, p.actual);
    assert_int_equal(profile->heat.rows.dimension, rows);
    assert_int_equal(profile->heat.columns.dimension, columns);
    free(profile);
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

static void bins_of_long_dimensions(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 63, 64, 65, 128, 129, 65537, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        failure_bins bins = failure_bins_of(0, sizes[i]);
        uint64_t sum = 0;
        for (uint32_t b = 0; b < bins.count; b++) {
            assert_true(1 <= failure_bin_span(&bins, b) &&
                        failure_bin_span(&bins, b) <= bins.width);
            sum += failure_bin_span(&bins, b);
        }
        assert_int_equal(sum, sizes[i]);
        assert_true(1 <= bins.count && bins.count <= FAILURE_BINS);
        assert_true((sizes[i] - 1) / bins.width < bins.count);
    }
}

/* The members that the documentation names; a cell with more elements than 32 bits can count. */
static void members(void **state) {
    (void)state;
    failure_profile p = {.type = CUMSUM_DATA_TYPE_FLOAT32, .elements = UINT64_C(3) << 32};
    p.axis = failure_bins_of(1, 3);
    p.sign_of_zero = 1;
    p.nan = UINT64_C(1) << 32;
    p.ulps[2] = 7;
    p.axis_differing[1] = 8;
    p.axis_worst[1] = UINT64_MAX;
    p.axis_differing[2] = UINT64_C(1) << 32;
    p.axis_worst[2] = 6;
    p.heat.rows = failure_bins_of(FAILURE_NO_DIMENSION, 1);
    p.heat.columns = failure_bins_of(1, 3);
    p.heat.differing[0][1] = 8;
    p.heat.differing[0][2] = UINT64_C(1) << 32;
    json_object *fields = json_object_new_object();
    failure_profile_fields(fields, &p);
    assert_string_equal(
        json_object_to_json_string_ext(fields, JSON_C_TO_STRING_PLAIN),
        "{\"ulpHistogram\":{\"signOfZero\":1,\"nan\":4294967296,\"log2\":[0,0,7]},"
        "\"alongAxis\":{\"dimension\":1,\"binSize\":1,\"differing\":[0,8,4294967296],"
        "\"worst\":[0,null,6]},"
        "\"heatMap\":{\"rows\":null,\"rowSize\":1,\"columns\":1,\"columnSize\":1,"
        "\"differing\":[\".0#\"]}}");
    json_object_put(fields);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_random_tensors),
        cmocka_unit_test(the_two_most_telling_dimensions),
        cmocka_unit_test(bins_of_long_dimensions),
        cmocka_unit_test(members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
