/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ELEMENT_H
#define CUMSUM_TOOLS_ELEMENT_H

/* One element of a buffer: in memory, its type, and as text. */

#include <cumsum/cumsum.h>
#include <stdbool.h>
#include <stdint.h>

/* Whether the machine's byte order is big-endian. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ELEMENT_BIG_ENDIAN 1
#else
#define ELEMENT_BIG_ENDIAN 0
#endif

/* Room for any element in decimal or hexadecimal, the 0 byte included. */
#define ELEMENT_TEXT 40

/* The element at `bytes`, in the machine's byte order, in the low bits. 0 for a type without a byte
 * size. */
uint64_t element_load(const unsigned char *bytes, cumsum_data_type type);

/* Stores the low bits as the element at `bytes`, in the machine's byte order. */
void element_store(unsigned char *bytes, cumsum_data_type type, uint64_t bits);

/* Files have little-endian elements. Turns `size` bytes of such elements into the machine's, or the
 * machine's into such. Does nothing on a little-endian machine. */
void element_swap_little_endian(unsigned char *bytes, uint64_t size, cumsum_data_type type);

/* The decimal of fewest digits that reads back as the same value, and of these the nearest; "nan",
 * "inf" and "-inf". Plain notation where that is short, an exponent otherwise. Whole numbers in
 * plain notation have all of their digits. "?" for a type without a byte size. */
void element_decimal(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits);

/* "0x3f800000", as many digits as the type has. */
void element_hex(char text[ELEMENT_TEXT], cumsum_data_type type, uint64_t bits);

/* True for FLOAT16, BFLOAT16, FLOAT32 and FLOAT64. */
bool element_is_float(cumsum_data_type type);

/* The bits of their significands without the leading one; 0 for other types. */
uint32_t element_fraction_bits(cumsum_data_type type);

/* True for INT8, INT16, INT32 and INT64. */
bool element_is_signed(cumsum_data_type type);

/* The least and the largest number of an integer type; false for other types. */
bool element_integer_range(cumsum_data_type type, int64_t *minimum, uint64_t *maximum);

/* The value of an element of a floating-point type. */
double element_value(cumsum_data_type type, uint64_t bits);

/* The element of a floating-point type that is nearest to the value, and of two the even one. Too
 * large a value becomes infinity. */
uint64_t element_nearest(cumsum_data_type type, double value);

/* The highest bit: the sign, where the type has one. */
uint64_t element_sign(cumsum_data_type type);

/* A NaN of a floating-point type. */
bool element_is_nan(cumsum_data_type type, uint64_t bits);

/* True for every integer, and for floating-point values other than NaN and the infinities. */
bool element_is_finite(cumsum_data_type type, uint64_t bits);

#endif
