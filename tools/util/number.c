/* SPDX-License-Identifier: MIT */
/* Decimal text as integers, floating-point numbers and bytes; each value is rounded once. */
#include "number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "element.h"
#include "memory.h"

const char *number_digits(const char *text, const char *end, uint64_t limit, uint64_t *number) {
    const char *at = text;
    *number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (__builtin_mul_overflow(*number, UINT64_C(10), number) ||
            __builtin_add_overflow(*number, digit, number) || *number > limit)
            return NULL;
    }
    return at == text ? NULL : at;
}

const char *number_canonical(const char *text, const char *end, uint64_t limit, uint64_t *number) {
    const char *after = number_digits(text, end, limit, number);
    return after && *text == '0' && after > text + 1 ? NULL : after;
}

bool number_to_integer(const char *text, size_t length, int64_t minimum, uint64_t maximum,
                       uint64_t *number) {
    const char *end = text + length;
    const bool negative = length > 0 && text[0] == '-';
    const uint64_t lowest = minimum < 0 ? 0 - (uint64_t)minimum : 0;
    if (number_digits(text + negative, end, negative ? lowest : maximum, number) != end ||
        (minimum > 0 && *number < (uint64_t)minimum))
        return false;
    *number = negative ? 0 - *number : *number;
    return true;
}

/* The number as 0.DIGITS * 10^scale, with digits that neither begin nor end with 0. */
typedef struct decimal {
    char *digits; /* to be freed */
    int64_t scale;
} decimal;

static decimal read_decimal(const char *text) {
    decimal d = {tool_malloc(strlen(text) + 1), 0};
    const char *exponent = strpbrk(text, "eE");
    size_t count = 0;
    bool fraction = false;
    for (; *text && text != exponent; text++) {
        fraction = fraction || *text == '.';
        if (*text < '0' || *text > '9')
            continue;
        if (count || *text != '0')
            d.digits[count++] = *text;
        d.scale += fraction ? -!count : count > 0; /* leading zeros after the point lower it */
    }
    while (count && d.digits[count - 1] == '0')
        count--;
    d.digits[count] = '\0';
    d.scale += exponent ? strtoll(exponent + 1, NULL, 10) : 0;
    return d;
}

/* The sign of |decimal text| - value, exactly. text: a JSON number that is not 0 and has an
 * exponent of at most 15 digits; value: positive, with at most 110 significant decimal digits. */
static int compare_decimal(const char *text, double value) {
    char exact[128];
    snprintf(exact, sizeof exact, "%.110e", value);
    const decimal a = read_decimal(text);
    const decimal b = read_decimal(exact);
    int order = (a.scale > b.scale) - (a.scale < b.scale);
    if (!order)
        order = strcmp(a.digits, b.digits);
    free(a.digits);
    free(b.digits);
    return (order > 0) - (order < 0);
}

/* The value, so that its next rounding, to 16 bits, is as if it were the only one: if strtod moved
 * it onto a number of 16 bits, or the middle between two of them, its last bit becomes 1. Those
 * have at most 12 bits. Every such number is normal in binary64. */
static double read_odd(const char *text) {
    double value = strtod(text, NULL);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits << 24 == 0 && isnormal(value)) {
        const int order = compare_decimal(text, fabs(value));
        bits = order ? (bits - (order < 0)) | 1 : bits;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool store_integer(cumsum_data_type type, const char *text, size_t length, void *out) {
    int64_t minimum;
    uint64_t maximum;
    uint64_t number;
    if (!element_integer_range(type, &minimum, &maximum) ||
        !number_to_integer(text, length, minimum, maximum, &number))
        return false;
    element_store(out, type, number);
    return true;
}

/* The tool never sets a locale, so strtod takes the decimal point of C. */
static double read_float(cumsum_data_type type, const char *text) {
    return type == CUMSUM_DATA_TYPE_FLOAT64   ? strtod(text, NULL)
           : type == CUMSUM_DATA_TYPE_FLOAT32 ? (double)strtof(text, NULL)
                                              : read_odd(text);
}

/* Reads a terminated copy of a float, since the text need not be followed by anything. */
bool number_store(cumsum_data_type type, const char *text, size_t length, void *out) {
    char local[64];
    if (!element_is_float(type))
        return store_integer(type, text, length, out);
    char *copy = length < sizeof local ? local : tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    element_store(out, type, element_nearest(type, read_float(type, copy)));
    if (copy != local)
        free(copy);
    return true;
}

/* The exponent is all ones, and of the mantissa the highest bit for NaN. */
bool number_store_word(cumsum_data_type type, const char *word, void *out) {
    const bool nan = strcasecmp(word, "nan") == 0;
    const bool negative = strcasecmp(word, "-inf") == 0;
    if (!element_is_float(type) || !(nan || negative || strcasecmp(word, "inf") == 0))
        return false;
    const uint64_t one = UINT64_C(1) << element_fraction_bits(type); /* the exponent's lowest bit */
    const uint64_t infinity = element_sign(type) - one;
    element_store(out, type, infinity | (nan ? one / 2 : negative ? element_sign(type) : 0));
    return true;
}

/* The sum of two numbers is exact in binary64, or that of two FLOAT32 rounded once; rounded again
 * it is the sum rounded once, since 53 bits are at least 2 * 24 + 2. */
void number_add(cumsum_data_type type, void *value, const void *delta) {
    if (element_is_float(type))
        element_store(value, type,
                      element_nearest(type, element_value(type, element_load(value, type)) +
                                                element_value(type, element_load(delta, type))));
    else /* modulo 2^64, hence modulo 2^8, 2^16 and 2^32 in the low bits */
        element_store(value, type, element_load(value, type) + element_load(delta, type));
}
