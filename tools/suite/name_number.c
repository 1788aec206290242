/* SPDX-License-Identifier: MIT */
#include "name_number.h"

#include <cumsum/cumsum.h>
#include <stddef.h>

const char *name_read_number(const char *text, const char *end, uint64_t limit, uint64_t *number) {
    const char *at = text;
    *number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (__builtin_mul_overflow(*number, UINT64_C(10), number) ||
            __builtin_add_overflow(*number, digit, number) || *number > limit)
            return NULL;
    }
    return at == text || (*text == '0' && at > text + 1) ? NULL : at;
}

const char *name_read_numbers(const char *text, const char *end, uint32_t *numbers,
                              uint32_t *count) {
    for (*count = 0; *count < CUMSUM_MAX_DIMENSIONS;) {
        uint64_t number;
        text = name_read_number(text, end, UINT32_MAX, &number);
        if (!text)
            return NULL;
        numbers[(*count)++] = (uint32_t)number;
        if (text == end || *text != 'x')
            return text;
        text++;
    }
    return NULL;
}
