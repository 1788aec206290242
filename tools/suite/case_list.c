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

#include "case_name.h"
#include "error.h"
#include "file.h"
#include "json_tree.h"
#include "memory_limit.h"
#include "text.h"

/* Names that a list, or the braces of an argument, may stand for: a product of too many braces is a
 * mistake. */
#define MOST_NAMES UINT64_C(1000000)

/* Characters that the names of a line stand for. */
#define MOST_TEXT 65536

typedef struct walker {
    const case_list *list;
    const char *at;           /* the unread text */
    uint64_t number;          /* of the next line in the file, from 1 on */
    uint64_t line;            /* where the current one starts */
    json_object *definitions; /* "ways = ...", which is used as "$ways" or "${ways}" */
    uint64_t count;
    brace_use use; /* NULL: definitions only */
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

/* Leaves out the spaces of a line. */
static void join_words(char *line) {
    char *to = line;
    for (; *line; line++)
        if (*line != ' ' && *line != '\t')
            *to++ = *line;
    *to = '\0';
}

static size_t name_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* The text of "$name" or "${name}" at *at, which moves behind it; NULL if there is none. */
static const char *take_name(json_object *definitions, const char **at) {
    const bool braced = (*at)[1] == '{';
    const char *start = *at + 1 + braced;
    const size_t length = name_length(start);
    char *name = text_format("%.*s", (int)length, start);
    json_object *found = json_find(definitions, name, json_type_string);
    free(name);
    if (!found || (braced && start[length] != '}'))
        return NULL;
    *at = start + length + braced;
    return json_text(found);
}

/* The text with the texts of its names in their places, to be freed; NULL, with an error, for a
 * name that is not defined and for a text that is too long. */
static char *replace_names(json_object *definitions, const char *at, tool_error *error) {
    text_buffer buffer;
    const char *found = "";
    size_t replaced = 0;
    text_buffer_open(&buffer);
    while (*at && found && replaced <= MOST_TEXT) {
        if (*at != '$') {
            putc(*at++, buffer.stream);
        } else if ((found = take_name(definitions, &at))) {
            replaced += strlen(found);
            fputs(found, buffer.stream);
        }
    }
    char *text = text_buffer_close(&buffer);
    if (found && replaced <= MOST_TEXT)
        return text;
    free(text);
    if (found)
        tool_fail(error, TOOL_MALFORMED, "the names stand for too long a text");
    else
        tool_fail(error, TOOL_MALFORMED, "'%.40s' starts with no defined name", at);
    return NULL;
}

/* Keeps the definition "NAME=TEXT". TOOL_MALFORMED for a name that is defined already. */
static tool_status define(json_object *definitions, char *line, char *equals, tool_error *error) {
    *equals = '\0';
    if (json_find(definitions, line, json_type_string))
        return tool_fail(error, TOOL_MALFORMED, "'%.40s' is defined already", line);
    char *text = replace_names(definitions, equals + 1, error);
    if (!text)
        return TOOL_MALFORMED;
    json_put_member(definitions, line, json_make_string(text));
    free(text);
    return TOOL_OK;
}

static tool_status walk_lines(walker *w, tool_error *error);

static tool_status use_name(void *context, const char *name, tool_error *error) {
    walker *w = context;
    case_spec spec;
    const tool_status status = case_parse(name, &spec, error);
    if (status == TOOL_OK && ++w->count > MOST_NAMES) {
        return tool_fail(error, TOOL_MALFORMED, "there are more than %" PRIu64 " names",
                         MOST_NAMES);
    }
    return status == TOOL_OK ? w->use(w->context, name, error) : status;
}

static tool_status use_names(walker *w, const char *line, tool_error *error) {
    char *text = replace_names(w->definitions, line, error);
    const tool_status status = text ? brace_expand(text, use_name, w, error) : TOOL_MALFORMED;
    free(text);
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
    if ((words = after(line, "include")))
        return include(w, words, error);
    if (after(line, "rule")) /* it is for readers */
        return TOOL_OK;
    join_words(line);
    char *equals = line + name_length(line);
    if (equals > line && *equals == '=')
        return define(w->definitions, line, equals, error);
    return w->use ? use_names(w, line, error) : TOOL_OK;
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
    if (status == TOOL_OK)
        return status;
    text_printable(safe, sizeof safe, inner.message, strlen(inner.message));
    return tool_fail(error, status, "%.200s:%" PRIu64 ": %.800s", w->list->name, w->line, safe);
}

tool_status list_walk(const case_list *list, brace_use use, void *context, tool_error *error) {
    json_object *definitions = json_make_object();
    walker w = {.list = list, .definitions = definitions, .use = use, .context = context};
    const tool_status status = walk_lines(&w, error);
    json_object_put(definitions);
    return status;
}

/* The names that are selected. */
typedef struct selection {
    name_set *names;
    const char *pattern; /* NULL: all */
    size_t matched;
} selection;

static tool_status take(void *context, const char *name, tool_error *error) {
    selection *s = context;
    (void)error;
    if (!s->pattern || fnmatch(s->pattern, name, 0) == 0) {
        s->matched++;
        name_set_add(s->names, name);
    }
    return TOOL_OK;
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
    return brace_expand(argument, use_name, &(walker){.use = take, .context = &s}, error);
}
