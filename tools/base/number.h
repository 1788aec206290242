/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_H
#define CUMSUM_TOOLS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Integers from the text of a JSON number, without passing through floating point. */

typedef enum number_status {
    NUMBER_OK = 0,
    NUMBER_NOT_INTEGER, /* it has a decimal point or an exponent */
    NUMBER_OUT_OF_RANGE,
    NUMBER_NO_TYPE /* numbers of this type do not exist */
} number_status;

/* text: length bytes as the JSON grammar has them. *number receives the integer, a negative one as
 * its two's complement. minimum <= 0. */
number_status number_to_integer(const char *text, size_t length, int64_t minimum, uint64_t maximum,
                                uint64_t *number);

/* The sign of |decimal text| - value, exactly. text: a JSON number that is not 0 and has an
 * exponent of at most 15 digits; value: positive, with at most 60 significant decimal digits. */
int number_compare_decimal(const char *text, size_t length, double value);

/*
 * Floating-point numbers from decimal text, each rounded once, to nearest even. Too large a number
 * becomes infinity and too small a one zero, as IEEE 754 says; -0 keeps its sign.
 */

/* text: length bytes of a JSON number. False only when out of memory (a very long text). */
bool number_to_double(const char *text, size_t length, double *value);
bool number_to_float(const char *text, size_t length, float *value);
bool number_to_half(const char *text, size_t length, uint16_t *bits);

#endif
