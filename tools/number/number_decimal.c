/* SPDX-License-Identifier: MIT */
#include "number_decimal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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
