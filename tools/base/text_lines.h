/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEXT_LINES_H
#define CUMSUM_TOOLS_TEXT_LINES_H

#include <stdint.h>

#include "error.h"

/*
 * A small text file that people write: words in lines. Blanks and tabs separate words; one in
 * double quotes may have blanks. Blank lines and lines that start with # say nothing.
 */

#define TEXT_LINE_WORDS 5

typedef struct text_line {
    const char *path;
    uint64_t number;                    /* of the line, from 1 on */
    const char *words[TEXT_LINE_WORDS]; /* valid while the line is taken */
    uint32_t count;                     /* TEXT_LINE_WORDS: so many or more */
} text_line;

/* Takes note of a line, or says what is wrong with it. */
typedef tool_status text_line_take(void *state, const text_line *line, tool_error *error);

/* Hands over every line that says something, up to the first that is wrong. TOOL_MALFORMED for a
 * file that is no text, or a quote without an end. */
tool_status text_lines_read(const char *path, text_line_take *take, void *state, tool_error *error);

/* TOOL_MALFORMED, and "FILE:LINE: " in front of the message. */
tool_status text_line_fail(const text_line *line, tool_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
