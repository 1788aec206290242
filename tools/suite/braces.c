/* SPDX-License-Identifier: MIT */
/* Expands braces and names recursively: what follows a group is the end of each alternative. */
#include "case_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "json_tree.h"
#include "number.h"

/* The text that follows the current alternative, and its own follower. */
typedef struct rest {
    const char *at;
    const char *end;
    const struct rest *then;
} rest;

typedef struct expansion {
    const char *pattern;
    const char *place;        /* in the pattern, where the last group or name began */
    json_object *definitions; /* NULL: there are no names */
    brace_use use;
    void *context;
    tool_error *error;
    int depth;
    char text[BRACE_TEXT_ROOM];
} expansion;

static tool_status expand(expansion *e, const char *at, const char *end, const rest *then,
                          size_t used);

static bool is_in_pattern(const expansion *e, const char *at) {
    return at >= e->pattern && at <= e->pattern + strlen(e->pattern);
}

static tool_status fail_at(const expansion *e, const char *at, const char *rule) {
    const char *place = is_in_pattern(e, at) ? at : e->place;
    return tool_fail(e->error, TOOL_MALFORMED, "column %zu: %s", (size_t)(place - e->pattern) + 1,
                     rule);
}

/* Begins a group or a name: one more of those that the text that is made goes through. */
static tool_status enter_group(expansion *e, const char *at) {
    if (is_in_pattern(e, at))
        e->place = at;
    if (e->depth == BRACE_MAX_DEPTH)
        return fail_at(e, at, "more braces and names than one text may have");
    e->depth++;
    return TOOL_OK;
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

static tool_status expand_group(expansion *e, const char *open, const char *end, const rest *then,
                                size_t used) {
    uint64_t first;
    uint64_t last;
    const char *close = find_close(open, end);
    if (!close)
        return fail_at(e, open, "this '{' has no '}'");
    tool_status status = enter_group(e, open);
    if (status != TOOL_OK)
        return status;
    const rest after = {close + 1, end, then};
    if (is_range(open + 1, close, &first, &last)) {
        status = first <= last ? expand_range(e, first, last, &after, used)
                               : fail_at(e, open, "the range ends before it starts");
    } else {
        for (const char *at = open, *comma; at < close && status == TOOL_OK; at = comma) {
            comma = find_comma(at + 1, close);
            status = expand(e, at + 1, comma, &after, used);
        }
    }
    e->depth--;
    return status;
}

size_t brace_name_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

/* "$name" or "${name}" */
static tool_status expand_name(expansion *e, const char *at, const char *end, const rest *then,
                               size_t used) {
    char name[BRACE_TEXT_ROOM];
    char rule[80];
    const bool braced = at[1] == '{';
    const char *start = at + 1 + braced;
    const size_t length = brace_name_length(start);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), start);
    json_object *found = json_find(e->definitions, name, json_type_string);
    if (!found || (braced && start[length] != '}')) {
        snprintf(rule, sizeof rule, "'%.40s' starts with no defined name", at);
        return fail_at(e, at, rule);
    }
    tool_status status = enter_group(e, at);
    if (status != TOOL_OK)
        return status;
    const char *text = json_object_get_string(found);
    const rest after = {start + length + braced, end, then};
    status = expand(e, text, text + strlen(text), &after, used);
    e->depth--;
    return status;
}

static tool_status expand(expansion *e, const char *at, const char *end, const rest *then,
                          size_t used) {
    for (; at < end && *at != '{' && !(*at == '$' && e->definitions); at++) {
        if (*at == '}')
            return fail_at(e, at, "this '}' has no '{'");
        if (used == sizeof e->text - 1)
            return fail_at(e, at, "the text is longer than any name");
        e->text[used++] = *at;
    }
    if (at < end)
        return *at == '{' ? expand_group(e, at, end, then, used)
                          : expand_name(e, at, end, then, used);
    if (then)
        return expand(e, then->at, then->end, then->then, used);
    e->text[used] = '\0';
    return e->use(e->context, e->text, e->error);
}

tool_status brace_expand(const char *pattern, json_object *definitions, brace_use use,
                         void *context, tool_error *error) {
    expansion e = {.pattern = pattern,
                   .place = pattern,
                   .definitions = definitions,
                   .use = use,
                   .context = context,
                   .error = error};
    return expand(&e, pattern, pattern + strlen(pattern), NULL, 0);
}
