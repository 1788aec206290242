/* SPDX-License-Identifier: MIT */
/* The reference computes interleaved lines several at a time. Each must give the same bits as if it
 * were contiguous and computed alone. */
#include "check.h"
#include "scan_case.h"

#include <stdlib.h>
#include <string.h>

/* More lines than the reference computes at a time. */
#define LINES 1100

/* Lines a little longer than a tile of the blocked order, and short ones for the other orders. */
static size_t length_in(cumsum_order order) {
    return order == CUMSUM_ORDER_BLOCKED ? 1030 : 5;
}

static void *new_bytes(size_t size) {
    void *bytes = malloc(size);
    assert_non_null(bytes);
    return bytes;
}

/* Element k of line i moves from k * LINES + i to i * length + k. */
static void copy_as_contiguous(const unsigned char *interleaved, size_t length, size_t element_size,
                               unsigned char *contiguous) {
    for (size_t k = 0; k < length; k++)
        for (size_t i = 0; i < LINES; i++)
            memcpy(contiguous + (i * length + k) * element_size,
                   interleaved + (k * LINES + i) * element_size, element_size);
}

static void fill(cumsum_data_type type, size_t count, unsigned char *elements) {
    const size_t size = cumsum_data_type_size(type);
    uint64_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = random_next(&seed);
        const float value = (float)(int32_t)(bits >> 40) * 0.001f - 8000.0f;
        if (type == CUMSUM_DATA_TYPE_FLOAT32)
            memcpy(&bits, &value, sizeof value);
        if (type == CUMSUM_DATA_TYPE_FLOAT16)
            bits &= 0xAFFF; /* below 2 */
        memcpy(elements + i * size, &bits, size);
    }
}

static void execute(cumsum_data_type type, bool interleaved, const scan_case *like,
                    const unsigned char *input, unsigned char *output) {
    const uint32_t length = (uint32_t)length_in(like->options.numerics.order);
    const uint32_t sizes[2][2] = {{LINES, length}, {length, LINES}};
    scan_case c;
    scan_case_init(&c, type, 2, sizes[interleaved], interleaved ? 0 : 1);
    c.options = like->options;
    c.desc.axis_direction = like->desc.axis_direction;
    c.desc.has_exclusive_sum = like->desc.has_exclusive_sum;
    scan_case_execute(&c, input, output);
}

static void expect_same_sums(cumsum_data_type type, const scan_case *like) {
    const size_t size = cumsum_data_type_size(type);
    const size_t length = length_in(like->options.numerics.order);
    const size_t bytes = LINES * length * size;
    unsigned char *memory[4];
    for (size_t i = 0; i < 4; i++)
        memory[i] = new_bytes(bytes);
    fill(type, LINES * length, memory[0]);
    copy_as_contiguous(memory[0], length, size, memory[1]);
    execute(type, true, like, memory[0], memory[0]);
    copy_as_contiguous(memory[0], length, size, memory[2]);
    execute(type, false, like, memory[1], memory[3]);
    assert_memory_equal(memory[2], memory[3], bytes);
    for (size_t i = 0; i < 4; i++)
        free(memory[i]);
}

static void test_every_order(void) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                             CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT64};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++)
        for (int order = 0; order <= (t < 2 ? CUMSUM_ORDER_EXACT : 0); order++)
            for (int reversed = 0; reversed < 2; reversed++) {
                scan_case like = {.options = {.numerics = {.order = (cumsum_order)order},
                                              .kernel = CUMSUM_KERNEL_REFERENCE}};
                like.desc.axis_direction = (cumsum_axis_direction)reversed;
                like.desc.has_exclusive_sum = reversed;
                expect_same_sums(types[t], &like);
            }
}

CHECK_GROUP(test_reference_lines, T(test_every_order));
