/* SPDX-License-Identifier: MIT */
/* Selects the names of lists, files, patterns and braces. */
#include "case_select.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "braces.h"
#include "case_list.h"
#include "case_name.h"
#include "file.h"
#include "memory_limit.h"

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
    if (status == TOOL_OK && s->matched++ == CASE_MOST_NAMES) {
        return tool_fail(error, TOOL_MALFORMED,
                         "column 1: the braces stand for more than %" PRIu64 " names",
                         CASE_MOST_NAMES);
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
    return select_names(argument, &s, error);
}
