/* SPDX-License-Identifier: MIT */
#include "element_parts.h"

#include <math.h>
#include <string.h>

static bool is_floating(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
}

static bool is_signed(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_INT32 || type == CUMSUM_DATA_TYPE_INT64;
}

int element_digits(uint64_t number) {
    int digits = 0;
    for (; number; number >>= 1)
        digits++;
    return digits;
}

static float float_of(cumsum_data_type type, uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? cumsum_half_to_float((uint16_t)bits) : value;
}

static uint64_t float_bits(cumsum_data_type type, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE)
                                            : bits;
}

/* A binary32 has 24 digits: scaled by 2^24 its fraction is an integer. */
static element_parts take_float(float value) {
    element_parts parts = {.kind = isnan(value)   ? ELEMENT_NAN
                                   : isinf(value) ? ELEMENT_INFINITE
                                   : value == 0   ? ELEMENT_ZERO
                                                  : ELEMENT_FINITE,
                           .negative = signbit(value) != 0};
    if (parts.kind == ELEMENT_FINITE) {
        double fraction = frexp(fabs((double)value), &parts.exponent);
        parts.odd = (uint64_t)ldexp(fraction, 24);
        parts.exponent -= 24;
    }
    return parts;
}

static element_parts take_integer(cumsum_data_type type, uint64_t bits) {
    unsigned width = cumsum_data_type_size(type) * 8;
    uint64_t sign = UINT64_C(1) << (width - 1);
    element_parts parts = {.negative = is_signed(type) && (bits & sign)};
    parts.odd = parts.negative ? (~bits + 1) & (sign | (sign - 1)) : bits;
    parts.kind = parts.odd ? ELEMENT_FINITE : ELEMENT_ZERO;
    return parts;
}

element_parts element_take_apart(cumsum_data_type type, uint64_t bits) {
    element_parts parts =
        is_floating(type) ? take_float(float_of(type, bits)) : take_integer(type, bits);
    while (parts.kind == ELEMENT_FINITE && !(parts.odd & 1)) {
        parts.odd >>= 1;
        parts.exponent++;
    }
    return parts;
}

static bool put_float(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    double value = ldexp((double)parts->odd, parts->exponent);
    value = parts->negative ? -value : value;
    *bits = float_bits(type, (float)value);
    return element_digits(parts->odd) <= 24 && (double)float_of(type, *bits) == value;
}

static bool put_integer(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    int width = (int)cumsum_data_type_size(type) * 8;
    if (!parts->odd) {
        *bits = 0;
        return true;
    }
    if (parts->exponent < 0 || element_digits(parts->odd) + parts->exponent > width ||
        (parts->negative && !is_signed(type)))
        return false;
    uint64_t mask = UINT64_MAX >> (64 - width);
    uint64_t magnitude = parts->odd << parts->exponent;
    uint64_t sign = UINT64_C(1) << (width - 1);
    *bits = (parts->negative ? ~magnitude + 1 : magnitude) & mask;
    return !is_signed(type) || magnitude < sign || (parts->negative && magnitude == sign);
}

bool element_put_together(cumsum_data_type type, const element_parts *parts, uint64_t *bits) {
    return is_floating(type) ? put_float(type, parts, bits) : put_integer(type, parts, bits);
}
