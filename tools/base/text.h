/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEXT_H
#define CUMSUM_TOOLS_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Text from outside (file names, names in files) made safe to show. */

/* Text that grows as it is written. */
typedef struct text_buffer {
    FILE *stream;  /* write here */
    char *text;    /* valid after text_buffer_end */
    size_t length; /* valid then, too */
    size_t room;
} text_buffer;

/* Opens a buffer, which must stay where it is. It ends the program where memory is out. */
void text_buffer_begin(text_buffer *buffer);

/* Closes the stream. The text is the caller's, to be freed. */
char *text_buffer_end(text_buffer *buffer);

/* Writes text with every control character as \xNN: a name can neither move a terminal's cursor nor
 * start a new line of the report. */
void text_show(FILE *out, const char *text);

/* Writes a word of a shell's command line: as it is where no shell could take it otherwise, else in
 * single quotes. */
void text_shell_word(FILE *out, const char *word);

/* A copy in valid UTF-8 (other bytes become U+FFFD) without characters that XML 1.0 cannot hold
 * where `for_xml`. To be freed. */
char *text_utf8(const char *text, int for_xml);

/* The length in bytes of the well-formed UTF-8 sequence at text, or 0. left > 0. */
size_t text_utf8_length(const char *text, size_t left);

/* Copies text into buffer for a message: at most size - 1 bytes, cut between characters, bytes that
 * a terminal would act on replaced by '?'. Returns buffer. */
const char *text_printable(char *buffer, size_t size, const char *text, size_t length);

#endif
