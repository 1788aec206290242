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

int number_compare_decimal(const char *text, double value) {
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

/*
 * To a format of 16 bits with so many bits of fraction, whose smallest normal is 2^lowest. Rounds
 * once although strtod rounded already: that cannot have moved the number across the middle between
 * two numbers of the format, since each such middle is a double, but it may have moved it onto one.
 * Then the text decides.
 */
static uint16_t to_16_bits(const char *text, int fraction, int lowest) {
    const double value = strtod(text, NULL);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (magnitude >= ldexp(1, 2 - lowest)) /* here, and at infinity, there is no exponent */
        return (uint16_t)(sign | (0x8000 - (1 << fraction)));
    int exponent = magnitude < ldexp(1, lowest) ? lowest : ilogb(magnitude); /* of the quantum */
    double quanta = ldexp(magnitude, fraction - exponent); /* exact: below 2 * 2^fraction */
    double whole = floor(quanta);
    double rest = quanta - whole;
    unsigned mantissa = (unsigned)whole;
    int order = (rest > 0.5) - (rest < 0.5);
    if (order == 0)
        order = number_compare_decimal(text, magnitude);
    mantissa += order > 0 || (order == 0 && (mantissa & 1));
    /* The hidden bit of a normal mantissa adds one to the exponent, as does a carry out of it:
     * from 65520 on, for FLOAT16, that gives infinity. */
    return (uint16_t)(sign | (((unsigned)(exponent - lowest) << fraction) + mantissa));
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

/* Rounds to nearest even. Not for BFLOAT16. */
static void store_rounded(cumsum_data_type type, double value, void *out) {
    const float single = (float)value;
    const uint16_t half = cumsum_half_from_float(single, CUMSUM_HALF_STORE_IEEE);
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        memcpy(out, &half, sizeof half);
    else if (type == CUMSUM_DATA_TYPE_FLOAT32)
        memcpy(out, &single, sizeof single);
    else
        memcpy(out, &value, sizeof value);
}

/* The tool never sets a locale, so strtod takes the decimal point of C. */
static void store_float(cumsum_data_type type, const char *text, void *out) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        element_store(out, type, to_16_bits(text, 10, -14));
    else if (type == CUMSUM_DATA_TYPE_BFLOAT16)
        element_store(out, type, to_16_bits(text, 7, -126));
    else if (type == CUMSUM_DATA_TYPE_FLOAT32)
        store_rounded(type, (double)strtof(text, NULL), out);
    else
        store_rounded(type, strtod(text, NULL), out);
}

/* Reads a terminated copy of a float, since the text need not be followed by anything. */
bool number_store(cumsum_data_type type, const char *text, size_t length, void *out) {
    char local[64];
    if (!element_is_float(type))
        return store_integer(type, text, length, out);
    char *copy = length < sizeof local ? local : tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    store_float(type, copy, out);
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
 * it is the sum rounded once, since 53 bits are at least 2 * 24 + 2, and 24 at least 2 * 11 + 2. */
void number_add(cumsum_data_type type, void *value, const void *delta) {
    if (element_is_float(type))
        store_rounded(type,
                      element_value(type, element_load(value, type)) +
                          element_value(type, element_load(delta, type)),
                      value);
    else /* modulo 2^64, hence modulo 2^8, 2^16 and 2^32 in the low bits */
        element_store(value, type, element_load(value, type) + element_load(delta, type));
}
