/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_ESCAPE_H
#define CUMSUM_TOOLS_JSON_ESCAPE_H

/* The characters of JSON strings: their grammar, and comparison by what they mean. */

#include <stddef.h>

/* The length of the escape at text[0] == '\\' (a surrogate pair is one escape). 0 where it is not
 * one, with *problem saying why. */
size_t json_escape_length(const char *text, size_t left, const char **problem);

/* The length in bytes of the well-formed UTF-8 sequence at text, or 0. left > 0. */
size_t json_utf8_length(const char *text, size_t left);

/* Compares two strings without their quotes, which json_scan accepted, as memcmp would compare the
 * UTF-8 that they stand for. */
int json_compare_strings(const char *a, size_t a_length, const char *b, size_t b_length);

/* Writes what such a string stands for to `out`, which has room for `length` bytes: no escape is
 * shorter than its character. Returns how many there are; no terminator. */
size_t json_unescape(const char *text, size_t length, char *out);

#endif
