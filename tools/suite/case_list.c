/* SPDX-License-Identifier: MIT */
/* Expands a list in three steps: lines, definitions, braces. Every message names the list's line.
 */
#include "case_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "braces.h"
#include "case_name.h"
#include "error.h"
#include "json_parse.h"
#include "memory.h"
#include "text.h"

/* The lines of a list without comments; a line and its continuations are joined with a space. */
typedef struct list_lines {
    const char *at;  /* the unread text */
    uint64_t number; /* of the next line in the file, from 1 on */
    char *text;      /* the current line, valid until the next call */
    uint64_t line;   /* where it starts */
} list_lines;

/* "ways = ...", which is used as "$ways" or "${ways}". */
typedef struct list_definition {
    char *name;
    char *text; /* with every $ replaced */
} list_definition;

typedef struct list_definitions {
    list_definition *list;
    size_t count;
    size_t bytes; /* of all texts */
} list_definitions;

/* Bytes that one line, and all definitions together, may become. */
#define LIST_MAX_TEXT ((size_t)1 << 20)

static list_lines list_lines_of(const char *text) {
    return (list_lines){.at = text, .number = 1};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Writes the next line of the file without its comment and the space around it. False if that is
 * empty. */
static bool take_line(list_lines *lines, FILE *to) {
    const char *text = lines->at;
    size_t length = strcspn(text, "\n");
    lines->at += length + (text[length] == '\n');
    lines->number++;
    length = strcspn(text, "#\n");
    while (length > 0 && is_space(text[length - 1]))
        length--;
    while (length > 0 && is_space(*text)) {
        text++;
        length--;
    }
    fwrite(text, 1, length, to);
    return length > 0;
}

/* Moves to the next line that is not empty; false after the last. */
static bool list_next_line(list_lines *lines) {
    text_buffer buffer;
    bool found = false;
    free(lines->text);
    text_buffer_open(&buffer);
    while (*lines->at && !found) {
        lines->line = lines->number;
        found = take_line(lines, buffer.stream);
    }
    while (found && is_space(*lines->at)) {
        fputc(' ', buffer.stream);
        take_line(lines, buffer.stream);
    }
    lines->text = text_buffer_close(&buffer);
    return found;
}

static size_t name_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* Whether the line is "NAME = TEXT". A name is lower-case letters, digits and '_'. */
static bool list_is_definition(const char *line) {
    size_t length = name_length(line);
    const char *equals = line + length + strspn(line + length, " \t");
    return length > 0 && *equals == '=';
}

static const list_definition *find(const list_definitions *definitions, const char *name,
                                   size_t length) {
    for (size_t i = 0; i < definitions->count; i++) {
        const list_definition *d = &definitions->list[i];
        if (strlen(d->name) == length && memcmp(d->name, name, length) == 0)
            return d;
    }
    return NULL;
}

/* The definition of "$name" or "${name}" at *text, which moves behind it; NULL if it is neither.
 */
static const list_definition *take_use(const list_definitions *definitions, const char **text) {
    bool braced = (*text)[1] == '{';
    const char *name = *text + 1 + braced;
    size_t length = name_length(name);
    if (braced && name[length] != '}')
        return NULL;
    *text = name + length + braced;
    return find(definitions, name, length);
}

/* Writes text to the buffer's stream, of which *used bytes are written. */
static tool_status substitute(const list_definitions *definitions, const char *text, FILE *to,
                              size_t *used, tool_error *error) {
    while (*text) {
        const char *piece = text;
        size_t length = strcspn(text, "$ ");
        text += length;
        if (*piece == ' ') {
            text++;
        } else if (length == 0) {
            const list_definition *d = take_use(definitions, &text);
            if (!d) {
                return tool_fail(error, TOOL_MALFORMED, "'%.40s' starts with no defined name",
                                 piece);
            }
            piece = d->text;
            length = strlen(piece);
        }
        *used += length;
        if (*used > LIST_MAX_TEXT) {
            return tool_fail(error, TOOL_MALFORMED, "the line becomes longer than %zu bytes",
                             LIST_MAX_TEXT);
        }
        fwrite(piece, 1, length, to);
    }
    return TOOL_OK;
}

/* *out receives text without its spaces and with every $name replaced, to be freed. TOOL_MALFORMED
 * for an undefined name, or where the text would pass LIST_MAX_TEXT. */
static tool_status list_substitute(const list_definitions *definitions, const char *text,
                                   char **out, tool_error *error) {
    text_buffer buffer;
    size_t used = 0;
    text_buffer_open(&buffer);
    tool_status status = substitute(definitions, text, buffer.stream, &used, error);
    *out = text_buffer_close(&buffer);
    if (status != TOOL_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

/* Keeps a definition. TOOL_MALFORMED for a name that is defined already. */
static tool_status list_define(list_definitions *definitions, const char *line, tool_error *error) {
    size_t length = name_length(line);
    const char *text = strchr(line, '=') + 1;
    char *substituted;
    if (find(definitions, line, length))
        return tool_fail(error, TOOL_MALFORMED, "'%.*s' is defined already", (int)length, line);
    tool_status status =
        list_substitute(definitions, text + strspn(text, " \t"), &substituted, error);
    if (status == TOOL_OK && strlen(substituted) > LIST_MAX_TEXT - definitions->bytes) {
        free(substituted);
        return tool_fail(error, TOOL_MALFORMED,
                         "the definitions become longer than %zu bytes together", LIST_MAX_TEXT);
    }
    if (status == TOOL_OK) {
        size_t count = definitions->count + 1;
        definitions->bytes += strlen(substituted);
        definitions->list = tool_realloc(definitions->list, count, sizeof *definitions->list);
        char *name = tool_strdup(line);
        name[length] = '\0';
        definitions->list[definitions->count] = (list_definition){name, substituted};
        definitions->count = count;
    }
    return status;
}

static void list_definitions_free(list_definitions *definitions) {
    for (size_t i = 0; i < definitions->count; i++) {
        free(definitions->list[i].name);
        free(definitions->list[i].text);
    }
    free(definitions->list);
    *definitions = (list_definitions){0};
}

typedef struct walker {
    const case_list *list;
    list_lines lines;
    list_definitions definitions;
    char *rules;
    uint64_t count;
    list_use use; /* NULL: definitions only */
    void *context;
} walker;

static tool_status walk_lines(walker *w, tool_error *error);

static tool_status use_name(void *context, const char *name, tool_error *error) {
    walker *w = context;
    case_spec spec;
    const listed_name listed = {name, w->rules ? w->rules : "", w->lines.line};
    const tool_status status = case_parse(name, &spec, error);
    if (status == TOOL_OK && ++w->count > CASE_MOST_NAMES) {
        return tool_fail(error, TOOL_MALFORMED, "the list has more than %" PRIu64 " names",
                         CASE_MOST_NAMES);
    }
    return status == TOOL_OK ? w->use(w->context, &listed, error) : status;
}

static tool_status expand(walker *w, const char *text, tool_error *error) {
    char *pattern;
    tool_status status = list_substitute(&w->definitions, text, &pattern, error);
    if (status == TOOL_OK)
        status = brace_expand(pattern, use_name, w, error);
    free(pattern);
    return status;
}

static tool_status include(walker *w, const char *name, tool_error *error) {
    const case_list *list = list_find(name);
    if (!list || !w->use) {
        return tool_fail(error, TOOL_MALFORMED, "include %s: %s", name,
                         list ? "an included list includes none"
                              : "there is no such built-in list");
    }
    walker part = {.list = list, .lines = list_lines_of(list->text), .definitions = w->definitions};
    const tool_status status = walk_lines(&part, error);
    w->definitions = part.definitions;
    free(part.lines.text);
    free(part.rules);
    return status;
}

/* The words after a keyword and at least one space, or NULL if the line does not start so. */
static const char *after(const char *line, const char *keyword) {
    size_t length = strlen(keyword);
    if (strncmp(line, keyword, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + strspn(line + length, " ");
}

static tool_status walk_line(walker *w, const char *line, tool_error *error) {
    const char *words;
    if (list_is_definition(line))
        return list_define(&w->definitions, line, error);
    if ((words = after(line, "include")))
        return include(w, words, error);
    if ((words = after(line, "rule"))) {
        free(w->rules);
        w->rules = tool_strdup(words);
        return TOOL_OK;
    }
    return w->use ? expand(w, line, error) : TOOL_OK;
}

/* Puts the place of a line before its message. */
static tool_status walk_lines(walker *w, tool_error *error) {
    tool_error inner;
    char safe[sizeof inner.message];
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && list_next_line(&w->lines))
        status = walk_line(w, w->lines.text, &inner);
    if (status == TOOL_OK)
        return status;
    text_printable(safe, sizeof safe, inner.message, strlen(inner.message));
    return tool_fail(error, status, "%.200s:%" PRIu64 ": %.800s", w->list->name, w->lines.line,
                     safe);
}

tool_status list_walk(const case_list *list, list_use use, void *context, tool_error *error) {
    walker w = {.list = list, .lines = list_lines_of(list->text), .use = use, .context = context};
    tool_status status = walk_lines(&w, error);
    free(w.lines.text);
    list_definitions_free(&w.definitions);
    free(w.rules);
    return status;
}

const case_list *list_find(const char *name) {
    for (const case_list *list = builtin_lists; list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}
