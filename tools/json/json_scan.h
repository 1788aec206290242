/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_SCAN_H
#define CUMSUM_TOOLS_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The tokens of a JSON text, each with its place. Strings, numbers and literals are held to the
 * letter of RFC 8259; whitespace and comments (the two forms of C) separate tokens.
 */

typedef enum json_kind {
    JSON_END, /* of the text */
    JSON_OPEN_OBJECT,
    JSON_CLOSE_OBJECT,
    JSON_OPEN_ARRAY,
    JSON_CLOSE_ARRAY,
    JSON_COMMA,
    JSON_COLON,
    JSON_STRING, /* with its quotes */
    JSON_NUMBER,
    JSON_LITERAL, /* true, false, null */
    JSON_BAD      /* no token: problem says why */
} json_kind;

typedef struct json_token {
    json_kind kind;
    size_t offset; /* of its first byte; JSON_BAD: of the byte that is wrong */
    size_t length; /* bytes */
    const char *problem;
} json_token;

/* The first token at or after position. The next one starts the search at offset + length. */
json_token json_scan(const char *text, size_t length, size_t position);

/* A string, a number or a literal: the kinds that would run together without a separator. */
bool json_is_scalar(json_kind kind);

/* The characters of JSON strings: their grammar, and comparison by what they mean. */

/* The length of the escape at text[0] == '\\' (a surrogate pair is one escape). 0 where it is not
 * one, with *problem saying why. */
size_t json_escape_length(const char *text, size_t left, const char **problem);

/* Compares two strings without their quotes, which json_scan accepted, as memcmp would compare the
 * UTF-8 that they stand for. */
int json_compare_strings(const char *a, size_t a_length, const char *b, size_t b_length);

/* Writes what such a string stands for to `out`, which has room for `length` bytes: no escape is
 * shorter than its character. Returns how many there are; no terminator. */
size_t json_unescape(const char *text, size_t length, char *out);

#endif
