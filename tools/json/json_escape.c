/* SPDX-License-Identifier: MIT */
#include "json_escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static int hex_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The UTF-16 unit of \uXXXX at text, or -1. */
static int32_t unicode_unit(const char *text, size_t left) {
    if (left < 6 || text[0] != '\\' || text[1] != 'u')
        return -1;
    int32_t unit = 0;
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static bool is_high_surrogate(int32_t unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(int32_t unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

size_t json_escape_length(const char *text, size_t left, const char **problem) {
    if (left >= 2 && text[1] != '\0' && strchr("\"\\/bfnrt", text[1]))
        return 2;
    int32_t unit = unicode_unit(text, left);
    *problem = "not an escape as JSON writes it";
    if (unit < 0)
        return 0;
    if (unit == 0) { /* json-c ends member names there */
        *problem = "\\u0000 is not allowed";
        return 0;
    }
    if (is_high_surrogate(unit) && is_low_surrogate(unicode_unit(text + 6, left - 6)))
        return 12;
    if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
        *problem = "half of a surrogate pair is not a character";
        return 0;
    }
    return 6;
}

/* A string read byte by byte; an escape waits in bytes until it is used up. */
typedef struct cursor {
    const char *text;
    size_t left;
    unsigned char bytes[4];
    size_t next;
    size_t count;
} cursor;

static size_t encode_utf8(uint32_t code, unsigned char *bytes) {
    if (code < 0x80) {
        bytes[0] = (unsigned char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        bytes[i] = (unsigned char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    bytes[0] = (unsigned char)((0xF00U >> length) | code); /* 110..., 1110..., 11110... */
    return length;
}

static uint32_t escape_code(const char *text, size_t length) {
    static const char letters[] = "bfnrt";
    static const char meaning[] = "\b\f\n\r\t";
    if (length == 2) {
        const char *letter = strchr(letters, text[1]);
        return (unsigned char)(letter ? meaning[letter - letters] : text[1]);
    }
    uint32_t unit = (uint32_t)unicode_unit(text, 6);
    if (length == 6)
        return unit;
    uint32_t low = (uint32_t)unicode_unit(text + 6, 6);
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

/* The next byte, or -1 at the end. */
static int next_byte(cursor *c) {
    if (c->next < c->count)
        return c->bytes[c->next++];
    if (c->left == 0)
        return -1;
    size_t length = 1;
    c->next = 1;
    c->count = 1;
    c->bytes[0] = (unsigned char)c->text[0];
    if (c->text[0] == '\\') {
        const char *problem;
        length = json_escape_length(c->text, c->left, &problem);
        c->count = encode_utf8(escape_code(c->text, length), c->bytes);
    }
    c->text += length;
    c->left -= length;
    return c->bytes[0];
}

int json_compare_strings(const char *a, size_t a_length, const char *b, size_t b_length) {
    cursor x = {.text = a, .left = a_length};
    cursor y = {.text = b, .left = b_length};
    int p;
    int q;
    do {
        p = next_byte(&x);
        q = next_byte(&y);
    } while (p == q && p >= 0);
    return p - q;
}

size_t json_unescape(const char *text, size_t length, char *out) {
    cursor c = {.text = text, .left = length};
    size_t count = 0;
    for (int byte = next_byte(&c); byte >= 0; byte = next_byte(&c))
        out[count++] = (char)byte;
    return count;
}

/* The ranges are table 3-7 of the Unicode standard: no overlong form, no surrogate, none above
 * U+10FFFF. */
size_t json_utf8_length(const char *text, size_t left) {
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80)
        return 1;
    size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || left < length)
        return 0;
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (size_t i = 1; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < low || c > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}
