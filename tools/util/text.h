/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEXT_H
#define CUMSUM_TOOLS_TEXT_H

/* Text from outside (file names, names in files), made safe to print, and text that grows. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Text that grows as it is written. */
typedef struct text_buffer {
    FILE *stream;  /* write here */
    char *text;    /* valid after text_buffer_close */
    size_t length; /* valid then, too */
    size_t room;
} text_buffer;

/* Opens a buffer, which must stay at its address. Writing ends the program where memory is out. */
void text_buffer_open(text_buffer *buffer);

/* Closes the stream and returns the text, which the caller frees. */
char *text_buffer_close(text_buffer *buffer);

/* What printf would print. The caller frees it; where memory is out the program ends. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes what printf would, with every control character as \xNN but a line feed that ends the
 * format, so that a name can neither move a terminal's cursor nor start a new line of a report. */
void text_show(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The end of a noun after a number: "" after 1, else "s". */
const char *text_plural(uint64_t count);

/* May `typed` be a misspelt `word`? At most one letter in five is missing, too many, another one,
 * or has changed places with the next; of short words one letter. */
bool text_alike(const char *typed, const char *word);

/* Writes each line of a text, which may be NULL, after the indent. Lines of more than 100 columns
 * are broken at spaces, and go on four columns to the right. */
void text_indent(FILE *out, const char *indent, const char *lines);

/* Writes a word of a shell's command line, in single quotes unless all its characters are plain. */
void text_shell_word(FILE *out, const char *word);

/* A copy in valid UTF-8, to be freed: other bytes become U+FFFD, and where for_xml is not 0 the
 * characters that XML 1.0 does not allow, too. */
char *text_utf8(const char *text, int for_xml);

/* The length in bytes of the well-formed UTF-8 sequence at text, or 0. left > 0. */
size_t text_utf8_length(const char *text, size_t left);

/* Copies text into buffer for a message: at most size - 1 bytes, cut between characters, with '?'
 * for control characters and malformed bytes. Returns buffer. */
const char *text_printable(char *buffer, size_t size, const char *text, size_t length);

#endif
