/* SPDX-License-Identifier: MIT */
#include "json_rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_scan.h"

/* Walks over the source and hands out the rewritten text piece by piece. */
typedef struct rewriter {
    const char *text;
    size_t length;
    size_t position;
    json_kind previous;
    json_token token; /* the source of the piece */
    bool space;       /* comes before the piece: json-c would read on in a number */
    const char *piece;
    size_t piece_length;
    char digits[24];
} rewriter;

static bool ends_value(json_kind kind) {
    return json_is_scalar(kind) || kind == JSON_CLOSE_OBJECT || kind == JSON_CLOSE_ARRAY;
}

static bool opens_value(json_kind kind) {
    return kind == JSON_OPEN_OBJECT || kind == JSON_OPEN_ARRAY;
}

/* A comma between a value and the end of what it is in. */
static bool is_trailing_comma(const rewriter *r, json_token token) {
    if (token.kind != JSON_COMMA || !ends_value(r->previous)) {
        return false;
    }
    json_kind next = json_scan(r->text, r->length, token.offset + token.length).kind;
    return next == JSON_CLOSE_OBJECT || next == JSON_CLOSE_ARRAY;
}

/* The next piece; false at the end. */
static bool next_piece(rewriter *r) {
    json_token token = json_scan(r->text, r->length, r->position);
    if (is_trailing_comma(r, token)) {
        token = json_scan(r->text, r->length, token.offset + token.length);
    }
    if (token.kind == JSON_END || token.kind == JSON_BAD) {
        return false;
    }
    r->position = token.offset + token.length;
    r->token = token;
    r->piece = r->text + token.offset;
    r->piece_length = token.length;
    r->space = ends_value(r->previous) && (json_is_scalar(token.kind) || opens_value(token.kind));
    if (token.kind == JSON_NUMBER) {
        r->piece = r->digits;
        r->piece_length = (size_t)snprintf(r->digits, sizeof r->digits, "%zu", token.offset);
    }
    r->previous = token.kind;
    return true;
}

static size_t rewritten_length_of(const char *text, size_t length) {
    rewriter r = {.text = text, .length = length};
    size_t total = 0;
    while (next_piece(&r)) {
        total += r.space + r.piece_length;
    }
    return total;
}

char *json_rewrite(const char *text, size_t length, size_t *rewritten_length) {
    rewriter r = {.text = text, .length = length};
    size_t used = 0;
    *rewritten_length = rewritten_length_of(text, length);
    char *out = malloc(*rewritten_length + 1);
    if (!out) {
        return NULL;
    }
    while (next_piece(&r)) {
        if (r.space) {
            out[used++] = ' ';
        }
        memcpy(out + used, r.piece, r.piece_length);
        used += r.piece_length;
    }
    out[used] = '\0';
    return out;
}

size_t json_rewrite_source(const char *text, size_t length, size_t offset) {
    rewriter r = {.text = text, .length = length};
    size_t used = 0;
    while (next_piece(&r)) {
        used += r.space + r.piece_length;
        if (used > offset) {
            return r.token.offset;
        }
    }
    return length;
}
