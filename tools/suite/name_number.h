/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NAME_NUMBER_H
#define CUMSUM_TOOLS_NAME_NUMBER_H

/* Numbers in names: decimal digits in their one spelling, without a leading zero. */

#include <stdint.h>

/* A number up to limit at text. Returns the character after it, or NULL where there is none. */
const char *name_read_number(const char *text, const char *end, uint64_t limit, uint64_t *number);

/* "2x3x4" at text: 1 to 8 numbers of 32 bits. Returns the character after them, or NULL. */
const char *name_read_numbers(const char *text, const char *end, uint32_t *numbers,
                              uint32_t *count);

#endif
