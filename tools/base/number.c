/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strtod_l: the decimal point must not depend on the user's locale */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static number_status read_digits(const char *text, size_t length, uint64_t *magnitude) {
    bool fits = true;
    *magnitude = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return NUMBER_NOT_INTEGER;
        uint64_t digit = (uint64_t)(text[i] - '0');
        fits = fits && *magnitude <= (UINT64_MAX - digit) / 10;
        *magnitude = fits ? *magnitude * 10 + digit : 0;
    }
    return fits ? NUMBER_OK : NUMBER_OUT_OF_RANGE;
}

number_status number_to_integer(const char *text, size_t length, int64_t minimum, uint64_t maximum,
                                uint64_t *number) {
    bool negative = length > 0 && text[0] == '-';
    uint64_t magnitude;
    number_status status = read_digits(text + negative, length - negative, &magnitude);
    if (status != NUMBER_OK)
        return status;
    uint64_t limit = negative ? 0 - (uint64_t)minimum : maximum;
    if (magnitude > limit)
        return NUMBER_OUT_OF_RANGE;
    *number = negative ? 0 - magnitude : magnitude;
    return NUMBER_OK;
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
    char exact[96];
    int written = snprintf(exact, sizeof exact, "%.60e", value);
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

/* A terminated copy of a text that need not be followed by anything. */
typedef struct terminated {
    char local[64];
    char *text;
} terminated;

static bool terminate(terminated *copy, const char *text, size_t length) {
    copy->text = length < sizeof copy->local ? copy->local : malloc(length + 1);
    if (copy->text) {
        memcpy(copy->text, text, length);
        copy->text[length] = '\0';
    }
    return copy->text;
}

static void release(terminated *copy) {
    if (copy->text != copy->local)
        free(copy->text);
}

/* The "C" locale is a constant of the C library: nothing is allocated. */
static locale_t c_locale(void) {
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

bool number_to_double(const char *text, size_t length, double *value) {
    terminated copy;
    if (!terminate(&copy, text, length))
        return false;
    *value = strtod_l(copy.text, NULL, c_locale());
    release(&copy);
    return true;
}

bool number_to_float(const char *text, size_t length, float *value) {
    terminated copy;
    if (!terminate(&copy, text, length))
        return false;
    *value = strtof_l(copy.text, NULL, c_locale());
    release(&copy);
    return true;
}

/* From 2^16 on, and at infinity, there is no exponent to scale by. */
#define HALF_TOO_LARGE 65536.0

/*
 * Rounds once although strtod rounded already: that cannot have moved the number across the middle
 * between two halves, since each such middle is a double, but it may have moved it onto one. Then
 * the text decides.
 */
bool number_to_half(const char *text, size_t length, uint16_t *bits) {
    double value;
    if (!number_to_double(text, length, &value))
        return false;
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    *bits = (uint16_t)(sign | 0x7C00);
    if (magnitude >= HALF_TOO_LARGE)
        return true;
    int exponent = magnitude < 0x1p-14 ? -14 : ilogb(magnitude); /* subnormals share one quantum */
    double quanta = ldexp(magnitude, 10 - exponent);             /* exact: below 2048 */
    double whole = floor(quanta);
    double rest = quanta - whole;
    unsigned mantissa = (unsigned)whole;
    int order = (rest > 0.5) - (rest < 0.5);
    if (order == 0)
        order = number_compare_decimal(text, length, magnitude);
    mantissa += order > 0 || (order == 0 && (mantissa & 1));
    /* The hidden bit of a normal mantissa adds one to the exponent, as does a carry out of it:
     * from 65520 on that gives infinity. */
    *bits = (uint16_t)(sign | (((unsigned)(exponent + 14) << 10) + mantissa));
    return true;
}
