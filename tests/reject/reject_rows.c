/* SPDX-License-Identifier: MIT */
/* See reject_rows.h. */
#include "reject_rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTS 32

typedef struct rows_file {
    const char *path;
    size_t line;
    char text[2 * REJECT_ROOM]; /* of the line */
    char *names[MOST_PARTS];
    char *templates[MOST_PARTS];
    size_t parts;
} rows_file;

static void fail(const rows_file *file, const char *what) {
    fprintf(stderr, "%s:%zu: %s\n", file->path, file->line, what);
    exit(1);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static void add_part(rows_file *file, const char *name, const char *template) {
    if (file->parts == MOST_PARTS || !strchr(template, '$'))
        fail(file, "too many parts, or no $ in the template");
    file->names[file->parts] = copy_of(name);
    file->templates[file->parts++] = copy_of(template);
}

static const char *find_template(const rows_file *file, const char *name) {
    for (size_t i = 0; i < file->parts; i++)
        if (strcmp(file->names[i], name) == 0)
            return file->templates[i];
    fail(file, "there is no such part");
    return NULL;
}

static void append(const rows_file *file, reject_row *row, unsigned byte) {
    if (row->length == REJECT_ROOM - 1)
        fail(file, "the text is too long");
    row->text[row->length++] = (char)byte;
    row->text[row->length] = '\0';
}

/* The byte that is written at *at, which moves behind it. */
static unsigned next_byte(const char **at) {
    unsigned byte;
    if (**at == '%' && sscanf(*at + 1, "%2x", &byte) == 1) {
        *at += 3;
        return byte;
    }
    return (unsigned char)*(*at)++;
}

static size_t count_bytes(const char *snippet) {
    size_t count = 0;
    while (*snippet)
        count += next_byte(&snippet) != '@';
    return count;
}

static void append_length(const rows_file *file, reject_row *row, const char *snippet) {
    append(file, row, (unsigned)(count_bytes(snippet) & 0xFF));
    append(file, row, (unsigned)(count_bytes(snippet) >> 8));
}

/* "text:LINE:COLUMN: " of what has been appended. */
static void mark_place(reject_row *row) {
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < row->length; i++) {
        column = row->text[i] == '\n' ? 1 : column + 1;
        line += row->text[i] == '\n';
    }
    snprintf(row->message, sizeof row->message, "text:%zu:%zu: ", line, column);
}

static void append_snippet(const rows_file *file, reject_row *row, const char *snippet) {
    while (*snippet) {
        if (*snippet == '@') {
            mark_place(row);
            snippet++;
        } else {
            append(file, row, next_byte(&snippet));
        }
    }
}

static void fill(const rows_file *file, const char *name, const char *snippet, reject_row *row) {
    row->length = 0;
    row->text[0] = row->message[0] = '\0';
    for (const char *at = find_template(file, name); *at;) {
        if (*at == '$') {
            append_snippet(file, row, snippet);
            at++;
        } else if (strncmp(at, "%LL", 3) == 0) {
            append_length(file, row, snippet);
            at += 3;
        } else {
            append(file, row, next_byte(&at));
        }
    }
}

/* Ends the text of *line where its first part ends, at the separator; returns the rest, or NULL. */
static char *split(char *line, const char *separator) {
    char *end = strstr(line, separator);
    if (!end)
        return NULL;
    *end = '\0';
    return end + strlen(separator);
}

/* Takes the line for what it is. Returns false unless it is a row. */
static bool read_line(rows_file *file, reject_row *row) {
    char *line = file->text;
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#')
        return false;
    char *rest = line + strcspn(line, " :");
    if (strncmp(rest, " = ", 3) == 0) {
        *rest = '\0';
        add_part(file, line, rest + 3);
        return false;
    }
    char *snippet = split(line, ": ");
    if (!snippet)
        fail(file, "neither PART = TEMPLATE nor PART: SNIPPET | MESSAGE");
    const char *words = split(snippet, " |= ");
    const char *message = split(snippet, " | ");
    snprintf(row->words, sizeof row->words, "%s", words ? words : "");
    row->number = file->line;
    fill(file, line, snippet, row);
    const size_t placed = strlen(row->message);
    if (placed && !message)
        fail(file, "a place without a message");
    snprintf(row->message + placed, sizeof row->message - placed, "%s", message ? message : "");
    return true;
}

static size_t read_all(rows_file *file, reject_use *use, void *context) {
    static reject_row row;
    FILE *stream = fopen(file->path, "rb");
    size_t count = 0;
    if (!stream)
        fail(file, "cannot be opened");
    while (fgets(file->text, sizeof file->text, stream)) {
        file->line++;
        if (read_line(file, &row) && use) {
            use(context, &row);
            count++;
        }
    }
    fclose(stream);
    return count;
}

static void free_parts(rows_file *file) {
    while (file->parts > 0) {
        free(file->names[--file->parts]);
        free(file->templates[file->parts]);
    }
}

size_t reject_read(const char *path, reject_use *use, void *context) {
    static rows_file file;
    file = (rows_file){.path = path};
    const size_t count = read_all(&file, use, context);
    free_parts(&file);
    return count;
}

void reject_fill(const char *path, const char *part, const char *snippet, reject_row *row) {
    static rows_file file;
    file = (rows_file){.path = path};
    read_all(&file, NULL, NULL);
    fill(&file, part, snippet, row);
    free_parts(&file);
}
