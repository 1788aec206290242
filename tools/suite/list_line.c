/* SPDX-License-Identifier: MIT */
#include "list_line.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

list_lines list_lines_of(const char *text) {
    return (list_lines){.at = text, .number = 1};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line of the file without its comment and the space around it. */
static size_t take_line(list_lines *lines, const char **start) {
    size_t length = strcspn(lines->at, "\n");
    const char *text = lines->at;
    const char *comment = memchr(text, '#', length);
    size_t kept = comment ? (size_t)(comment - text) : length;
    lines->at += length + (lines->at[length] == '\n');
    lines->number++;
    while (kept > 0 && is_space(text[kept - 1]))
        kept--;
    while (kept > 0 && is_space(*text)) {
        text++;
        kept--;
    }
    *start = text;
    return kept;
}

static size_t append(list_lines *lines, size_t used, const char *text, size_t length) {
    if (used + length + 1 > lines->room) {
        lines->room = 2 * (used + length + 1);
        lines->text = tool_realloc(lines->text, lines->room, 1);
    }
    memcpy(lines->text + used, text, length);
    lines->text[used + length] = '\0';
    return used + length;
}

bool list_next_line(list_lines *lines) {
    const char *start;
    size_t used = 0;
    while (*lines->at && used == 0) {
        lines->line = lines->number;
        size_t length = take_line(lines, &start);
        used = append(lines, 0, start, length);
    }
    while (used > 0 && is_space(*lines->at)) {
        size_t length = take_line(lines, &start);
        used = append(lines, used, " ", 1);
        used = append(lines, used, start, length);
    }
    return used > 0;
}

void list_lines_free(list_lines *lines) {
    free(lines->text);
    lines->text = NULL;
}
