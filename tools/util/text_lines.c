/* SPDX-License-Identifier: MIT */
/* Splits a file into lines and words in place. */
#include "text_lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "file.h"
#include "memory_limit.h"
#include "text.h"

tool_status text_line_fail(const text_line *line, tool_error *error, const char *format, ...) {
    char message[600];
    char safe[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tool_fail(error, TOOL_MALFORMED, "%.300s:%" PRIu64 ": %s", line->path, line->number,
                     text_printable(safe, sizeof safe, message, strlen(message)));
}

/* Ends a word in place. Returns what follows it, or NULL if a quote has no end. */
static char *end_word(text_line *line, char *at) {
    const bool quoted = *at == '"';
    char *start = at + quoted;
    char *end = start + strcspn(start, quoted ? "\"" : " \t");
    if (quoted && !*end)
        return NULL;
    line->words[line->count++] = start;
    at = *end ? end + 1 : end;
    *end = '\0';
    return at;
}

static tool_status split(text_line *line, char *at, tool_error *error) {
    line->count = 0;
    while (at && *(at += strspn(at, " \t")) && line->count < TEXT_LINE_WORDS)
        at = end_word(line, at);
    return at ? TOOL_OK : text_line_fail(line, error, "a quote without an end");
}

static tool_status take_text(text_line *line, char *at, text_line_take *take, void *state,
                             tool_error *error) {
    tool_status status = TOOL_OK;
    while (*at && status == TOOL_OK) {
        char *end = at + strcspn(at, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        line->number++;
        status = *at == '#' ? TOOL_OK : split(line, at, error);
        if (status == TOOL_OK && *at != '#' && line->count)
            status = take(state, line, error);
        at = next;
    }
    return status;
}

tool_status text_lines_take(const char *name, char *text, size_t size, text_line_take *take,
                            void *state, tool_error *error) {
    text_line line = {.path = name};
    if (memchr(text, 0, size))
        return tool_fail(error, TOOL_MALFORMED, "%.400s: no text: it has a byte 0", name);
    return take_text(&line, text, take, state, error);
}

tool_status text_lines_read(const char *path, text_line_take *take, void *state,
                            tool_error *error) {
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    status = text_lines_take(path, (char *)contents.bytes, contents.size, take, state, error);
    memory_free(contents.bytes);
    return status;
}
