/* SPDX-License-Identifier: MIT */
/* Expands braces from left to right: each alternative of a group is expanded with what follows the
 * group. Nothing is allocated. */
#include "case_list.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

typedef struct expansion {
    brace_use use;
    void *context;
    tool_error *error;
    char text[BRACE_TEXT_ROOM]; /* what stands before the group that is expanded */
} expansion;

static tool_status fail_at(const expansion *e, const char *at, const char *rule) {
    return tool_fail(e->error, TOOL_MALFORMED, "'%.40s': %s", at, rule);
}

/* A part of what is left to expand. Every group of braces is within one part. */
typedef struct part {
    const char *at;
    const char *end;
    const struct part *next;
} part;

/* The ',' or '}' that ends the alternative at `at`, or the text's end. */
static const char *alternative_end(const char *at, const char *end) {
    int depth = 0;
    for (; at < end && (depth > 0 || (*at != ',' && *at != '}')); at++) {
        depth += *at == '{';
        depth -= *at == '}';
    }
    return at;
}

/* The brace that closes the one at `open`, or NULL. */
static const char *group_end(const char *open, const char *end) {
    const char *at = alternative_end(open + 1, end);
    while (at < end && *at == ',')
        at = alternative_end(at + 1, end);
    return at < end ? at : NULL;
}

/* "8..10" */
static bool is_range(const char *at, const char *close, uint64_t *first, uint64_t *last) {
    const char *dots = number_canonical(at, close, UINT32_MAX, first);
    return dots && close - dots > 2 && dots[0] == '.' && dots[1] == '.' &&
           number_canonical(dots + 2, close, UINT32_MAX, last) == close;
}

static tool_status expand(expansion *e, const part *rest, size_t used, int depth);

static tool_status expand_range(expansion *e, uint64_t first, uint64_t last, const part *rest,
                                size_t used, int depth) {
    tool_status status = TOOL_OK;
    for (uint64_t number = first; number <= last && status == TOOL_OK; number++) {
        char digits[24];
        const int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
        status = expand(e, &(part){digits, digits + length, rest}, used, depth);
    }
    return status;
}

/* Expands the group that begins where this part does. */
static tool_status expand_group(expansion *e, const part *group, size_t used, int depth) {
    const char *open = group->at;
    const char *close = group_end(open, group->end);
    tool_status status = TOOL_OK;
    uint64_t first;
    uint64_t last;
    if (!close)
        return fail_at(e, open, "this '{' has no '}'");
    if (depth == BRACE_MAX_DEPTH)
        return fail_at(e, open, "more braces than one name may have");
    const part rest = {close + 1, group->end, group->next};
    if (is_range(open + 1, close, &first, &last)) {
        return first <= last ? expand_range(e, first, last, &rest, used, depth + 1)
                             : fail_at(e, open, "the range ends before it starts");
    }
    for (const char *at = open, *end; at < close && status == TOOL_OK; at = end) {
        end = alternative_end(at + 1, close);
        status = expand(e, &(part){at + 1, end, &rest}, used, depth + 1);
    }
    return status;
}

static tool_status expand(expansion *e, const part *rest, size_t used, int depth) {
    for (; rest; rest = rest->next) {
        for (const char *at = rest->at; at < rest->end; at++) {
            if (*at == '{')
                return expand_group(e, &(part){at, rest->end, rest->next}, used, depth);
            if (*at == '}')
                return fail_at(e, at, "this '}' has no '{'");
            if (used == sizeof e->text - 1)
                return fail_at(e, at, "the text is longer than any name");
            e->text[used++] = *at;
        }
    }
    e->text[used] = '\0';
    return e->use(e->context, e->text, e->error);
}

tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error) {
    expansion e = {.use = use, .context = context, .error = error};
    return expand(&e, &(part){pattern, pattern + strlen(pattern), NULL}, 0, 0);
}
