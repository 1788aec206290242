/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include "splitmix64.h"

#include <string.h>

static size_t draw(uint64_t *random, size_t below) {
    const uint64_t number = random_next(random);
    return below ? (size_t)(number % below) : 0;
}

/* Opens a gap of length bytes at position. Returns the new size; the same where there is no room.
 */
static size_t open_gap(uint8_t *data, size_t size, size_t capacity, size_t position,
                       size_t length) {
    if (length > capacity - size)
        return size;
    memmove(data + position + length, data + position, size - position);
    return size + length;
}

static size_t remove_range(uint8_t *data, size_t size, uint64_t *random) {
    size_t start = draw(random, size);
    size_t length = 1 + draw(random, size - start < 40 ? size - start : 40);
    if (start + length > size)
        return size;
    memmove(data + start, data + start + length, size - start - length);
    return size - length;
}

static size_t repeat_range(uint8_t *data, size_t size, size_t capacity, uint64_t *random) {
    uint8_t copy[64];
    size_t start = draw(random, size);
    size_t length = draw(random, size - start < sizeof copy ? size - start : sizeof copy);
    size_t position = draw(random, size);
    memcpy(copy, data + start, length);
    size_t grown = open_gap(data, size, capacity, position, length);
    if (grown > size)
        memcpy(data + position, copy, length);
    return grown;
}

static size_t insert_word(uint8_t *data, size_t size, size_t capacity, uint64_t *random) {
    static const char *const words[] = {"null",
                                        "-1",
                                        "0",
                                        "1e999",
                                        "18446744073709551616",
                                        "4294967295",
                                        "65536",
                                        "\"nan\"",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        ",",
                                        ":",
                                        "\"",
                                        "\\u0041",
                                        "//",
                                        "/*",
                                        "*/",
                                        "\n",
                                        "\xEF\xBB\xBF",
                                        "true",
                                        "-0",
                                        "\xC3\xA9",
                                        "(",
                                        ")",
                                        "'",
                                        "<f4",
                                        "\"Desc\":",
                                        "[[[[",
                                        "{},",
                                        "1.5"};
    const char *word = words[draw(random, sizeof words / sizeof words[0])];
    if (size >= capacity)
        return size;
    size_t position = draw(random, size + 1);
    size_t grown = open_gap(data, size, capacity, position, strlen(word));
    if (grown > size)
        memcpy(data + position, word, strlen(word));
    return grown;
}

size_t mutate(uint8_t *data, size_t size, size_t capacity, uint64_t *random) {
    for (size_t times = 1 + draw(random, 3); times > 0; times--) {
        size_t position = draw(random, size);
        switch (size > 0 ? draw(random, 7) : 5) {
        case 0:
            data[position] ^= (uint8_t)(1U << draw(random, 8));
            break;
        case 1:
            data[position] = (uint8_t)draw(random, 256);
            break;
        case 2:
            size = remove_range(data, size, random);
            break;
        case 3:
            size = repeat_range(data, size, capacity, random);
            break;
        case 4:
            size = position; /* the file ends early */
            break;
        default:
            size = insert_word(data, size, capacity, random);
            break;
        }
    }
    return size;
}
