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

/* The digits of a number from the first that is not 0, and where its decimal point is: the number
 * is 0.DIGITS * 10^scale. digits may hold a decimal point, which is no digit. */
typedef struct decimal {
    const char *digits;
    const char *end;
    int64_t scale;
} decimal;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* An exponent beyond any real text's is cut off; the comparison comes out the same. */
static int64_t read_exponent(const char *text, const char *end) {
    bool negative = text < end && *text == '-';
    int64_t exponent = 0;
    for (text += text < end && (*text == '-' || *text == '+'); text < end; text++)
        if (exponent < INT64_MAX / 100)
            exponent = exponent * 10 + (*text - '0');
    return negative ? -exponent : exponent;
}

static decimal read_decimal(const char *text, size_t length) {
    const char *end = text + length;
    decimal d = {NULL, text, 0};
    bool fraction = false;
    for (; d.end < end && (is_digit(*d.end) || *d.end == '.' || *d.end == '-'); d.end++) {
        fraction = fraction || *d.end == '.';
        if (!d.digits && *d.end >= '1' && *d.end <= '9')
            d.digits = d.end;
        if (is_digit(*d.end)) { /* digits before the point raise the scale, leading zeros after it
                                   lower it */
            d.scale += d.digits && !fraction;
            d.scale -= !d.digits && fraction;
        }
    }
    if (!d.digits)
        d.digits = d.end;
    if (d.end < end)
        d.scale += read_exponent(d.end + 1, end);
    return d;
}

/* The next digit, or '0' for ever. */
static char next_digit(decimal *d) {
    if (d->digits < d->end && *d->digits == '.')
        d->digits++;
    return d->digits < d->end ? *d->digits++ : '0';
}

int number_compare_decimal(const char *text, size_t length, double value) {
    char exact[128];
    int written = snprintf(exact, sizeof exact, "%.110e", value);
    decimal a = read_decimal(text, length);
    decimal b = read_decimal(exact, (size_t)written);
    if (a.scale != b.scale)
        return a.scale > b.scale ? 1 : -1;
    while (a.digits < a.end || b.digits < b.end) {
        char x = next_digit(&a);
        char y = next_digit(&b);
        if (x != y)
            return x > y ? 1 : -1;
    }
    return 0;
}

/* As binary32 or binary64, rounded once. A terminated copy is read, since the text need not be
 * followed by anything. The tool never sets a locale, so strtod takes the decimal point of C. */
static double read_float(const char *text, size_t length, bool single) {
    char local[64];
    char *copy = length < sizeof local ? local : tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    const double value = single ? (double)strtof(copy, NULL) : strtod(copy, NULL);
    if (copy != local)
        free(copy);
    return value;
}

/*
 * To a format of 16 bits with so many bits of fraction, whose smallest normal is 2^lowest. Rounds
 * once although strtod rounded already: that cannot have moved the number across the middle between
 * two numbers of the format, since each such middle is a double, but it may have moved it onto one.
 * Then the text decides.
 */
static uint16_t to_16_bits(const char *text, size_t length, int fraction, int lowest) {
    const double value = read_float(text, length, false);
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
        order = number_compare_decimal(text, length, magnitude);
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

bool number_store(cumsum_data_type type, const char *text, size_t length, void *out) {
    if (!element_is_float(type))
        return store_integer(type, text, length, out);
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        element_store(out, type, to_16_bits(text, length, 10, -14));
    else if (type == CUMSUM_DATA_TYPE_BFLOAT16)
        element_store(out, type, to_16_bits(text, length, 7, -126));
    else
        store_rounded(type, read_float(text, length, type == CUMSUM_DATA_TYPE_FLOAT32), out);
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
