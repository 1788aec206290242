/* SPDX-License-Identifier: MIT */
/* TotalTensorSizeInBytes: the exact one, the one of Microsoft's helper, and where the two differ.
 */
#include "check.h"

#include <cumsum/cumsum.h>

#include <stddef.h>

typedef struct layout {
    cumsum_data_type type;
    uint32_t rank;
    uint32_t sizes[8];
    bool strided;
    uint32_t strides[8];
    cumsum_status status;
    uint64_t exact;
    uint64_t directml;
} layout;

#define F16 CUMSUM_DATA_TYPE_FLOAT16
#define F32 CUMSUM_DATA_TYPE_FLOAT32
#define I64 CUMSUM_DATA_TYPE_INT64

static const layout layouts[] = {
    {F32, 4, {1, 1, 3, 4}, false, {0}, CUMSUM_OK, 48, 48},
    {F32, 4, {1, 1, 3, 4}, true, {12, 12, 4, 1}, CUMSUM_OK, 48, 48},
    /* Rounded up to a multiple of 4. */
    {F16, 1, {1}, false, {0}, CUMSUM_OK, 4, 4},
    {F16, 1, {3}, false, {0}, CUMSUM_OK, 8, 8},
    {CUMSUM_DATA_TYPE_UINT8, 1, {5}, false, {0}, CUMSUM_OK, 8, 8},
    /* A stride of 0 adds nothing, and neither does a dimension of size 1, whatever its stride. */
    {F32, 2, {1000, 7}, true, {0, 1}, CUMSUM_OK, 28, 28},
    {F32, 2, {1, 7}, true, {0xFFFFFFFF, 1}, CUMSUM_OK, 28, 28},
    /* The last extent that is allowed, and the first that is not. */
    {I64, 1, {0xFFFFFFFF}, false, {0}, CUMSUM_OK, UINT64_C(34359738360), UINT64_C(34359738360)},
    {I64, 2, {0x10000, 0x10000}, false, {0}, CUMSUM_INVALID_DESCRIPTOR, 0, UINT64_C(34359738368)},
    {I64, 1, {2}, true, {0xFFFFFFFE}, CUMSUM_OK, UINT64_C(34359738360), UINT64_C(34359738360)},
    {I64, 1, {2}, true, {0xFFFFFFFF}, CUMSUM_INVALID_DESCRIPTOR, 0, UINT64_C(34359738368)},
    /* The helper's index of the last element wraps: 3 * 0x60000000 = 0x1_20000000. */
    {F32, 1, {4}, true, {0x60000000}, CUMSUM_INVALID_DESCRIPTOR, 0, UINT64_C(0x80000004)},
    /* It wraps to exactly 0. */
    {F32, 2, {0x10001, 2}, true, {0x10000, 0}, CUMSUM_INVALID_DESCRIPTOR, 0, 4},
    /* Eight dimensions whose product passes 2^64: 2^32 - 1 to the eighth. */
    {F32,
     8,
     {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF,
      0xFFFFFFFF},
     true,
     {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF,
      0xFFFFFFFF},
     CUMSUM_INVALID_DESCRIPTOR,
     0,
     17 * 4}, /* (2^32-2)(2^32-1) = 2 modulo 2^32, eight times, and 1 */
    {F32,
     8,
     {0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000, 0x10000},
     false,
     {0},
     CUMSUM_INVALID_DESCRIPTOR,
     0,
     0}, /* 2^128 wraps to 0 */
};

static void test_sizes(void) {
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        const layout *l = &layouts[i];
        const uint32_t *strides = l->strided ? l->strides : NULL;
        uint64_t size = 12345;
        assert_int_equal(cumsum_tensor_size(l->type, l->rank, l->sizes, strides, &size), l->status);
        assert_int_equal(size, l->status == CUMSUM_OK ? l->exact : 12345);
        assert_int_equal(cumsum_tensor_size_directml(l->type, l->rank, l->sizes, strides),
                         l->directml);
    }
}

static void expect_invalid(cumsum_data_type type, uint32_t rank, const uint32_t *sizes) {
    uint64_t size = 0;
    assert_int_equal(cumsum_tensor_size(type, rank, sizes, NULL, &size), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_tensor_size_directml(type, rank, sizes, NULL), 0);
}

static void test_invalid_arguments(void) {
    const uint32_t sizes[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const uint32_t with_zero[2] = {3, 0}, zero_first[2] = {0, 3};
    uint64_t size = 0;
    expect_invalid(F32, 0, sizes);
    expect_invalid(F32, 9, sizes);
    expect_invalid(F32, 1, NULL);
    expect_invalid(F32, 2, with_zero);
    expect_invalid(F32, 2, zero_first);
    expect_invalid(CUMSUM_DATA_TYPE_UNKNOWN, 1, sizes);
    expect_invalid(CUMSUM_DATA_TYPE_INT4, 1, sizes);
    expect_invalid((cumsum_data_type)99, 1, sizes);
    assert_int_equal(cumsum_tensor_size(F32, 1, sizes, NULL, NULL), CUMSUM_INVALID_ARGUMENT);
    assert_int_equal(cumsum_tensor_size(F32, 8, sizes, NULL, &size), CUMSUM_OK);
    assert_int_equal(size, 40320 * 4);
}

CHECK_GROUP(test_tensor_size, T(test_sizes), T(test_invalid_arguments));
