/* SPDX-License-Identifier: MIT */
/* Elements in memory, and what their types are. */
#include "element.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Where the byte with the weight 256^i lies. */
static uint32_t place(uint32_t i, uint32_t size) {
    return ELEMENT_BIG_ENDIAN ? size - 1 - i : i;
}

uint64_t element_load(const unsigned char *bytes, cumsum_data_type type) {
    const uint32_t size = cumsum_data_type_size(type);
    uint64_t bits = 0;
    for (uint32_t i = size; i-- > 0;)
        bits = bits << 8 | bytes[place(i, size)];
    return bits;
}

void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits) {
    const uint32_t size = cumsum_data_type_size(type);
    for (uint32_t i = 0; i < size; i++)
        bytes[place(i, size)] = (unsigned char)(bits >> (8 * i));
}

void element_swap_little_endian(unsigned char *bytes, uint64_t size, cumsum_data_type type) {
    if (!ELEMENT_BIG_ENDIAN)
        return;
    const uint32_t width = cumsum_data_type_size(type);
    for (unsigned char *at = bytes; at < bytes + size; at += width) {
        for (uint32_t i = 0; i < width / 2; i++) {
            const unsigned char low = at[i];
            at[i] = at[width - 1 - i];
            at[width - 1 - i] = low;
        }
    }
}

static double binary32_value(uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return (double)value;
}

static double binary64_value(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double element_value(cumsum_data_type type, uint64_t bits) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return (double)cumsum_half_to_float((uint16_t)bits);
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return binary32_value(bits << 16);
    case CUMSUM_DATA_TYPE_FLOAT32:
        return binary32_value(bits);
    default:
        return binary64_value(bits);
    }
}

uint32_t element_fraction_bits(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT64    ? 52
           : type == CUMSUM_DATA_TYPE_FLOAT32  ? 23
           : type == CUMSUM_DATA_TYPE_FLOAT16  ? 10
           : type == CUMSUM_DATA_TYPE_BFLOAT16 ? 7
                                               : 0;
}

bool element_is_float(cumsum_data_type type) {
    return element_fraction_bits(type) > 0;
}

bool element_is_signed(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_INT8 || type == CUMSUM_DATA_TYPE_INT16 ||
           type == CUMSUM_DATA_TYPE_INT32 || type == CUMSUM_DATA_TYPE_INT64;
}

bool element_integer_range(cumsum_data_type type, int64_t *minimum, uint64_t *maximum) {
    const uint32_t size = cumsum_data_type_size(type);
    if (!size || element_is_float(type))
        return false;
    *maximum = UINT64_MAX >> (64 - 8 * size) >> element_is_signed(type);
    *minimum = element_is_signed(type) ? -(int64_t)*maximum - 1 : 0;
    return true;
}

uint64_t element_sign(cumsum_data_type type) {
    return UINT64_C(1) << (8 * cumsum_data_type_size(type) - 1);
}

bool element_is_nan(cumsum_data_type type, uint64_t bits) {
    return element_is_float(type) && isnan(element_value(type, bits)) != 0;
}

bool element_is_finite(cumsum_data_type type, uint64_t bits) {
    return !element_is_float(type) || isfinite(element_value(type, bits)) != 0;
}
