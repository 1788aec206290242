/* SPDX-License-Identifier: MIT */
/* ULP distances and equality of bits, for every data type (docs/oracle.md, "ULP distance"). */
#include "check.h"
#include "oracle_data.h"

static uint64_t ulps32(float a, float b) {
    return cumsum_ulp_distance(CUMSUM_DATA_TYPE_FLOAT32, bits_of(a), bits_of(b));
}

static void binary32_steps(void) {
    assert_int_equal(ulps32(1, 1), 0);
    assert_int_equal(ulps32(1, 1 + 0x1p-23f), 1);
    assert_int_equal(ulps32(1, 1 - 0x1p-24f), 1);
    assert_int_equal(ulps32(0.0f, -0.0f), 0);
    assert_int_equal(ulps32(0x1p-149f, -0x1p-149f), 2); /* across zero */
    assert_int_equal(ulps32(INFINITY, 0x1.fffffep127f), 1);
    assert_int_equal(ulps32(-INFINITY, INFINITY), 2 * UINT64_C(0x7F800000));
    assert_true(ulps32(NAN, NAN) == 0 && ulps32(NAN, 1) == UINT64_MAX);
}

static void binary16_steps(void) {
    const cumsum_data_type half = CUMSUM_DATA_TYPE_FLOAT16;
    assert_int_equal(cumsum_ulp_distance(half, 0x3C00, 0x3C01), 1);
    assert_int_equal(cumsum_ulp_distance(half, 0x8001, 0x0001), 2);
    assert_int_equal(cumsum_ulp_distance(half, 0x8000, 0x0000), 0);
    assert_int_equal(cumsum_ulp_distance(half, 0x7BFF, 0x7C00), 1);
    assert_true(cumsum_ulp_distance(half, 0x7E00, 0xFE01) == 0);
    assert_true(cumsum_ulp_distance(half, 0x7E00, 0x7C00) == UINT64_MAX);
}

static void binary64_steps(void) {
    const cumsum_data_type type = CUMSUM_DATA_TYPE_FLOAT64;
    const uint64_t infinity = bits_of_double(INFINITY), sign = UINT64_C(1) << 63;
    assert_true(cumsum_ulp_distance(type, bits_of_double(1), bits_of_double(1 + 0x1p-52)) == 1);
    assert_true(cumsum_ulp_distance(type, 1, sign | 1) == 2);
    assert_true(cumsum_ulp_distance(type, 0, sign) == 0);
    assert_true(cumsum_ulp_distance(type, infinity, infinity - 1) == 1);
    assert_true(cumsum_ulp_distance(type, infinity | sign, infinity) == 2 * infinity);
    assert_true(cumsum_ulp_distance(type, infinity | 1, infinity | sign | 9) == 0);
    assert_true(cumsum_ulp_distance(type, infinity | 1, 0) == UINT64_MAX);
    assert_true(cumsum_same_bits(type, infinity | 1, infinity | sign | 9));
    assert_false(cumsum_same_bits(type, infinity, infinity | 1));
}

static void bfloat16_steps(void) {
    const cumsum_data_type type = CUMSUM_DATA_TYPE_BFLOAT16;
    assert_int_equal(cumsum_ulp_distance(type, 0x3F80, 0x3F81), 1);
    assert_int_equal(cumsum_ulp_distance(type, 0x8001, 0x0001), 2);
    assert_int_equal(cumsum_ulp_distance(type, 0x7F7F, 0x7F80), 1);
    assert_true(cumsum_ulp_distance(type, 0x7F81, 0xFFC0) == 0);
    assert_true(cumsum_same_bits(type, 0x7F81, 0xFFC0));
    assert_false(cumsum_same_bits(type, 0x7F80, 0xFFC0));
}

static void integers_by_difference(void) {
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_INT32, (uint32_t)-1, 1), 2);
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_UINT32, (uint32_t)-1, 1), 0xFFFFFFFEu);
    assert_true(cumsum_ulp_distance(CUMSUM_DATA_TYPE_INT64, UINT64_C(1) << 63, INT64_MAX) ==
                UINT64_MAX);
    assert_true(cumsum_ulp_distance(CUMSUM_DATA_TYPE_UINT64, 0, UINT64_MAX) == UINT64_MAX);
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_INT8, 0x80, 0x7F), 255);
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_UINT8, 0x80, 0x7F), 1);
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_INT16, 0xFFFF, 1), 2);
    assert_int_equal(cumsum_ulp_distance(CUMSUM_DATA_TYPE_UINT16, 0xFFFF, 1), 0xFFFE);
    assert_true(cumsum_ulp_distance(CUMSUM_DATA_TYPE_INT4, 0, 0) == UINT64_MAX);
}

static void nan_equals_nan_and_nothing_else(void) {
    assert_true(cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT32, 0x7FC00000, 0xFF800001));
    assert_false(cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT32, 0x7FC00000, 0x7F800000));
    assert_false(cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT32, 0, 0x80000000));
    assert_true(cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT16, 0x7E00, 0xFC01));
    assert_false(cumsum_same_bits(CUMSUM_DATA_TYPE_FLOAT16, 0x7C00, 0xFC00));
    assert_false(cumsum_same_bits(CUMSUM_DATA_TYPE_INT32, 0x7FC00000, 0x7FC00001));
}

CHECK_GROUP(test_ulp, T(binary32_steps), T(binary16_steps), T(binary64_steps), T(bfloat16_steps),
            T(integers_by_difference), T(nan_equals_nan_and_nothing_else));
