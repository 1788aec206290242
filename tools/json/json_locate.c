/* SPDX-License-Identifier: MIT */
#include "json_locate.h"

#include <string.h>

static json_token token_after(const json_document *document, json_token token) {
    return json_scan(document->text, document->length, token.offset + token.length);
}

/* The first token after the value that starts with token. */
static json_token skip_value(const json_document *document, json_token token) {
    size_t depth = 0;
    do {
        depth += token.kind == JSON_OPEN_OBJECT || token.kind == JSON_OPEN_ARRAY;
        depth -= token.kind == JSON_CLOSE_OBJECT || token.kind == JSON_CLOSE_ARRAY;
        token = token_after(document, token);
    } while (depth > 0);
    return token;
}

/* The place of a member among its siblings: json-c keeps them in the order of the text, and names
 * occur once. */
static size_t ordinal(const json_value *value) {
    if (!value->name)
        return value->index;
    json_members members = json_members_of(value->parent);
    json_value sibling;
    size_t count = 0;
    while (json_next_member(&members, &sibling) && strcmp(sibling.name, value->name) != 0)
        count++;
    return count;
}

static json_token first_token(const json_value *value) {
    const json_document *document = value->document;
    if (!value->parent)
        return json_scan(document->text, document->length, 0);
    json_token container = first_token(value->parent);
    json_token token = token_after(document, container);
    bool named = container.kind == JSON_OPEN_OBJECT;
    for (size_t before = ordinal(value);; before--) {
        if (token.kind == JSON_CLOSE_OBJECT || token.kind == JSON_CLOSE_ARRAY)
            return container; /* a member that is missing is reported where it should be */
        if (named) {
            token =
                token_after(document, token_after(document, token)); /* the name and the colon */
        }
        if (before == 0)
            return token;
        token = skip_value(document, token);
        if (token.kind == JSON_COMMA)
            token = token_after(document, token);
    }
}

size_t json_locate(const json_value *value) {
    return first_token(value).offset;
}
