/* SPDX-License-Identifier: MIT */
/* The walk over a tensor's elements, and the comparison that is built on it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "compare.h"

static layout strided_layout(void) {
    static const uint32_t sizes[] = {2, 1, 3};
    static const uint32_t strides[] = {10, 99, 3}; /* that of size 1 does not matter */
    cumsum_buffer_tensor_desc desc = {.data_type = CUMSUM_DATA_TYPE_INT32,
                                      .dimension_count = 3,
                                      .sizes = sizes,
                                      .strides = strides};
    return layout_of(&desc);
}

static void offsets_of_a_strided_tensor(void) {
    static const uint64_t offsets[] = {0, 12, 24, 40, 52, 64};
    layout tensor = strided_layout();
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    size_t i = 0;
    do {
        assert_int_equal(layout_offset(&tensor, at), offsets[i++]);
    } while (layout_next(&tensor, at));
    assert_int_equal(i, 6);
    assert_int_equal(tensor.count, 6);
    assert_int_equal(tensor.extent_in_bytes, 68);
}

static void gather_and_scatter(void) {
    layout tensor = strided_layout();
    int32_t buffer[17];
    int32_t packed[6];
    for (int i = 0; i < 17; i++)
        buffer[i] = i;
    layout_gather(&tensor, (unsigned char *)buffer, (unsigned char *)packed);
    static const int32_t expected[] = {0, 3, 6, 10, 13, 16};
    assert_memory_equal(packed, expected, sizeof packed);
    memset(buffer, 0, sizeof buffer);
    layout_scatter(&tensor, (unsigned char *)packed, (unsigned char *)buffer);
    for (int i = 0; i < 17; i++) {
        bool addressed = i == 3 || i == 6 || i == 10 || i == 13 || i == 16;
        assert_int_equal(buffer[i], addressed ? i : 0);
    }
}

/* Each wrong element is found at its place. Bytes in the gaps are not compared. */
static void one_difference_anywhere(void) {
    layout tensor = strided_layout();
    int32_t expected[17] = {0};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        int32_t actual[17];
        memset(actual, 0x11, sizeof actual);
        layout_scatter(&tensor, (unsigned char[24]){0}, (unsigned char *)actual);
        actual[layout_offset(&tensor, at) / 4] = -5;
        comparison c = compare_tensors(&tensor, (unsigned char *)expected, (unsigned char *)actual);
        assert_true(c.differing == 1 && c.outputs == 6 && c.worst.ulps == 5);
        assert_memory_equal(c.first.coordinates, at, sizeof at);
        assert_memory_equal(c.worst.coordinates, at, sizeof at);
    } while (layout_next(&tensor, at));
}

static void worst_of_several_in_packed_rows(void) {
    static const uint32_t sizes[] = {3, 4};
    cumsum_buffer_tensor_desc desc = {
        .data_type = CUMSUM_DATA_TYPE_INT32, .dimension_count = 2, .sizes = sizes};
    layout tensor = layout_of(&desc);
    static const int32_t expected[12] = {0};
    static const int32_t actual[12] = {0, 0, 0, 0, 0, 2, 9, 0, 0, -9, 1, 0};
    comparison c =
        compare_tensors(&tensor, (const unsigned char *)expected, (const unsigned char *)actual);
    assert_int_equal(c.differing, 4);
    assert_true(c.first.coordinates[0] == 1 && c.first.coordinates[1] == 1);
    assert_true(c.worst.coordinates[0] == 1 &&
                c.worst.coordinates[1] == 2); /* the first of equals */
    assert_true(c.worst.expected == 0 && c.worst.actual == 9 && c.worst.ulps == 9);
}

/* The axis in the middle runs backwards; the first element is the last of its line. */
static void turned(void) {
    static const uint32_t sizes[] = {2, 3, 2};
    cumsum_buffer_tensor_desc desc = {
        .data_type = CUMSUM_DATA_TYPE_UINT8, .dimension_count = 3, .sizes = sizes};
    layout tensor = layout_of(&desc);
    unsigned char bytes[13] = "abcdefghijkl";
    unsigned char packed[13] = "";
    const uint64_t first = layout_turn(&tensor, 1);
    layout_gather(&tensor, bytes + first, packed);
    assert_string_equal((char *)packed, "efcdabklijgh");
    memset(bytes, '-', 12);
    layout_scatter(&tensor, packed, bytes + first);
    assert_string_equal((char *)bytes, "abcdefghijkl");
    assert_int_equal(layout_turn(&tensor, 1), UINT64_MAX - 3); /* 4 bytes back */
    layout_gather(&tensor, bytes, packed);
    assert_string_equal((char *)packed, "abcdefghijkl");
}

CHECK_GROUP(test_element_layout, T(offsets_of_a_strided_tensor), T(gather_and_scatter), T(turned),
            T(one_difference_anywhere), T(worst_of_several_in_packed_rows));
