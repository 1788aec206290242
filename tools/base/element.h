/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ELEMENT_H
#define CUMSUM_TOOLS_ELEMENT_H

/* One element of a buffer as text. */

#include <cumsum/cumsum.h>

/* Room for any element in decimal or hexadecimal, the 0 byte included. */
#define ELEMENT_TEXT 40

/* The little-endian element at `bytes`, in the low bits. 0 for a type without a byte size. */
uint64_t element_load(const unsigned char *bytes, cumsum_data_type type);

/* Stores the low bits as the little-endian element at `bytes`. */
void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits);

/* The decimal of fewest digits that reads back as the same value, and of these the nearest; "nan",
 * "inf" and "-inf". Plain notation where that is short, an exponent otherwise. Whole numbers in
 * plain notation have all of their digits. "?" for a type without a byte size. */
void element_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits);

/* "0x3f800000", as many digits as the type has. */
void element_hex(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits);

/* True for every integer, and for floating-point values other than NaN and the infinities. */
bool element_is_finite(cumsum_data_type type, uint64_t bits);

#endif
