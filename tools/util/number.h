/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_H
#define CUMSUM_TOOLS_NUMBER_H

/* Reads decimal text as integers and as floating-point numbers of every width, and as the bytes
 * that a buffer holds. No integer passes through floating point, and every floating-point number is
 * rounded once. */

#include <cumsum/cumsum.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The decimal digits at text, up to `end`. Returns the character after them, or NULL where there
 * are none or their value is above limit. */
const char *number_digits(const char *text, const char *end, uint64_t limit, uint64_t *number);

/* The same for digits in their one spelling, without a leading zero. */
const char *number_canonical(const char *text, const char *end, uint64_t limit, uint64_t *number);

/* text: length bytes as the JSON grammar has them. *number receives the integer, a negative one as
 * its two's complement. False if it has a decimal point or an exponent, or is out of range. */
bool number_to_integer(const char *text, size_t length, int64_t minimum, uint64_t maximum,
                       uint64_t *number);

/* Numbers of any tensor data type as the bytes that a buffer holds. */

/* The number in text (a JSON number of length bytes) as type's bytes at out. Integer types take
 * integers in their range only; floating-point types take every number, rounded once, to nearest
 * even: too large a number becomes infinity and too small a one zero, as IEEE 754 says.
 * False for other text, and for UNKNOWN, UINT4, INT4 and other numbers. */
bool number_store(cumsum_data_type type, const char *text, size_t length, void *out);

/* "nan", "inf" and "-inf" in any case, for floating-point types. False for anything else. */
bool number_store_word(cumsum_data_type type, const char *word, void *out);

/* *value += *delta as the type adds: integers wrap, FLOAT16 rounds to nearest even. Not for
 * BFLOAT16. */
void number_add(cumsum_data_type type, void *value, const void *delta);

#endif
