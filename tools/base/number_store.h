/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_STORE_H
#define CUMSUM_TOOLS_NUMBER_STORE_H

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "number.h"

/* Numbers of any tensor data type as the bytes that a buffer holds. */

/* True for FLOAT16, FLOAT32 and FLOAT64. */
bool number_is_float(cumsum_data_type type);

/* The number in text (a JSON number of length bytes) as type's bytes at out. Integer types take
 * integers in their range only; floating-point types take every number, rounded to nearest even.
 * NUMBER_NO_TYPE for UNKNOWN, UINT4, INT4 and other numbers. */
number_status number_store(cumsum_data_type type, const char *text, size_t length, void *out);

/* "nan", "inf" and "-inf" in any case, for floating-point types. False for anything else. */
bool number_store_word(cumsum_data_type type, const char *word, void *out);

/* *value += *delta as the type adds: integers wrap, FLOAT16 rounds to nearest even. */
void number_add(cumsum_data_type type, void *value, const void *delta);

/* "an integer from -128 to 127", "a number, \"nan\", \"inf\" or \"-inf\"": what the type takes. */
const char *number_words(cumsum_data_type type);

#endif
