/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strtod_l: the decimal point must not depend on the user's locale */
#include "number_float.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_decimal.h"

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
