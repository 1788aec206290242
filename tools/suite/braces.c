/* SPDX-License-Identifier: MIT */
/* Expands braces recursively: what follows a group is the end of each of its alternatives. */
#include "braces.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

static tool_status expand_group(expansion *e, const char *open, const char *end, const rest *then,
                                size_t used) {
    uint64_t first;
    uint64_t last;
    const char *close = find_close(open, end);
    if (!close)
        return fail(e, open, "this '{' has no '}'");
    if (e->depth == BRACE_MAX_DEPTH)
        return fail(e, open, "more braces than one text may have");
    const rest after = {close + 1, end, then};
    tool_status status = TOOL_OK;
    e->depth++;
    if (is_range(open + 1, close, &first, &last)) {
        status = first <= last ? expand_range(e, first, last, &after, used)
                               : fail(e, open, "the range ends before it starts");
    } else {
        for (const char *at = open, *comma; at < close && status == TOOL_OK; at = comma) {
            comma = find_comma(at + 1, close);
            status = expand(e, at + 1, comma, &after, used);
        }
    }
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
        return expand_group(e, at, end, then, used);
    if (then)
        return expand(e, then->at, then->end, then->then, used);
    e->text[used] = '\0';
    return e->use(e->context, e->text, e->error);
}

tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error) {
    expansion e = {.pattern = pattern, .use = use, .context = context, .error = error};
    return expand(&e, pattern, pattern + strlen(pattern), NULL, 0);
}
