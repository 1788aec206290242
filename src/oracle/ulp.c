/* SPDX-License-Identifier: MIT */
/*
 * Comparing two values of a type: their distance in units in the last place (docs/oracle.md, "ULP
 * distance"), and equality up to the bits of a NaN. Values arrive as bits in a uint64_t; bits above
 * the width of the type are ignored.
 */
#include <cumsum/oracle.h>

#include "judge_state.h"

/* Ranks count the numbers of a format, so their difference counts the steps between two of them. */
static uint64_t float_distance(const binary_format *f, uint64_t a, uint64_t b) {
    bool a_nan = format_is_nan(f, a), b_nan = format_is_nan(f, b);
    if (a_nan || b_nan)
        return a_nan && b_nan ? 0 : UINT64_MAX;
    int64_t left = format_rank(f, a), right = format_rank(f, b);
    return left > right ? (uint64_t)left - (uint64_t)right : (uint64_t)right - (uint64_t)left;
}

static bool is_signed_integer(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_INT8 || type == CUMSUM_DATA_TYPE_INT16 ||
           type == CUMSUM_DATA_TYPE_INT32 || type == CUMSUM_DATA_TYPE_INT64;
}

/* All bits of an element of `size` bytes. */
static uint64_t mask_of(uint32_t size) {
    return UINT64_MAX >> (64 - 8 * size);
}

uint64_t cumsum_ulp_distance(cumsum_data_type type, uint64_t a, uint64_t b) {
    const uint32_t size = cumsum_data_type_size(type);
    const binary_format *f = judge_format_of(type);
    if (size == 0)
        return UINT64_MAX;
    a &= mask_of(size);
    b &= mask_of(size);
    if (f)
        return float_distance(f, a, b);
    if (is_signed_integer(type)) { /* flipping the sign bit maps signed to unsigned order */
        const uint64_t sign = UINT64_C(1) << (8 * size - 1);
        a ^= sign;
        b ^= sign;
    }
    return a > b ? a - b : b - a;
}

bool cumsum_same_bits(cumsum_data_type type, uint64_t a, uint64_t b) {
    const uint32_t size = cumsum_data_type_size(type);
    const binary_format *f = judge_format_of(type);
    const uint64_t mask = size ? mask_of(size) : UINT64_MAX;
    return ((a ^ b) & mask) == 0 || (f && format_is_nan(f, a & mask) && format_is_nan(f, b & mask));
}
