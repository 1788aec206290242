/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ELEMENTS_ELEMENT_H
#define CUMSUM_ELEMENTS_ELEMENT_H

/* One element of a buffer, in memory and as a value, and what its type is. The library and the
 * programs share these functions. */

#include <cumsum/cumsum.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Whether the machine's byte order is big-endian. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ELEMENT_BIG_ENDIAN 1
#else
#define ELEMENT_BIG_ENDIAN 0
#endif

/* The element at `bytes`, in the machine's byte order, in the low bits. 0 for a type without a byte
 * size. */
static inline uint64_t element_load(const unsigned char *bytes, cumsum_data_type type) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (cumsum_data_type_size(type)) { /* so that each copy is one instruction */
    case 1:
        return *bytes;
    case 2:
        memcpy(&two, bytes, sizeof two);
        return two;
    case 4:
        memcpy(&four, bytes, sizeof four);
        return four;
    case 8:
        memcpy(&eight, bytes, sizeof eight);
        return eight;
    default:
        return 0;
    }
}

/* Stores the low bits as the element at `bytes`, in the machine's byte order. */
static inline void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits) {
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    switch (cumsum_data_type_size(type)) {
    case 1:
        *bytes = (unsigned char)bits;
        break;
    case 2:
        memcpy(bytes, &two, sizeof two);
        break;
    case 4:
        memcpy(bytes, &four, sizeof four);
        break;
    case 8:
        memcpy(bytes, &bits, sizeof bits);
        break;
    default:
        break;
    }
}

/* Turns `size` bytes of elements into the other byte order. */
static inline void element_swap(unsigned char *bytes, uint64_t size, cumsum_data_type type) {
    const uint32_t width = cumsum_data_type_size(type);
    for (unsigned char *at = bytes; at < bytes + size; at += width) {
        for (uint32_t i = 0; i < width / 2; i++) {
            const unsigned char low = at[i];
            at[i] = at[width - 1 - i];
            at[width - 1 - i] = low;
        }
    }
}

/* Files have little-endian elements. Turns `size` bytes of such elements into the machine's, or the
 * machine's into such. Does nothing on a little-endian machine. */
static inline void element_swap_little_endian(unsigned char *bytes, uint64_t size,
                                              cumsum_data_type type) {
    if (ELEMENT_BIG_ENDIAN)
        element_swap(bytes, size, type);
}

static inline double element_binary32(uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return (double)value;
}

static inline double element_binary64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The value of an element of a floating-point type. */
static inline double element_value(cumsum_data_type type, uint64_t bits) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return (double)cumsum_half_to_float((uint16_t)bits);
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return element_binary32(bits << 16);
    case CUMSUM_DATA_TYPE_FLOAT32:
        return element_binary32(bits);
    default:
        return element_binary64(bits);
    }
}

/* The value in binary32, rounded to odd: the last bit of what is not exact is 1. So the next
 * rounding, to 16 bits, is as if it were the only one. */
static inline float odd_float(double value) {
    float narrow = (float)value;
    uint32_t bits;
    if (isnan(value) || (double)narrow == value)
        return narrow;
    memcpy(&bits, &narrow, sizeof bits);
    bits -= fabs((double)narrow) > fabs(value);
    bits |= 1;
    memcpy(&narrow, &bits, sizeof narrow);
    return narrow;
}

/* The element of a floating-point type that is nearest to the value, and of two the even one. Too
 * large a value becomes infinity. */
static inline uint64_t element_nearest(cumsum_data_type type, double value) {
    const bool wide = type == CUMSUM_DATA_TYPE_FLOAT32;
    const float narrow = wide ? (float)value : odd_float(value);
    uint32_t bits;
    uint64_t bits64;
    memcpy(&bits, &narrow, sizeof bits);
    memcpy(&bits64, &value, sizeof bits64);
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return cumsum_half_from_float(narrow, CUMSUM_HALF_STORE_IEEE);
    if (type == CUMSUM_DATA_TYPE_BFLOAT16)
        return isnan(value) ? bits >> 16 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    return wide ? bits : bits64;
}

/* The bits of their significands without the leading one; 0 for other types. */
static inline uint32_t element_fraction_bits(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT64    ? 52
           : type == CUMSUM_DATA_TYPE_FLOAT32  ? 23
           : type == CUMSUM_DATA_TYPE_FLOAT16  ? 10
           : type == CUMSUM_DATA_TYPE_BFLOAT16 ? 7
                                               : 0;
}

/* True for FLOAT16, BFLOAT16, FLOAT32 and FLOAT64. */
static inline bool element_is_float(cumsum_data_type type) {
    return element_fraction_bits(type) > 0;
}

/* True for INT8, INT16, INT32 and INT64. */
static inline bool element_is_signed(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_INT8 || type == CUMSUM_DATA_TYPE_INT16 ||
           type == CUMSUM_DATA_TYPE_INT32 || type == CUMSUM_DATA_TYPE_INT64;
}

/* The least and the largest number of an integer type; false for other types. */
static inline bool element_integer_range(cumsum_data_type type, int64_t *minimum,
                                         uint64_t *maximum) {
    const uint32_t size = cumsum_data_type_size(type);
    if (!size || element_is_float(type))
        return false;
    *maximum = UINT64_MAX >> (64 - 8 * size) >> element_is_signed(type);
    *minimum = element_is_signed(type) ? -(int64_t)*maximum - 1 : 0;
    return true;
}

/* The highest bit: the sign, where the type has one. */
static inline uint64_t element_sign(cumsum_data_type type) {
    return UINT64_C(1) << (8 * cumsum_data_type_size(type) - 1);
}

/* The number of an integer type, modulo 2^64. */
static inline uint64_t element_integer(cumsum_data_type type, uint64_t bits) {
    const uint64_t sign = element_sign(type);
    return element_is_signed(type) ? (bits ^ sign) - sign : bits;
}

/* The value of an element of any type: of an integer that binary64 does not hold the nearest one.
 */
static inline double element_number(cumsum_data_type type, uint64_t bits) {
    const uint64_t integer = element_integer(type, bits);
    return element_is_float(type)    ? element_value(type, bits)
           : element_is_signed(type) ? (double)(int64_t)integer
                                     : (double)integer;
}

/* A NaN of a floating-point type. */
static inline bool element_is_nan(cumsum_data_type type, uint64_t bits) {
    return element_is_float(type) && isnan(element_value(type, bits)) != 0;
}

/* True for every integer, and for floating-point values other than NaN and the infinities. */
static inline bool element_is_finite(cumsum_data_type type, uint64_t bits) {
    return !element_is_float(type) || isfinite(element_value(type, bits)) != 0;
}

#endif
