/* SPDX-License-Identifier: MIT */
/* Expands braces recursively, and selects the names of lists, files and patterns. */
#include "case_select.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "case_list.h"
#include "case_name.h"
#include "file.h"
#include "memory_limit.h"
#include "number.h"

/* The text that follows the current alternative, and its own follower. */
typedef struct rest {
    const char *at;
    const char *end;
    const struct rest *then;
} rest;

typedef struct expansion {
    const char *pattern;
    brace_use use;
    void *context;
    tool_error *error;
    int depth;
    char text[BRACE_TEXT_ROOM];
} expansion;

static tool_status expand(expansion *e, const char *at, const char *end, const rest *then,
                          size_t used);

static tool_status fail(const expansion *e, const char *at, const char *rule) {
    return tool_fail(e->error, TOOL_MALFORMED, "column %zu: %s", (size_t)(at - e->pattern) + 1,
                     rule);
}

/* The brace that closes the one at `at`, or NULL. */
static const char *find_close(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == '{';
        depth -= *at == '}';
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* The comma that ends the alternative at `at`, or close. */
static const char *find_comma(const char *at, const char *close) {
    int depth = 0;
    for (; at < close && (depth > 0 || *at != ','); at++) {
        depth += *at == '{';
        depth -= *at == '}';
    }
    return at;
}

/* "8..10" */
static bool is_range(const char *at, const char *close, uint64_t *first, uint64_t *last) {
    const char *dots = number_canonical(at, close, UINT32_MAX, first);
    return dots && close - dots > 2 && dots[0] == '.' && dots[1] == '.' &&
           number_canonical(dots + 2, close, UINT32_MAX, last) == close;
}

static tool_status expand_range(expansion *e, uint64_t first, uint64_t last, const rest *after,
                                size_t used) {
    tool_status status = TOOL_OK;
    for (uint64_t number = first; number <= last && status == TOOL_OK; number++) {
        char digits[24];
        int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
        status = expand(e, digits, digits + length, after, used);
    }
    return status;
}

static tool_status expand_group(expansion *e, const char *open, const char *close,
                                const rest *after, size_t used) {
    uint64_t first;
    uint64_t last;
    if (is_range(open + 1, close, &first, &last)) {
        return first <= last ? expand_range(e, first, last, after, used)
                             : fail(e, open, "the range ends before it starts");
    }
    tool_status status = TOOL_OK;
    for (const char *at = open + 1; status == TOOL_OK;) {
        const char *comma = find_comma(at, close);
        status = expand(e, at, comma, after, used);
        if (comma == close)
            break;
        at = comma + 1;
    }
    return status;
}

static tool_status open_group(expansion *e, const char *open, const char *end, const rest *then,
                              size_t used) {
    const char *close = find_close(open, end);
    if (!close)
        return fail(e, open, "this '{' has no '}'");
    if (e->depth == BRACE_MAX_DEPTH)
        return fail(e, open, "more braces than one text may have");
    const rest after = {close + 1, end, then};
    e->depth++;
    tool_status status = expand_group(e, open, close, &after, used);
    e->depth--;
    return status;
}

static tool_status expand(expansion *e, const char *at, const char *end, const rest *then,
                          size_t used) {
    for (; at < end && *at != '{'; at++) {
        if (*at == '}')
            return fail(e, at, "this '}' has no '{'");
        if (used == sizeof e->text - 1)
            return fail(e, at, "the text is longer than any name");
        e->text[used++] = *at;
    }
    if (at < end)
        return open_group(e, at, end, then, used);
    if (then)
        return expand(e, then->at, then->end, then->then, used);
    e->text[used] = '\0';
    return e->use(e->context, e->text, e->error);
}

tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error) {
    expansion e = {.pattern = pattern, .use = use, .context = context, .error = error};
    return expand(&e, pattern, pattern + strlen(pattern), NULL, 0);
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
    memory_release(contents.bytes);
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
