/* SPDX-License-Identifier: MIT */
/* Expands braces from left to right: each alternative takes the place of its group, and the text is
 * expanded again. */
#include "case_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

/* The ',' or '}' that ends the alternative at `at`, or the text's end. */
static const char *alternative_end(const char *at) {
    int depth = 0;
    for (; *at && (depth > 0 || (*at != ',' && *at != '}')); at++) {
        depth += *at == '{';
        depth -= *at == '}';
    }
    return at;
}

/* The brace that closes the one at `open`, or NULL. */
static const char *group_end(const char *open) {
    const char *at = alternative_end(open + 1);
    while (*at == ',')
        at = alternative_end(at + 1);
    return *at ? at : NULL;
}

/* "8..10" */
static bool is_range(const char *at, const char *close, uint64_t *first, uint64_t *last) {
    const char *dots = number_canonical(at, close, UINT32_MAX, first);
    return dots && close - dots > 2 && dots[0] == '.' && dots[1] == '.' &&
           number_canonical(dots + 2, close, UINT32_MAX, last) == close;
}

typedef struct expansion {
    brace_use use;
    void *context;
    tool_error *error;
    int depth; /* groups that are replaced */
} expansion;

static tool_status expand(const expansion *e, const char *text);

/* Expands the text with this in the place of the group from `open` to `close`. */
static tool_status replace(const expansion *e, const char *text, const char *open,
                           const char *close, const char *by, size_t length) {
    const expansion deeper = {e->use, e->context, e->error, e->depth + 1};
    const size_t room = strlen(text) + length + 1;
    char *replaced = tool_malloc(room);
    snprintf(replaced, room, "%.*s%.*s%s", (int)(open - text), text, (int)length, by, close + 1);
    const tool_status status = expand(&deeper, replaced);
    free(replaced);
    return status;
}

static tool_status fail_at(const expansion *e, const char *at, const char *rule) {
    return tool_fail(e->error, TOOL_MALFORMED, "'%.40s': %s", at, rule);
}

static tool_status expand(const expansion *e, const char *text) {
    const char *open = text + strcspn(text, "{}");
    const char *close = *open == '{' ? group_end(open) : NULL;
    tool_status status = TOOL_OK;
    uint64_t first, last;
    if (!*open)
        return open - text < BRACE_TEXT_ROOM
                   ? e->use(e->context, text, e->error)
                   : fail_at(e, text + BRACE_TEXT_ROOM - 1, "the text is longer than any name");
    if (!close)
        return fail_at(e, open, *open == '{' ? "this '{' has no '}'" : "this '}' has no '{'");
    if (e->depth == BRACE_MAX_DEPTH)
        return fail_at(e, open, "more braces than one name may have");
    if (is_range(open + 1, close, &first, &last)) {
        for (uint64_t number = first; number <= last && status == TOOL_OK; number++) {
            char digits[24];
            const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
            status = replace(e, text, open, close, digits, (size_t)length);
        }
        return first <= last ? status : fail_at(e, open, "the range ends before it starts");
    }
    for (const char *at = open, *end; at < close && status == TOOL_OK; at = end) {
        end = alternative_end(at + 1);
        status = replace(e, text, open, close, at + 1, (size_t)(end - at) - 1);
    }
    return status;
}

tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error) {
    return expand(&(expansion){use, context, error, 0}, pattern);
}
