/* SPDX-License-Identifier: MIT */
/*
 * Layouts: 1 to 8 dimensions, strides of every kind, both directions, exclusive, in place. The
 * whole output buffer is compared with nested loops over all indices, so padding must stay as it
 * was. The elements are integers, so no order of additions is assumed.
 */
#include "check.h"
#include "scan_case.h"

#include <string.h>

#define BUFFER 4096 /* elements */

typedef struct layout {
    uint32_t rank;
    uint32_t sizes[8];
    uint32_t input_strides[8];
    uint32_t output_strides[8];
    uint32_t axis;
    bool decreasing;
    bool exclusive;
} layout;

static uint32_t offset_of(const layout *l, const uint32_t *index, const uint32_t *strides) {
    uint32_t offset = 0;
    for (uint32_t d = 0; d < l->rank; d++)
        offset += index[d] * strides[d];
    return offset;
}

/* Moves to the next index vector in row-major order, without the axis; false after the last. */
static bool next_line(const layout *l, uint32_t *index) {
    for (uint32_t d = l->rank; d-- > 0;) {
        if (d == l->axis)
            continue;
        if (++index[d] < l->sizes[d])
            return true;
        index[d] = 0;
    }
    return false;
}

/* Line after line, in row-major order. input and output may be the same memory. */
static void expected_output(const layout *l, const uint64_t *input, uint64_t *output) {
    uint32_t index[8] = {0};
    do {
        uint64_t running = 0;
        for (uint32_t k = 0; k < l->sizes[l->axis]; k++) {
            index[l->axis] = l->decreasing ? l->sizes[l->axis] - 1 - k : k;
            const uint64_t element = input[offset_of(l, index, l->input_strides)];
            output[offset_of(l, index, l->output_strides)] =
                l->exclusive ? running : running + element;
            running += element;
        }
        index[l->axis] = 0;
    } while (next_line(l, index));
}

/* Packed in a random order of the dimensions, with random gaps: no elements share an address. */
static void random_strides(const layout *l, uint64_t *seed, uint32_t *strides) {
    uint32_t order[8];
    uint32_t stride = 1 + (uint32_t)(random_next(seed) % 3);
    for (uint32_t d = 0; d < l->rank; d++)
        order[d] = d;
    for (uint32_t d = l->rank; d-- > 1;) {
        const uint32_t other = (uint32_t)(random_next(seed) % (d + 1));
        const uint32_t swapped = order[d];
        order[d] = order[other];
        order[other] = swapped;
    }
    for (uint32_t i = 0; i < l->rank; i++) {
        strides[order[i]] = stride;
        stride = stride * l->sizes[order[i]] + (uint32_t)(random_next(seed) % 2);
    }
}

static void random_layout(layout *l, uint64_t *seed) {
    memset(l, 0, sizeof *l);
    l->rank = 1 + (uint32_t)(random_next(seed) % 8);
    uint32_t room = 200; /* elements in all */
    for (uint32_t d = 0; d < l->rank; d++) {
        const uint32_t limit = room < 7 ? room : 7;
        l->sizes[d] = 1 + (uint32_t)(random_next(seed) % limit);
        room /= l->sizes[d];
    }
    l->axis = (uint32_t)(random_next(seed) % l->rank);
    l->decreasing = random_next(seed) & 1;
    l->exclusive = random_next(seed) & 1;
    random_strides(l, seed, l->input_strides);
    random_strides(l, seed, l->output_strides);
}

static void init_case(scan_case *c, const layout *l) {
    scan_case_init(c, CUMSUM_DATA_TYPE_UINT64, l->rank, l->sizes, l->axis);
    scan_case_set_strides(c, l->input_strides, l->output_strides);
    c->desc.axis_direction =
        l->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING : CUMSUM_AXIS_DIRECTION_INCREASING;
    c->desc.has_exclusive_sum = l->exclusive;
}

static void fill(uint64_t *buffer, uint64_t *seed) {
    for (size_t i = 0; i < BUFFER; i++)
        buffer[i] = random_next(seed);
}

static void expect_layout(const layout *l, uint64_t *seed) {
    static uint64_t input[BUFFER];
    static uint64_t output[BUFFER];
    static uint64_t expected[BUFFER];
    scan_case c;
    fill(input, seed);
    fill(output, seed); /* the contents of the padding */
    memcpy(expected, output, sizeof expected);
    init_case(&c, l);
    scan_case_execute(&c, input, output);
    expected_output(l, input, expected);
    assert_memory_equal(output, expected, sizeof expected);
}

