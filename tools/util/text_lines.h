/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_TEXT_LINES_H
#define CUMSUM_TOOLS_TEXT_LINES_H

/*
 * Small text files of words in lines, written by hand: waivers and baselines. Blanks and tabs
 * separate words; a word in double quotes may contain them. Blank lines and lines that start with #
 * are skipped.
 */

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define TEXT_LINE_WORDS 5

typedef struct text_line {
    const char *path;
    uint64_t number;                    /* of the line, from 1 on */
    const char *words[TEXT_LINE_WORDS]; /* valid during the call */
    uint32_t count;                     /* TEXT_LINE_WORDS stands for more, too */
} text_line;

/* Called for each line. Anything but TOOL_OK ends the reading. */
typedef tool_status text_line_take(void *state, const text_line *line, tool_error *error);

/* Calls `take` for every line that is not skipped, until one fails. TOOL_MALFORMED for a file that
 * contains a byte 0, or a quote without an end. */
tool_status text_lines_read(const char *path, text_line_take *take, void *state, tool_error *error);

/* The same for a text with a NUL byte behind it, which is changed. name: for messages. */
tool_status text_lines_take(const char *name, char *text, size_t size, text_line_take *take,
                            void *state, tool_error *error);

/* Returns TOOL_MALFORMED; the message starts with "FILE:LINE: ". */
tool_status text_line_fail(const text_line *line, tool_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
