/* SPDX-License-Identifier: MIT */
#include "list_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "brace_expand.h"
#include "case_name.h"
#include "json_document.h"
#include "list_define.h"
#include "list_line.h"
#include "memory.h"

/* Names that one list may expand to: a product of too many braces is a mistake. */
#define MAX_NAMES UINT64_C(1000000)

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

/* A message of what is inside a line, with the place before it. */
static tool_status locate(const walker *w, const tool_error *inner, tool_error *error) {
    char safe[sizeof inner->message];
    json_printable(safe, sizeof safe, inner->message, strlen(inner->message));
    return tool_fail(error, TOOL_MALFORMED, "%.200s:%" PRIu64 ": %.800s", w->list->name,
                     w->lines.line, safe);
}

static tool_status use_name(void *context, const char *name, tool_error *error) {
    walker *w = context;
    case_spec spec;
    tool_error inner;
    const listed_name listed = {name, w->rules ? w->rules : "", w->lines.line};
    if (case_parse(name, &spec, &inner) != TOOL_OK)
        return locate(w, &inner, error);
    if (++w->count > MAX_NAMES) {
        tool_fail(&inner, TOOL_MALFORMED, "the list has more than %" PRIu64 " names", MAX_NAMES);
        return locate(w, &inner, error);
    }
    return w->use(w->context, &listed, error);
}

/* What brace_expand itself finds wrong has no place yet; what use_name says has one. */
static tool_status expand(walker *w, const char *text, tool_error *error) {
    char *pattern;
    tool_error inner = {""};
    tool_status status = list_substitute(&w->definitions, text, &pattern, &inner);
    if (status != TOOL_OK)
        return locate(w, &inner, error);
    status = brace_expand(pattern, use_name, w, &inner);
    free(pattern);
    if (status == TOOL_MALFORMED && strncmp(inner.message, "column ", 7) == 0)
        return locate(w, &inner, error);
    return status == TOOL_OK ? status : tool_fail(error, status, "%s", inner.message);
}

static tool_status include(walker *w, const char *name, tool_error *error) {
    tool_error inner;
    const case_list *list = list_find(name);
    if (!list || !w->use) {
        tool_fail(&inner, TOOL_MALFORMED, "include %s: %s", name,
                  list ? "an included list includes none" : "there is no such built-in list");
        return locate(w, &inner, error);
    }
    walker part = {.list = list, .lines = list_lines_of(list->text), .definitions = w->definitions};
    tool_status status = walk_lines(&part, &inner);
    w->definitions = part.definitions;
    list_lines_free(&part.lines);
    free(part.rules);
    return status == TOOL_OK ? status : locate(w, &inner, error);
}

/* The words after a keyword and at least one space, or NULL where the line does not start so. */
static const char *after(const char *line, const char *keyword) {
    size_t length = strlen(keyword);
    if (strncmp(line, keyword, length) != 0 || line[length] != ' ')
        return NULL;
    return line + length + strspn(line + length, " ");
}

static tool_status walk_line(walker *w, const char *line, tool_error *error) {
    const char *words;
    tool_error inner;
    if (list_is_definition(line)) {
        tool_status status = list_define(&w->definitions, line, &inner);
        return status == TOOL_OK ? status : locate(w, &inner, error);
    }
    if ((words = after(line, "include")))
        return include(w, words, error);
    if ((words = after(line, "rule"))) {
        free(w->rules);
        w->rules = tool_strdup(words);
        return TOOL_OK;
    }
    return w->use ? expand(w, line, error) : TOOL_OK;
}

static tool_status walk_lines(walker *w, tool_error *error) {
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && list_next_line(&w->lines))
        status = walk_line(w, w->lines.text, error);
    return status;
}

tool_status list_walk(const case_list *list, list_use use, void *context, tool_error *error) {
    walker w = {.list = list, .lines = list_lines_of(list->text), .use = use, .context = context};
    tool_status status = walk_lines(&w, error);
    list_lines_free(&w.lines);
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
