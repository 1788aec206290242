/* SPDX-License-Identifier: MIT */
/* Expands braces from left to right: each alternative of a group, with what follows the group, is a
 * shorter text to expand. */
#include "case_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "number.h"
#include "text.h"

typedef struct expansion {
    brace_use use;
    void *context;
    tool_error *error;
    char text[BRACE_TEXT_ROOM]; /* what stands before the group that is expanded */
} expansion;

static tool_status fail_at(const expansion *e, const char *at, const char *rule) {
    return tool_fail(e->error, TOOL_MALFORMED, "'%.40s': %s", at, rule);
}

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

static tool_status expand(expansion *e, const char *text, size_t used, int depth);

static tool_status expand_alternative(expansion *e, const char *at, const char *end,
                                      const char *rest, size_t used, int depth) {
    char *text = text_format("%.*s%s", (int)(end - at), at, rest);
    const tool_status status = expand(e, text, used, depth);
    free(text);
    return status;
}

static tool_status expand_range(expansion *e, uint64_t first, uint64_t last, const char *rest,
                                size_t used, int depth) {
    tool_status status = TOOL_OK;
    for (uint64_t number = first; number <= last && status == TOOL_OK; number++) {
        char digits[24];
        const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
        status = expand_alternative(e, digits, digits + length, rest, used, depth);
    }
    return status;
}

static tool_status expand_group(expansion *e, const char *open, size_t used, int depth) {
    const char *close = group_end(open);
    tool_status status = TOOL_OK;
    uint64_t first;
    uint64_t last;
    if (!close)
        return fail_at(e, open, "this '{' has no '}'");
    if (depth == BRACE_MAX_DEPTH)
        return fail_at(e, open, "more braces than one name may have");
    if (is_range(open + 1, close, &first, &last)) {
        return first <= last ? expand_range(e, first, last, close + 1, used, depth + 1)
                             : fail_at(e, open, "the range ends before it starts");
    }
    for (const char *at = open, *end; at < close && status == TOOL_OK; at = end) {
        end = alternative_end(at + 1);
        status = expand_alternative(e, at + 1, end, close + 1, used, depth + 1);
    }
    return status;
}

static tool_status expand(expansion *e, const char *text, size_t used, int depth) {
    for (; *text && *text != '{'; text++) {
        if (*text == '}')
            return fail_at(e, text, "this '}' has no '{'");
        if (used == sizeof e->text - 1)
            return fail_at(e, text, "the text is longer than any name");
        e->text[used++] = *text;
    }
    if (*text)
        return expand_group(e, text, used, depth);
    e->text[used] = '\0';
    return e->use(e->context, e->text, e->error);
}

tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error) {
    expansion e = {.use = use, .context = context, .error = error};
    return expand(&e, pattern, 0, 0);
}
