/* SPDX-License-Identifier: MIT */
/* The same changes to every file of a corpus: ends, numbers, strings, and fields of binary files.
 */
#include "systematic.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz_target.h"

/* Longer than any buffer that a reader may have for a name or a message. */
#define LONG_STRING 20000

typedef struct original {
    const uint8_t *data;
    size_t size;
    systematic_run *run;
    size_t step;         /* one in `step` changes is run */
    unsigned long count; /* of the changes */
} original;

static const char npy_magic[] = "\x93NUMPY\x01";

static bool is_npy(const uint8_t *data, size_t size) {
    return size >= 10 && memcmp(data, npy_magic, sizeof npy_magic - 1) == 0;
}

/* The header of an .npy file begins with its length: it grows with a number in it. */
static void mend_npy(uint8_t *data, size_t size, size_t position, size_t grown, size_t shrunk) {
    if (!is_npy(data, size) || position < 10)
        return;
    const size_t length = data[8] + ((size_t)data[9] << 8);
    if (position < 10 + length) {
        data[8] = (uint8_t)(length + grown - shrunk);
        data[9] = (uint8_t)((length + grown - shrunk) >> 8);
    }
}

/* Runs the file with other bytes in place of `length` bytes at position. */
static void replace(original *o, size_t position, size_t length, const void *bytes, size_t count) {
    if (o->count++ % o->step)
        return;
    const size_t size = o->size - length + count;
    uint8_t *data = malloc(size ? size : 1);
    FUZZ_CHECK(data);
    memcpy(data, o->data, position);
    memcpy(data + position, bytes, count);
    memcpy(data + position + count, o->data + position + length, o->size - position - length);
    mend_npy(data, size, position, count, length);
    o->run(data, size);
    free(data);
}

static bool is_digit(uint8_t c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t digits_at(const original *o, size_t position) {
    size_t end = position;
    while (end < o->size && is_digit(o->data[end]))
        end++;
    return end - position;
}

/* The length of the number at position: -12, 1.5, 1e-3; or 0. */
static size_t number_at(const original *o, size_t position) {
    size_t end = position + (o->data[position] == '-');
    size_t digits = digits_at(o, end);
    if (digits == 0)
        return 0;
    end += digits;
    if (end < o->size && o->data[end] == '.')
        end += 1 + digits_at(o, end + 1);
    if (end < o->size && (o->data[end] | 0x20) == 'e') {
        size_t sign = end + 1;
        sign += sign < o->size && (o->data[sign] == '-' || o->data[sign] == '+');
        digits = digits_at(o, sign);
        end = digits ? sign + digits : end;
    }
    return end - position;
}

static void change_numbers(original *o) {
    static const char *const numbers[] = {"-1", "0", "2147483648", "9223372036854775808", "1e308"};
    for (size_t at = 0, length; at < o->size; at += length ? length : 1) {
        length = number_at(o, at);
        for (size_t i = 0; length && i < sizeof numbers / sizeof numbers[0]; i++)
            replace(o, at, length, numbers[i], strlen(numbers[i]));
    }
}

/* The length of the string that the quote before position starts. */
static size_t quoted_at(const original *o, size_t position) {
    const uint8_t quote = o->data[position - 1];
    size_t end = position;
    while (end < o->size && o->data[end] != quote && o->data[end] != '\n')
        end += o->data[end] == '\\' && end + 1 < o->size ? 2 : 1;
    return end - position;
}

static size_t word_at(const original *o, size_t position) {
    size_t end = position;
    while (end < o->size && is_letter(o->data[end]))
        end++;
    return end - position;
}

/* Strings in quotes, or words, in a file without quotes. */
static void change_strings(original *o) {
    static char text[LONG_STRING];
    memset(text, 'a', sizeof text);
    const bool quoted = memchr(o->data, '"', o->size) || memchr(o->data, '\'', o->size);
    for (size_t at = 0; at < o->size;) {
        const bool quote = quoted && (o->data[at] == '"' || o->data[at] == '\'');
        const size_t start = at + quote;
        const size_t length = quote ? quoted_at(o, start) : quoted ? 0 : word_at(o, at);
        if (quote || length)
            replace(o, start, length, text, sizeof text);
        at = start + length + (quote || !length);
    }
}

static bool is_binary(const original *o) {
    for (size_t i = 0; i < o->size; i++)
        if (o->data[i] < 9 || (o->data[i] > 13 && o->data[i] < 32))
            return true;
    return is_npy(o->data, o->size);
}

#define BYTES(text) (text), sizeof(text) - 1

/* Little-endian fields replace as many bytes. */
static void change_fields(original *o) {
    static const struct {
        const char *bytes;
        size_t size;
    } fields[] = {{BYTES("\xFF")},
                  {BYTES("\0")},
                  {BYTES("\xFF\xFF\xFF\xFF")},
                  {BYTES("\0\0\0\x80")},
                  {BYTES("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF")},
                  {BYTES("\0\0\0\0\0\0\0\x80")}};
    for (size_t at = 0; at < o->size; at++) {
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
            if (fields[i].size <= o->size - at)
                replace(o, at, fields[i].size, fields[i].bytes, fields[i].size);
    }
}

unsigned long systematic_changes(const uint8_t *data, size_t size, size_t step,
                                 systematic_run *run) {
    original o = {.data = data, .size = size, .run = run, .step = step};
    for (size_t end = 0; end < size; end += step)
        run(data, end);
    change_numbers(&o);
    change_strings(&o);
    if (is_binary(&o))
        change_fields(&o);
    return (size + step - 1) / step + (o.count + step - 1) / step;
}
