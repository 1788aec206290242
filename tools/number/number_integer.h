/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NUMBER_INTEGER_H
#define CUMSUM_TOOLS_NUMBER_INTEGER_H

/* Integers from the text of a JSON number, without passing through floating point. */

#include <stddef.h>
#include <stdint.h>

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

#endif
