/* SPDX-License-Identifier: MIT */
/* Expands a list in three steps: lines, definitions, braces. Every message names the list's line.
 * An argument of the command line selects names of lists, or by braces alone. */
#include "case_list.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "braces.h"
#include "case_name.h"
#include "error.h"
#include "file.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "text.h"

/* Names that a list, or the braces of an argument, may stand for: a product of too many braces is a
 * mistake. */
#define MOST_NAMES UINT64_C(1000000)

/* Bytes that one line, and all definitions together, may become. */
#define LIST_MAX_TEXT ((size_t)1 << 20)

/* "ways = ...", which is used as "$ways" or "${ways}". */
typedef struct list_definitions {
    json_object *texts; /* by name, with every $ replaced */
    size_t bytes;
} list_definitions;

typedef struct walker {
    const case_list *list;
    const char *at;  /* the unread text */
    uint64_t number; /* of the next line in the file, from 1 on */
    uint64_t line;   /* where the current one starts */
    list_definitions *definitions;
    char *rules;
    uint64_t count;
    list_use use; /* NULL: definitions only */
    void *context;
} walker;

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* Writes the next line of the file without its comment and the space around it. False if that is
 * empty. */
static bool take_line(walker *w, FILE *to) {
    const char *text = w->at;
    size_t length = strcspn(text, "\n");
    w->at += length + (text[length] == '\n');
    w->number++;
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

/* The next line that is not empty, its continuations joined to it with a space, to be freed; NULL
 * after the last. */
static char *next_line(walker *w) {
    text_buffer buffer;
    bool found = false;
    text_buffer_open(&buffer);
    while (*w->at && !found) {
        w->line = w->number;
        found = take_line(w, buffer.stream);
    }
    while (found && is_space(*w->at)) {
        fputc(' ', buffer.stream);
        take_line(w, buffer.stream);
    }
    char *line = text_buffer_close(&buffer);
    if (found)
        return line;
    free(line);
    return NULL;
}

static const case_list *list_find(const char *name) {
    for (const case_list *list = builtin_lists; list->name; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
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

/* The text of a name, or NULL. */
static const char *find(const list_definitions *definitions, const char *name, size_t length) {
    char *copy = tool_malloc(length + 1);
    memcpy(copy, name, length);
    copy[length] = '\0';
    json_object *text = json_find(definitions->texts, copy, json_type_string);
    free(copy);
    return text ? json_object_get_string(text) : NULL;
}

/* The text of "$name" or "${name}" at *at, which moves behind it; NULL if it is neither. */
static const char *take_use(const list_definitions *definitions, const char **at) {
    bool braced = (*at)[1] == '{';
    const char *name = *at + 1 + braced;
    size_t length = name_length(name);
    if (braced && name[length] != '}')
        return NULL;
    *at = name + length + braced;
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
            const char *use = piece;
            piece = take_use(definitions, &text);
            if (!piece)
                return tool_fail(error, TOOL_MALFORMED, "'%.40s' starts with no defined name", use);
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
static tool_status list_define(list_definitions *definitions, char *line, tool_error *error) {
    size_t length = name_length(line);
    const char *text = strchr(line, '=') + 1;
    char *substituted;
    if (find(definitions, line, length))
        return tool_fail(error, TOOL_MALFORMED, "'%.*s' is defined already", (int)length, line);
    tool_status status =
        list_substitute(definitions, text + strspn(text, " \t"), &substituted, error);
    if (status != TOOL_OK)
        return status;
    definitions->bytes += strlen(substituted);
    line[length] = '\0';
    json_put_member(definitions->texts, line, json_make_string(substituted));
    free(substituted);
    return definitions->bytes <= LIST_MAX_TEXT
               ? TOOL_OK
               : tool_fail(error, TOOL_MALFORMED,
                           "the definitions become longer than %zu bytes together", LIST_MAX_TEXT);
}

static tool_status walk_lines(walker *w, tool_error *error);

static tool_status use_name(void *context, const char *name, tool_error *error) {
    walker *w = context;
    case_spec spec;
    const listed_name listed = {name, w->rules ? w->rules : "", w->line};
    const tool_status status = case_parse(name, &spec, error);
    if (status == TOOL_OK && ++w->count > MOST_NAMES) {
        return tool_fail(error, TOOL_MALFORMED, "the list has more than %" PRIu64 " names",
                         MOST_NAMES);
    }
    return status == TOOL_OK ? w->use(w->context, &listed, error) : status;
}

static tool_status expand(walker *w, const char *text, tool_error *error) {
    char *pattern;
    tool_status status = list_substitute(w->definitions, text, &pattern, error);
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
    return walk_lines(&(walker){.list = list, .definitions = w->definitions}, error);
}

/* The words after a keyword and at least one space, or NULL if the line does not start so. */
static const char *after(const char *line, const char *keyword) {
    size_t length = strlen(keyword);
    if (strncmp(line, keyword, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + strspn(line + length, " ");
}

static tool_status walk_line(walker *w, char *line, tool_error *error) {
    const char *words;
    if (list_is_definition(line))
        return list_define(w->definitions, line, error);
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
    char *line;
    tool_status status = TOOL_OK;
    w->at = w->list->text;
    w->number = 1;
    while (status == TOOL_OK && (line = next_line(w))) {
        status = walk_line(w, line, &inner);
        free(line);
    }
    free(w->rules);
    if (status == TOOL_OK)
        return status;
    text_printable(safe, sizeof safe, inner.message, strlen(inner.message));
    return tool_fail(error, status, "%.200s:%" PRIu64 ": %.800s", w->list->name, w->line, safe);
}

tool_status list_walk(const case_list *list, list_use use, void *context, tool_error *error) {
    list_definitions definitions = {.texts = json_make_object()};
    walker w = {.list = list, .definitions = &definitions, .use = use, .context = context};
    const tool_status status = walk_lines(&w, error);
    json_object_put(definitions.texts);
    return status;
}

/* The names that are selected. */
typedef struct selection {
    name_set *names;
    const char *pattern; /* NULL: all */
    size_t matched;
} selection;

static tool_status take(void *context, const listed_name *listed, tool_error *error) {
    selection *s = context;
    (void)error;
    if (!s->pattern || fnmatch(s->pattern, listed->name, 0) == 0) {
        s->matched++;
        name_set_add(s->names, listed->name);
    }
    return TOOL_OK;
}

static tool_status take_name(void *context, const char *name, tool_error *error) {
    selection *s = context;
    case_spec spec;
    tool_status status = case_parse(name, &spec, error);
    if (status == TOOL_OK && s->matched++ == MOST_NAMES) {
        return tool_fail(error, TOOL_MALFORMED,
                         "column 1: the braces stand for more than %" PRIu64 " names", MOST_NAMES);
    }
    if (status == TOOL_OK)
        name_set_add(s->names, name);
    return status;
}

static tool_status select_file(const char *path, selection *s, tool_error *error) {
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    const case_list list = {path, (const char *)contents.bytes};
    status = strlen(list.text) == contents.size
                 ? list_walk(&list, take, s, error)
                 : tool_fail(error, TOOL_MALFORMED, "%.400s: a list has no NUL bytes", path);
    memory_free(contents.bytes);
    return status;
}

static tool_status select_matching(selection *s, tool_error *error) {
    tool_status status = TOOL_OK;
    for (const case_list *list = builtin_lists; list->name && status == TOOL_OK; list++)
        status = list_walk(list, take, s, error);
    if (status == TOOL_OK && s->matched == 0) {
        return tool_fail(error, TOOL_MALFORMED, "no name of the built-in lists matches '%.400s'",
                         s->pattern);
    }
    return status;
}

/* Messages about braces have a column only: they get the argument here. */
static tool_status select_names(const char *argument, selection *s, tool_error *error) {
    tool_error inner = {""};
    tool_status status = brace_expand(argument, take_name, s, &inner);
    bool unplaced = strncmp(inner.message, "column ", 7) == 0;
    return status == TOOL_OK
               ? status
               : tool_fail(error, status, "%s%.400s%s%s", unplaced ? "'" : "",
                           unplaced ? argument : "", unplaced ? "': " : "", inner.message);
}

/* A word without a '.' cannot be meant as a case's name. */
static tool_status refuse_word(const char *word, tool_error *error) {
    char meant[80] = "";
    char lists[80] = "";
    for (const case_list *list = builtin_lists; list->name; list++) {
        const size_t used = strlen(lists);
        snprintf(lists + used, sizeof lists - used, "%s%s", used ? ", " : "", list->name);
        if (text_alike(word, list->name))
            snprintf(meant, sizeof meant, " (did you mean %s?)", list->name);
    }
    return tool_fail(error, TOOL_MALFORMED, "'%.400s' is neither a case nor one of the lists %s%s",
                     word, lists, meant);
}

tool_status case_select(const char *argument, name_set *names, tool_error *error) {
    const case_list *list = list_find(argument);
    selection s = {.names = names};
    if (list)
        return list_walk(list, take, &s, error);
    if (file_has_extension(argument, ".list"))
        return select_file(argument, &s, error);
    if (strpbrk(argument, "*?[")) {
        s.pattern = argument;
        return select_matching(&s, error);
    }
    if (!strchr(argument, '.'))
        return refuse_word(argument, error);
    return select_names(argument, &s, error);
}
