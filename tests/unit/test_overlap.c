/* SPDX-License-Identifier: MIT */
/* cumsum_output_may_overlap, compared with an enumeration of all addresses. A false alarm is
 * allowed, a missed overlap is not. */
#include "check.h"
#include "scan_case.h"

#include <string.h>

#define MAX_OFFSET 4096u

static bool overlaps(uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, rank, sizes, 0);
    scan_case_set_strides(&c, NULL, strides);
    return cumsum_output_may_overlap(&c.desc);
}

static bool valid(uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
    scan_case c;
    scan_case_init(&c, CUMSUM_DATA_TYPE_INT32, rank, sizes, 0);
    scan_case_set_strides(&c, NULL, strides);
    return cumsum_validate(&c.desc, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) == CUMSUM_OK;
}

static bool really_overlaps(uint32_t rank, const uint32_t *sizes, const uint32_t *strides) {
    static unsigned char seen[MAX_OFFSET];
    uint32_t index[8] = {0};
    memset(seen, 0, sizeof seen);
    for (;;) {
        uint32_t offset = 0;
        for (uint32_t d = 0; d < rank; d++)
            offset += index[d] * strides[d];
        if (seen[offset]++)
            return true;
        uint32_t d = rank;
        while (d > 0 && ++index[d - 1] == sizes[d - 1])
            index[--d] = 0;
        if (d == 0)
            return false;
    }
}

/* Thousands of small valid layouts, hundreds of them with overlap and hundreds without. */
static void test_never_misses_a_collision(void) {
    uint64_t seed = 7;
    unsigned colliding = 0;
    unsigned clear = 0;
    for (int i = 0; i < 20000; i++) {
        uint32_t sizes[4];
        uint32_t strides[4];
        const uint32_t rank = 1 + (uint32_t)(random_next(&seed) % 4);
        for (uint32_t d = 0; d < rank; d++) {
            sizes[d] = 1 + (uint32_t)(random_next(&seed) % 5);
            strides[d] = 1 + (uint32_t)(random_next(&seed) % 40);
        }
        if (!valid(rank, sizes, strides))
            continue;
        const bool answer = overlaps(rank, sizes, strides);
        const bool truth = really_overlaps(rank, sizes, strides);
        assert_true(answer || !truth);
        colliding += truth;
        clear += !answer;
    }
    assert_true(colliding > 500);
    assert_true(clear > 500);
}

static void test_nested_layouts_are_clear(void) {
    const uint32_t sizes[4] = {2, 3, 4, 5};
    const uint32_t packed[4] = {60, 20, 5, 1};
    const uint32_t permuted[4] = {1, 2, 6, 24};
    const uint32_t padded[4] = {1000, 100, 11, 2};
    const uint32_t colliding[2] = {3, 4};
    const uint32_t five[2] = {5, 5};
    assert_false(overlaps(4, sizes, NULL));
    assert_false(overlaps(4, sizes, packed));
    assert_false(overlaps(4, sizes, permuted));
    assert_false(overlaps(4, sizes, padded));
    assert_true(valid(2, five, colliding)); /* DirectML accepts it */
    assert_true(overlaps(2, five, colliding));
}

/* The larger stride is the last offset of the smaller dimension, or one more. */
static void test_boundary(void) {
    const uint32_t sizes[2] = {2, 5};
    const uint32_t touching[2] = {4, 1};
    const uint32_t clear[2] = {5, 1};
    const uint32_t ones[3] = {1, 2, 5};
    const uint32_t unused[3] = {1, 5, 1};
    assert_false(valid(2, sizes, touching)); /* too dense for DirectML */
    assert_false(overlaps(2, sizes, touching));
    assert_false(overlaps(2, sizes, clear));
    assert_false(overlaps(3, ones, unused)); /* a size of 1 has no stride */
}

static void test_invalid_is_false(void) {
    assert_false(cumsum_output_may_overlap(NULL));
}

CHECK_GROUP(test_overlap, T(test_never_misses_a_collision), T(test_nested_layouts_are_clear),
            T(test_boundary), T(test_invalid_is_false));
