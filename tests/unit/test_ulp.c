/* SPDX-License-Identifier: MIT */
/* ULP distances and equality of bits, for every data type (docs/oracle.md, "ULP distance").
 * test_all_16_bits tries all pairs of 16 bits. */
#include "check.h"
#include "oracle_data.h"

#define F64   CUMSUM_DATA_TYPE_FLOAT64
#define F32   CUMSUM_DATA_TYPE_FLOAT32
#define F16   CUMSUM_DATA_TYPE_FLOAT16
#define BF16  CUMSUM_DATA_TYPE_BFLOAT16
#define ONE   UINT64_C(0x3FF0000000000000) /* the bits of FLOAT64 */
#define INF   UINT64_C(0x7FF0000000000000)
#define MINUS UINT64_C(0x8000000000000000)

static const struct {
    cumsum_data_type type;
    uint64_t a, b, ulps;
    bool same; /* bits, or both are NaN */
} pairs[] = {
    {F32, 0x3F800000, 0x3F800000, 0, true},
    {F32, 0x3F800000, 0x3F800001, 1, false},
    {F32, 0x3F800000, 0x3F7FFFFF, 1, false},
    {F32, 0, 0x80000000, 0, false},
    {F32, 1, 0x80000001, 2, false}, /* across zero */
    {F32, 0x7F800000, 0x7F7FFFFF, 1, false},
    {F32, 0xFF800000, 0x7F800000, 2 * UINT64_C(0x7F800000), false},
    {F32, 0x7FC00000, 0xFF800001, 0, true},
    {F32, 0x7FC00000, 0x7F800000, UINT64_MAX, false},
    {F32, 0x7FC00000, 0x3F800000, UINT64_MAX, false},
    {F16, 0x8001, 0x0001, 2, false},
    {F16, 0x7BFF, 0x7C00, 1, false},
    {F16, 0x7E00, 0xFC01, 0, true},
    {F16, 0x7C00, 0xFC00, 2 * 0x7C00, false},
    {F64, ONE, ONE + 1, 1, false},
    {F64, 1, MINUS | 1, 2, false},
    {F64, 0, MINUS, 0, false},
    {F64, INF, INF - 1, 1, false},
    {F64, MINUS | INF, INF, 2 * INF, false},
    {F64, INF | 1, MINUS | INF | 9, 0, true},
    {F64, INF | 1, 0, UINT64_MAX, false},
    {F64, INF | 1, INF, UINT64_MAX, false},
    {BF16, 0x8001, 0x0001, 2, false},
    {BF16, 0x7F7F, 0x7F80, 1, false},
    {BF16, 0x7F81, 0xFFC0, 0, true},
    {BF16, 0x7F80, 0xFFC0, UINT64_MAX, false},
    {CUMSUM_DATA_TYPE_INT32, UINT32_MAX, 1, 2, false},
    {CUMSUM_DATA_TYPE_INT32, 0x7FC00000, 0x7FC00001, 1, false},
    {CUMSUM_DATA_TYPE_UINT32, UINT32_MAX, 1, 0xFFFFFFFE, false},
    {CUMSUM_DATA_TYPE_INT64, MINUS, INT64_MAX, UINT64_MAX, false},
    {CUMSUM_DATA_TYPE_UINT64, 0, UINT64_MAX, UINT64_MAX, false},
    {CUMSUM_DATA_TYPE_INT8, 0x80, 0x7F, 255, false},
    {CUMSUM_DATA_TYPE_UINT8, 0x80, 0x7F, 1, false},
    {CUMSUM_DATA_TYPE_INT16, 0xFFFF, 1, 2, false},
    {CUMSUM_DATA_TYPE_UINT16, 0xFFFF, 1, 0xFFFE, false},
    {CUMSUM_DATA_TYPE_INT4, 0, 0, UINT64_MAX, true},
};

static void pairs_of_values(void) {
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            const uint64_t a = swapped ? pairs[i].b : pairs[i].a;
            const uint64_t b = swapped ? pairs[i].a : pairs[i].b;
            if (cumsum_ulp_distance(pairs[i].type, a, b) != pairs[i].ulps ||
                cumsum_same_bits(pairs[i].type, a, b) != pairs[i].same)
                fail_msg("pair %zu", i);
        }
}

CHECK_GROUP(test_ulp, T(pairs_of_values));
