/* SPDX-License-Identifier: MIT */
#include "json_scan.h"
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static json_token bad(size_t offset, const char *problem) {
    return (json_token){JSON_BAD, offset, 0, problem};
}

static json_token good(json_kind kind, size_t offset, size_t length) {
    return (json_token){kind, offset, length, NULL};
}

bool json_is_scalar(json_kind kind) {
    return kind == JSON_STRING || kind == JSON_NUMBER || kind == JSON_LITERAL;
}

/* Where the comment that starts at position ends, or length + 1 where it does not. */
static size_t skip_comment(const char *text, size_t length, size_t position) {
    if (text[position + 1] == '/') {
        const char *end = memchr(text + position, '\n', length - position);
        return end ? (size_t)(end - text) : length;
    }
    for (size_t i = position + 2; i + 1 < length; i++)
        if (text[i] == '*' && text[i + 1] == '/')
            return i + 2;
    return length + 1;
}

/* Skips whitespace and comments. False at a comment without an end, with *position at its start. */
static bool skip_space(const char *text, size_t length, size_t *position) {
    while (*position < length) {
        char c = text[*position];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++*position;
        } else if (c == '/' && *position + 1 < length &&
                   (text[*position + 1] == '/' || text[*position + 1] == '*')) {
            size_t end = skip_comment(text, length, *position);
            if (end > length)
                return false;
            *position = end;
        } else {
            break;
        }
    }
    return true;
}

static json_token scan_string(const char *text, size_t length, size_t start) {
    size_t i = start + 1;
    while (i < length && text[i] != '"') {
        size_t step;
        if ((unsigned char)text[i] < 0x20)
            return bad(i, "a control character in a string must be escaped");
        if (text[i] == '\\') {
            const char *problem;
            step = json_escape_length(text + i, length - i, &problem);
            if (step == 0)
                return bad(i, problem);
        } else {
            step = text_utf8_length(text + i, length - i);
            if (step == 0)
                return bad(i, "a string must be well-formed UTF-8");
        }
        i += step;
    }
    return i < length ? good(JSON_STRING, start, i + 1 - start) : bad(start, "a string has no end");
}

static size_t skip_digits(const char *text, size_t end, size_t i) {
    while (i < end && text[i] >= '0' && text[i] <= '9')
        i++;
    return i;
}

/* number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ sign ] 1*digit ] */
static bool is_number(const char *text, size_t start, size_t end) {
    size_t i = start + (text[start] == '-');
    size_t digits = skip_digits(text, end, i);
    if (digits == i || (text[i] == '0' && digits > i + 1))
        return false;
    i = digits;
    if (i < end && text[i] == '.') {
        digits = skip_digits(text, end, i + 1);
        if (digits == i + 1)
            return false;
        i = digits;
    }
    if (i < end && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        i += i < end && (text[i] == '+' || text[i] == '-');
        digits = skip_digits(text, end, i);
        if (digits == i)
            return false;
        i = digits;
    }
    return i == end;
}

static bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

/* A number or a literal: everything up to the next separator must be one. */
static json_token scan_word(const char *text, size_t length, size_t start) {
    static const char *const literals[] = {"true", "false", "null"};
    size_t end = start;
    while (end < length && is_word_character(text[end]))
        end++;
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++)
        if (strlen(literals[i]) == end - start && !memcmp(text + start, literals[i], end - start))
            return good(JSON_LITERAL, start, end - start);
    if (end == start) {
        return bad(start, text[start] == '\0' ? "a NUL byte is not allowed"
                                              : "no JSON value starts with this character");
    }
    if (is_number(text, start, end))
        return good(JSON_NUMBER, start, end - start);
    return bad(start, "not a number as JSON writes it, nor true, false or null");
}

json_token json_scan(const char *text, size_t length, size_t position) {
    static const char punctuation[] = "{}[],:";
    if (!skip_space(text, length, &position))
        return bad(position, "a comment has no end");
    if (position == length)
        return good(JSON_END, position, 0);
    if (text[position] == '"')
        return scan_string(text, length, position);
    const char *found = memchr(punctuation, text[position], sizeof punctuation - 1);
    if (found)
        return good((json_kind)(JSON_OPEN_OBJECT + (found - punctuation)), position, 1);
    return scan_word(text, length, position);
}

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
