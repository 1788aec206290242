/* SPDX-License-Identifier: MIT */
#include "doc_statements.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A paragraph that is being collected. */
typedef struct reader {
    doc_statements found;
    char *paragraph;
    size_t used;
    bool in_code;
} reader;

static void add(doc_statements *to, const char *text, size_t length) {
    to->texts = tool_realloc(to->texts, to->count + 1, sizeof *to->texts);
    char *copy = tool_malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    to->texts[to->count++] = copy;
}

/* Does a sentence end at this character? */
static bool ends_here(const char *at) {
    return (at[0] == '.' || at[0] == ':') && at[1] == ' ' &&
           (isupper((unsigned char)at[2]) || (at[2] && strchr("`*[", at[2])));
}

static void end_paragraph(reader *r) {
    const char *start = r->paragraph;
    if (r->used == 0)
        return;
    for (const char *at = start; *at; at++) {
        if (ends_here(at)) {
            add(&r->found, start, (size_t)(at + 1 - start));
            start = at + 2;
        }
    }
    add(&r->found, start, strlen(start));
    r->used = 0;
}

static void append(reader *r, const char *line, size_t length) {
    while (length > 0 && *line == ' ') {
        line++;
        length--;
    }
    r->paragraph = tool_realloc(r->paragraph, r->used + length + 2, 1);
    if (r->used > 0)
        r->paragraph[r->used++] = ' ';
    memcpy(r->paragraph + r->used, line, length);
    r->used += length;
    r->paragraph[r->used] = '\0';
}

/* The length of "- " or "12. " at the start of a line, or 0. */
static size_t marker(const char *line) {
    size_t digits = strspn(line, "0123456789");
    const char *after = line + digits;
    return strncmp(line, "- ", 2) == 0              ? 2
           : digits && strncmp(after, ". ", 2) == 0 ? digits + 2
                                                    : 0;
}

static bool is_rule(const char *line) {
    size_t dashes = strspn(line, "|- ");
    return line[0] == '|' && (line[dashes] == '\n' || line[dashes] == '\0');
}

/* The row above a table's rule is its head, and says nothing. */
static void take_row(reader *r, const char *line, size_t length, const char *next) {
    end_paragraph(r);
    if (!is_rule(line) && !is_rule(next))
        add(&r->found, line, length);
}

static void take_line(reader *r, const char *line, size_t length, const char *next) {
    bool fence = strncmp(line, "```", 3) == 0;
    r->in_code = r->in_code != fence;
    if (r->in_code || fence || length == 0 || *line == '#' || strncmp(line, "    ", 4) == 0) {
        end_paragraph(r);
    } else if (*line == '|') {
        take_row(r, line, length, next);
    } else {
        size_t skip = marker(line);
        if (skip)
            end_paragraph(r);
        append(r, line + skip, length - skip);
    }
}

doc_statements doc_statements_of(const char *markdown) {
    reader r = {0};
    while (*markdown) {
        size_t length = strcspn(markdown, "\n");
        const char *next = markdown + length + (markdown[length] == '\n');
        take_line(&r, markdown, length, next);
        markdown = next;
    }
    end_paragraph(&r);
    free(r.paragraph);
    return r.found;
}

void doc_statements_free(doc_statements *statements) {
    for (size_t i = 0; i < statements->count; i++)
        free(statements->texts[i]);
    free(statements->texts);
    *statements = (doc_statements){0};
}
