/* SPDX-License-Identifier: MIT */
#include "json_names.h"

#include <stdlib.h>

#include "json_escape.h"

/* A member name without its quotes. */
typedef struct name {
    const char *text;
    size_t length;
} name;

typedef struct container {
    json_kind open; /* JSON_OPEN_OBJECT or JSON_OPEN_ARRAY */
    size_t first_name;
} container;

/* The names of the objects that are open, outermost first. */
typedef struct checker {
    const json_document *document;
    tool_error *error;
    container stack[JSON_MAX_DEPTH];
    size_t depth;
    name *names;
    size_t count;
    size_t capacity;
    bool done; /* the value is complete */
} checker;

static int compare_meaning(const name *a, const name *b) {
    return json_compare_strings(a->text, a->length, b->text, b->length);
}

/* Equal names in the order of the text, so that the later one is the one reported. */
static int compare_names(const void *a, const void *b) {
    const name *x = a;
    const name *y = b;
    int order = compare_meaning(x, y);
    return order ? order : (x->text > y->text) - (x->text < y->text);
}

static tool_status add_name(checker *c, json_token string) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        name *names = realloc(c->names, capacity * sizeof *names);
        if (!names) {
            return tool_fail(c->error, TOOL_ENVIRONMENT, "%.400s: out of memory",
                             c->document->name);
        }
        c->names = names;
        c->capacity = capacity;
    }
    c->names[c->count++] = (name){c->document->text + string.offset + 1, string.length - 2};
    return TOOL_OK;
}

static tool_status close_object(checker *c) {
    size_t first = c->stack[c->depth].first_name;
    if (c->count - first > 1)
        qsort(c->names + first, c->count - first, sizeof *c->names, compare_names);
    for (size_t i = first + 1; i < c->count; i++) {
        const name *later = &c->names[i];
        if (compare_meaning(later - 1, later) == 0) {
            char shown[96];
            return json_fail_at(c->document, (size_t)(later->text - 1 - c->document->text),
                                c->error, TOOL_MALFORMED,
                                "an object has two members named \"%s\": a name may occur once",
                                json_printable(shown, sizeof shown, later->text, later->length));
        }
    }
    c->count = first;
    return TOOL_OK;
}

static tool_status open_container(checker *c, json_token token) {
    if (c->depth == JSON_MAX_DEPTH) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "objects and arrays are nested more than %d deep", JSON_MAX_DEPTH);
    }
    c->stack[c->depth++] = (container){token.kind, c->count};
    return TOOL_OK;
}

static tool_status close_container(checker *c, json_token token) {
    json_kind open = token.kind == JSON_CLOSE_OBJECT ? JSON_OPEN_OBJECT : JSON_OPEN_ARRAY;
    if (c->depth == 0 || c->stack[c->depth - 1].open != open) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "found %s, which closes nothing that is open here",
                            open == JSON_OPEN_OBJECT ? "}" : "]");
    }
    c->depth--;
    return open == JSON_OPEN_OBJECT ? close_object(c) : TOOL_OK;
}

static tool_status check_token(checker *c, json_token token, json_token previous) {
    tool_status status = TOOL_OK;
    if (token.kind == JSON_BAD) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED, "%s",
                            token.problem);
    }
    if (c->done) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "something follows the end of the value: only comments may");
    }
    if (token.kind == JSON_OPEN_OBJECT || token.kind == JSON_OPEN_ARRAY)
        status = open_container(c, token);
    else if (token.kind == JSON_CLOSE_OBJECT || token.kind == JSON_CLOSE_ARRAY)
        status = close_container(c, token);
    else if (token.kind == JSON_COLON && previous.kind == JSON_STRING)
        status = add_name(c, previous);
    c->done = c->depth == 0 && token.kind != JSON_COLON && token.kind != JSON_COMMA;
    return status;
}

tool_status json_check_names(const json_document *document, tool_error *error) {
    checker c = {.document = document, .error = error};
    json_token previous = {JSON_END, 0, 0, NULL};
    json_token token = json_scan(document->text, document->length, 0);
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && token.kind != JSON_END) {
        status = check_token(&c, token, previous);
        previous = token;
        token = json_scan(document->text, document->length, token.offset + token.length);
    }
    free(c.names);
    return status;
}
