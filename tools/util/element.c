/* SPDX-License-Identifier: MIT */
/*
 * Elements in memory, what their types are, and their text. A decimal is found by printing with
 * more and more digits until the text reads back as the same value: C has no function for it.
 */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

uint64_t element_load(const unsigned char *bytes, cumsum_data_type type) {
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

void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits) {
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

/* The value in binary32, rounded to odd: the last bit of what is not exact is 1. So the next
 * rounding, to 16 bits, is as if it were the only one. */
static float odd_float(double value) {
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

uint64_t element_nearest(cumsum_data_type type, double value) {
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

/* number_store reads as IEEE 754 asks for: to the nearest value, ties to even. */
static bool reads_back(const char *text, cumsum_data_type type, uint64_t bits) {
    unsigned char bytes[sizeof(uint64_t)];
    return number_store(type, text, strlen(text), bytes) && element_load(bytes, type) == bits;
}

/*
 * Finds the shortest decimal of a value that is not zero: with more and more digits, the nearest
 * decimal. A power of two has half the gap below it that it has above, so the nearest decimal may
 * lie beyond the lower half gap, and the next one above it still read back. That one never ends in
 * 0: it would have been found with fewer digits.
 */
static void shortest_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits,
                             int most) {
    int exponent;
    const double value = element_value(type, bits);
    const bool power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    for (int precision = 1; precision <= most; precision++) {
        snprintf(text, ELEMENT_TEXT, "%.*g", precision, value);
        if (reads_back(text, type, bits))
            return;
        snprintf(text, ELEMENT_TEXT, "%#.*g", precision, value); /* with its last zeros */
        char *last = text + strcspn(text, "e") - 1;
        if (*last >= '0' && *last < '9')
            ++*last;
        if (power_of_two && reads_back(text, type, bits))
            return;
    }
}

/* Whole numbers are written with every digit where that is short. */
static void finite_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    double value = element_value(type, bits);
    int most = type == CUMSUM_DATA_TYPE_BFLOAT16  ? 4
               : type == CUMSUM_DATA_TYPE_FLOAT16 ? 5
               : type == CUMSUM_DATA_TYPE_FLOAT32 ? 9
                                                  : 17;
    if (fabs(value) < 0x1p24 && value == trunc(value)) {
        snprintf(text, ELEMENT_TEXT, "%.0f", value);
        return;
    }
    shortest_decimal(text, type, bits, most);
    int before_point = (int)floor(log10(fabs(value))) + 1;
    if (before_point <= most + 1 && strchr(text, 'e') && fabs(value) >= 1)
        snprintf(text, ELEMENT_TEXT, "%.0f", value);
}

static int64_t sign_extend(uint64_t bits, uint64_t sign) {
    return (int64_t)((bits ^ sign) - sign);
}

void element_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    const double value = element_value(type, bits);
    if (!cumsum_data_type_size(type))
        strcpy(text, "?");
    else if (element_is_signed(type))
        snprintf(text, ELEMENT_TEXT, "%" PRId64, sign_extend(bits, element_sign(type)));
    else if (!element_is_float(type))
        snprintf(text, ELEMENT_TEXT, "%" PRIu64, bits);
    else if (isnan(value))
        strcpy(text, "nan");
    else if (isinf(value))
        strcpy(text, value < 0 ? "-inf" : "inf");
    else
        finite_decimal(text, type, bits);
}

void element_hex(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    snprintf(text, ELEMENT_TEXT, "0x%0*" PRIx64, (int)(2 * cumsum_data_type_size(type)), bits);
}
