/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_DECIMAL_H
#define CUMSUM_TOOLS_NUMBER_DECIMAL_H

#include <stddef.h>

/* The sign of |decimal text| - value, exactly. text: a JSON number that is not 0 and has an
 * exponent of at most 15 digits; value: positive, with at most 60 significant decimal digits. */
int number_compare_decimal(const char *text, size_t length, double value);

#endif
