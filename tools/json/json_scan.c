/* SPDX-License-Identifier: MIT */
#include "json_scan.h"

#include <string.h>

#include "json_escape.h"

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
            step = json_utf8_length(text + i, length - i);
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
