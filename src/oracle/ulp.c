/* SPDX-License-Identifier: MIT */
/*
 * Comparing two values of a type: their distance in units in the last place (docs/oracle.md, "ULP
 * distance"), and equality up to the bits of a NaN. Values arrive as bits in a uint64_t; bits above
 * the width of the type are ignored.
 */
#include <cumsum/oracle.h>

#include "binary_format.h"

/* Ranks count the numbers of a format, so their difference counts the steps between two of them. */
static uint64_t float_distance(const binary_format *f, uint32_t a, uint32_t b) {
    bool a_nan = format_is_nan(f, a), b_nan = format_is_nan(f, b);
    if (a_nan || b_nan)
        return a_nan && b_nan ? 0 : UINT64_MAX;
    int64_t difference = format_rank(f, a) - format_rank(f, b);
    return (uint64_t)(difference < 0 ? -difference : difference);
}

/* |a - b|. The smaller number is subtracted, so nothing wraps. */
static uint64_t unsigned_distance(uint64_t a, uint64_t b) {
    return a > b ? a - b : b - a;
}

uint64_t cumsum_ulp_distance(cumsum_data_type type, uint64_t a, uint64_t b) {
    const uint64_t sign32 = UINT64_C(1) << 31, sign64 = UINT64_C(1) << 63;
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return float_distance(&binary32_format, (uint32_t)a, (uint32_t)b);
    case CUMSUM_DATA_TYPE_FLOAT16:
        return float_distance(&binary16_format, (uint32_t)a & 0xFFFFu, (uint32_t)b & 0xFFFFu);
    case CUMSUM_DATA_TYPE_UINT32:
        return unsigned_distance((uint32_t)a, (uint32_t)b);
    case CUMSUM_DATA_TYPE_INT32: /* flipping the sign bit maps signed order to unsigned order */
        return unsigned_distance((uint32_t)(a ^ sign32), (uint32_t)(b ^ sign32));
    case CUMSUM_DATA_TYPE_UINT64:
        return unsigned_distance(a, b);
    case CUMSUM_DATA_TYPE_INT64:
        return unsigned_distance(a ^ sign64, b ^ sign64);
    default:
        return UINT64_MAX;
    }
}

bool cumsum_same_bits(cumsum_data_type type, uint64_t a, uint64_t b) {
    uint32_t size = cumsum_data_type_size(type);
    uint64_t mask = size && size < 8 ? (UINT64_C(1) << (8 * size)) - 1 : UINT64_MAX;
    if (((a ^ b) & mask) == 0)
        return true;
    if (type == CUMSUM_DATA_TYPE_FLOAT32)
        return format_is_nan(&binary32_format, (uint32_t)a) &&
               format_is_nan(&binary32_format, (uint32_t)b);
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return format_is_nan(&binary16_format, (uint32_t)a & 0xFFFFu) &&
               format_is_nan(&binary16_format, (uint32_t)b & 0xFFFFu);
    return false;
}