static void expect_in_place(layout *l, uint64_t *seed) {
    static uint64_t buffer[BUFFER];
    static uint64_t expected[BUFFER];
    scan_case c;
    fill(buffer, seed);
    memcpy(expected, buffer, sizeof expected);
    memcpy(l->input_strides, l->output_strides, sizeof l->input_strides);
    init_case(&c, l);
    scan_case_execute(&c, buffer, buffer);
    expected_output(l, expected, expected);
    assert_memory_equal(buffer, expected, sizeof expected);
}

static void test_random_layouts(void) {
    uint64_t seed = 11;
    for (uint32_t i = 0; i < random_trials(4000); i++) {
        layout l;
        random_layout(&l, &seed);
        expect_layout(&l, &seed);
    }
}

static void test_in_place(void) {
    uint64_t seed = 12;
    for (uint32_t i = 0; i < random_trials(2000); i++) {
        layout l;
        random_layout(&l, &seed);
        expect_in_place(&l, &seed);
    }
}

/* Input strides of 0, and overlapping ones. */
static void test_broadcast_and_overlapping_inputs(void) {
    uint64_t seed = 13;
    for (uint32_t i = 0; i < random_trials(2000); i++) {
        layout l;
        random_layout(&l, &seed);
        for (uint32_t d = 0; d < l.rank; d++)
            l.input_strides[d] = (uint32_t)(random_next(&seed) % 4);
        expect_layout(&l, &seed);
    }
}

/* Outputs whose elements share addresses: the last writer in row-major order wins, and in place
 * later lines read the results of earlier ones. */
static void test_colliding_outputs(void) {
    uint64_t seed = 14;
    uint32_t colliding = 0;
    for (uint32_t i = 0; i < random_trials(20000); i++) {
        layout l;
        scan_case c;
        random_layout(&l, &seed);
        for (uint32_t d = 0; d < l.rank; d++)
            l.output_strides[d] = 1 + (uint32_t)(random_next(&seed) % 60);
        init_case(&c, &l);
        if (cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) != CUMSUM_OK ||
            !cumsum_output_may_overlap(&c.desc))
            continue;
        colliding++;
        expect_layout(&l, &seed);
        expect_in_place(&l, &seed);
    }
    assert_true(colliding > random_trials(1000));
}

/* All types in one layout: the size of the elements is right in every step. Small integers are
 * exact in each type. */
static void test_element_sizes(void) {
    static const cumsum_data_type types[6] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                              CUMSUM_DATA_TYPE_UINT32,  CUMSUM_DATA_TYPE_INT32,
                                              CUMSUM_DATA_TYPE_UINT64,  CUMSUM_DATA_TYPE_INT64};
    const uint32_t sizes[2] = {2, 3};
    const uint32_t strides[2] = {1, 2};
    /* 1.0 in the format, at every second element of a transposed input. */
    const uint64_t ones[6] = {0x3F800000, 0x3C00, 1, 1, 1, 1};
    const uint64_t twos[6] = {0x40000000, 0x4000, 2, 2, 2, 2};
    const uint64_t threes[6] = {0x40400000, 0x4200, 3, 3, 3, 3};
    for (int t = 0; t < 6; t++) {
        unsigned char input[48];
        unsigned char output[48];
        scan_case c;
        scan_case_init(&c, types[t], 2, sizes, 1);
        scan_case_set_strides(&c, strides, NULL);
        const size_t size = cumsum_data_type_size(types[t]);
        for (size_t i = 0; i < 6; i++)
            memcpy(input + i * size, &ones[t], size);
        scan_case_execute(&c, input, output);
        for (size_t line = 0; line < 2; line++) {
            assert_memory_equal(output + (3 * line) * size, &ones[t], size);
            assert_memory_equal(output + (3 * line + 1) * size, &twos[t], size);
            assert_memory_equal(output + (3 * line + 2) * size, &threes[t], size);
        }
    }
}

CHECK_GROUP(test_layouts, T(test_random_layouts), T(test_in_place),
            T(test_broadcast_and_overlapping_inputs), T(test_colliding_outputs),
            T(test_element_sizes));
