/* SPDX-License-Identifier: MIT */
#include "number_integer.h"

#include <stdbool.h>

static number_status read_digits(const char *text, size_t length, uint64_t *magnitude) {
    bool fits = true;
    *magnitude = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return NUMBER_NOT_INTEGER;
        uint64_t digit = (uint64_t)(text[i] - '0');
        fits = fits && *magnitude <= (UINT64_MAX - digit) / 10;
        *magnitude = fits ? *magnitude * 10 + digit : 0;
    }
    return fits ? NUMBER_OK : NUMBER_OUT_OF_RANGE;
}

number_status number_to_integer(const char *text, size_t length, int64_t minimum, uint64_t maximum,
                                uint64_t *number) {
    bool negative = length > 0 && text[0] == '-';
    uint64_t magnitude;
    number_status status = read_digits(text + negative, length - negative, &magnitude);
    if (status != NUMBER_OK)
        return status;
    uint64_t limit = negative ? 0 - (uint64_t)minimum : maximum;
    if (magnitude > limit)
        return NUMBER_OUT_OF_RANGE;
    *number = negative ? 0 - magnitude : magnitude;
    return NUMBER_OK;
}
