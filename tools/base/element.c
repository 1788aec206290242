/* SPDX-License-Identifier: MIT */
/*
 * Elements of every data type as text. A decimal is found by printing with more and more digits
 * until the text reads back as the same value: the standard library has no shortest form.
 */
#include "element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t element_load(const unsigned char *bytes, cumsum_data_type type) {
    uint64_t bits = 0;
    for (uint32_t i = cumsum_data_type_size(type); i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits) {
    for (uint32_t i = 0; i < cumsum_data_type_size(type); i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
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

static double floating_value(cumsum_data_type type, uint64_t bits) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return (double)cumsum_half_to_float((uint16_t)bits);
    case CUMSUM_DATA_TYPE_FLOAT32:
        return binary32_value(bits);
    default:
        return binary64_value(bits);
    }
}

/* Whether the decimal is nearer to this binary16 value than to its neighbours. A decimal halfway
 * between two does not count: the next digit decides. All terms are exact in binary64. */
static bool reads_back_half(double decimal, uint64_t bits) {
    uint64_t magnitude = bits & 0x7FFF;
    double value = fabs(floating_value(CUMSUM_DATA_TYPE_FLOAT16, bits));
    double below = magnitude ? (double)cumsum_half_to_float((uint16_t)(magnitude - 1)) : -value;
    double above =
        magnitude == 0x7BFF ? 65536.0 : (double)cumsum_half_to_float((uint16_t)(magnitude + 1));
    decimal = fabs(decimal);
    return magnitude ? decimal > (below + value) / 2 && decimal < (value + above) / 2
                     : decimal == 0;
}

static bool reads_back(const char *text, cumsum_data_type type, uint64_t bits, double value) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return reads_back_half(strtod(text, NULL), bits);
    case CUMSUM_DATA_TYPE_FLOAT32:
        return (double)strtof(text, NULL) == value;
    default:
        return strtod(text, NULL) == value;
    }
}

/* %g writes an exponent where the value has more digits before the point than the precision. %.0f
 * then writes all digits of the integer, which reads back as well. */
static void finite_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    double value = floating_value(type, bits);
    int most = type == CUMSUM_DATA_TYPE_FLOAT16 ? 5 : type == CUMSUM_DATA_TYPE_FLOAT32 ? 9 : 17;
    if (fabs(value) < 0x1p24 && value == trunc(value)) { /* every digit of it is needed */
        snprintf(text, ELEMENT_TEXT, "%.0f", value);
        return;
    }
    int digits = 0;
    do {
        snprintf(text, ELEMENT_TEXT, "%.*g", ++digits, value);
    } while (digits < most && !reads_back(text, type, bits, value));
    int before_point = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;
    if (before_point > digits && before_point <= most + 1)
        snprintf(text, ELEMENT_TEXT, "%.0f", value);
}

static void floating_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    double value = floating_value(type, bits);
    if (isnan(value))
        strcpy(text, "nan");
    else if (isinf(value))
        strcpy(text, value < 0 ? "-inf" : "inf");
    else
        finite_decimal(text, type, bits);
}

static int64_t sign_extend(uint64_t bits, uint32_t size) {
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

void element_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
    case CUMSUM_DATA_TYPE_FLOAT32:
    case CUMSUM_DATA_TYPE_FLOAT64:
        floating_decimal(text, type, bits);
        break;
    case CUMSUM_DATA_TYPE_INT8:
    case CUMSUM_DATA_TYPE_INT16:
    case CUMSUM_DATA_TYPE_INT32:
    case CUMSUM_DATA_TYPE_INT64:
        snprintf(text, ELEMENT_TEXT, "%" PRId64, sign_extend(bits, cumsum_data_type_size(type)));
        break;
    case CUMSUM_DATA_TYPE_UINT8:
    case CUMSUM_DATA_TYPE_UINT16:
    case CUMSUM_DATA_TYPE_UINT32:
    case CUMSUM_DATA_TYPE_UINT64:
        snprintf(text, ELEMENT_TEXT, "%" PRIu64, bits);
        break;
    default:
        strcpy(text, "?");
        break;
    }
}

void element_hex(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    snprintf(text, ELEMENT_TEXT, "0x%0*" PRIx64, (int)(2 * cumsum_data_type_size(type)), bits);
}

bool element_is_finite(cumsum_data_type type, uint64_t bits) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
    case CUMSUM_DATA_TYPE_FLOAT32:
    case CUMSUM_DATA_TYPE_FLOAT64:
        return isfinite(floating_value(type, bits)) != 0;
    default:
        return true;
    }
}
