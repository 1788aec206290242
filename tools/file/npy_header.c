/* SPDX-License-Identifier: MIT */
#include "npy_header.h"

#include <string.h>

#include "json_document.h"

typedef struct parser {
    const char *text;
    size_t length;
    size_t position;
    const char *name;
    size_t start;
    npy_header *out;
    tool_error *error;
} parser;

static tool_status fail(const parser *p, const char *rule) {
    char shown[40];
    json_printable(shown, sizeof shown, p->text + p->position, p->length - p->position);
    return tool_fail(p->error, TOOL_MALFORMED, "%.400s: byte %zu: .npy header: %s (found: %s)",
                     p->name, p->start + p->position, rule, shown[0] ? shown : "its end");
}

static void skip_spaces(parser *p) {
    while (p->position < p->length && p->text[p->position] == ' ')
        p->position++;
}

/* Skips spaces and says whether c comes next; if so, goes past it. */
static bool take(parser *p, char c) {
    skip_spaces(p);
    if (p->position == p->length || p->text[p->position] != c)
        return false;
    p->position++;
    return true;
}

static bool take_word(parser *p, const char *word) {
    size_t length = strlen(word);
    skip_spaces(p);
    if (p->length - p->position < length || memcmp(p->text + p->position, word, length) != 0)
        return false;
    p->position += length;
    return true;
}

/* A string without escapes. */
static tool_status take_string(parser *p, const char **string, size_t *length) {
    char quote = '\'';
    if (!take(p, quote)) {
        quote = '"';
        if (!take(p, quote))
            return fail(p, "a string in quotes is expected");
    }
    *string = p->text + p->position;
    const char *end = memchr(*string, quote, p->length - p->position);
    if (!end)
        return fail(p, "a string has no end");
    *length = (size_t)(end - *string);
    p->position += *length + 1;
    return TOOL_OK;
}

static tool_status parse_descr(parser *p) {
    static const struct {
        const char *descr;
        cumsum_data_type type;
    } types[] = {{"<f4", CUMSUM_DATA_TYPE_FLOAT32}, {"<f2", CUMSUM_DATA_TYPE_FLOAT16},
                 {"<i4", CUMSUM_DATA_TYPE_INT32},   {"<u4", CUMSUM_DATA_TYPE_UINT32},
                 {"<i8", CUMSUM_DATA_TYPE_INT64},   {"<u8", CUMSUM_DATA_TYPE_UINT64}};
    const char *string = NULL;
    size_t length = 0;
    skip_spaces(p);
    parser before = *p;
    tool_status status = take_string(p, &string, &length);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (length == 3 && memcmp(string, types[i].descr, 3) == 0) {
            p->out->type = types[i].type;
            return TOOL_OK;
        }
    }
    if (length > 0 && string[0] == '>')
        return fail(&before, "big-endian elements are not supported: only little-endian ones are");
    return fail(&before, "descr must be '<f4', '<f2', '<i4', '<u4', '<i8' or '<u8'");
}

static tool_status parse_order(parser *p) {
    if (take_word(p, "True")) {
        p->out->fortran_order = true;
        return TOOL_OK;
    }
    return take_word(p, "False") ? TOOL_OK : fail(p, "fortran_order must be True or False");
}

static tool_status parse_size(parser *p, uint32_t *size) {
    size_t first = p->position;
    uint64_t value = 0;
    while (p->position < p->length && p->text[p->position] >= '0' && p->text[p->position] <= '9' &&
           value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(p->text[p->position++] - '0');
    bool leading_zero = p->position > first + 1 && p->text[first] == '0';
    if (p->position == first || leading_zero || value > UINT32_MAX) {
        p->position = first;
        return fail(p, "a size in shape must be an integer from 0 to 4294967295");
    }
    *size = (uint32_t)value;
    return TOOL_OK;
}

/* () or (3,) or (3, 4) or (3, 4,) */
static tool_status parse_shape(parser *p) {
    if (!take(p, '('))
        return fail(p, "shape must be a tuple");
    bool comma = true;
    while (!take(p, ')')) {
        if (!comma)
            return fail(p, "after a size in shape comes , or )");
        if (p->out->rank == CUMSUM_MAX_DIMENSIONS)
            return fail(p, "shape may have at most 8 dimensions");
        tool_status status = parse_size(p, &p->out->sizes[p->out->rank]);
        if (status != TOOL_OK)
            return status;
        p->out->rank++;
        comma = take(p, ',');
    }
    return p->out->rank == 1 && !comma ? fail(p, "a shape of one size is written (n,)") : TOOL_OK;
}

static tool_status parse_entry(parser *p, bool seen[3]) {
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    static tool_status (*const values[3])(parser *) = {parse_descr, parse_order, parse_shape};
    const char *key = NULL;
    size_t length = 0;
    skip_spaces(p);
    parser before = *p;
    tool_status status = take_string(p, &key, &length);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < 3; i++) {
        if (length == strlen(keys[i]) && memcmp(key, keys[i], length) == 0) {
            if (seen[i])
                return fail(&before, "a key occurs twice");
            seen[i] = true;
            return take(p, ':') ? values[i](p) : fail(p, "after a key comes :");
        }
    }
    return fail(&before, "the keys are descr, fortran_order and shape, and no others");
}

tool_status npy_parse_header(const char *text, size_t length, const char *name, size_t start,
                             npy_header *out, tool_error *error) {
    parser p = {text, length, 0, name, start, out, error};
    bool seen[3] = {false, false, false};
    bool comma = true;
    *out = (npy_header){0};
    if (!take(&p, '{'))
        return fail(&p, "a dictionary is expected");
    while (!take(&p, '}')) {
        if (!comma)
            return fail(&p, "after an entry comes , or }");
        tool_status status = parse_entry(&p, seen);
        if (status != TOOL_OK)
            return status;
        comma = take(&p, ',');
    }
    if (!seen[0] || !seen[1] || !seen[2])
        return fail(&p, "descr, fortran_order and shape are all required");
    take(&p, '\n');
    return p.position == length ? TOOL_OK : fail(&p, "something follows the dictionary");
}
