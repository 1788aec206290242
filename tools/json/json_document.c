/* SPDX-License-Identifier: MIT */
#include "json_document.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_escape.h"
#include "json_names.h"
#include "json_rewrite.h"

const char *json_printable(char *buffer, size_t size, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t step = json_utf8_length(text + i, length - i);
        if (used + (step ? step : 1) > size - 1) {
            break;
        }
        unsigned char c = (unsigned char)text[i];
        if (step == 0 || c < 0x20 || c == 0x7F) {
            buffer[used++] = '?';
            i++;
            continue;
        }
        for (size_t end = i + step; i < end; i++) {
            buffer[used++] = text[i];
        }
    }
    buffer[used] = '\0';
    return buffer;
}

/* Lines end with a line feed; columns count characters from 1. */
static void find_place(const json_document *document, size_t offset, uint64_t *line,
                       uint64_t *column) {
    *line = document->first_line;
    *column = 1;
    for (size_t i = 0; i < offset && i < document->length; i++) {
        unsigned char c = (unsigned char)document->text[i];
        if (c == '\n') {
            ++*line;
            *column = 1;
        } else if ((c & 0xC0) != 0x80) { /* not the inside of a UTF-8 sequence */
            ++*column;
        }
    }
}

tool_status json_fail_at(const json_document *document, size_t offset, tool_error *error,
                         tool_status status, const char *format, ...) {
    char message[600];
    char shown[600];
    uint64_t line;
    uint64_t column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    find_place(document, offset, &line, &column);
    return tool_fail(error, status, "%.400s:%" PRIu64 ":%" PRIu64 ": %s", document->name, line,
                     column, json_printable(shown, sizeof shown, message, strlen(message)));
}

/* What json-c missed, in words. It sees tokens that are right one by one, so only their order can
 * be wrong. */
static const char *structure_rule(enum json_tokener_error problem) {
    switch (problem) {
    case json_tokener_error_parse_eof:
    case json_tokener_continue:
        return "the text ends before its value does";
    case json_tokener_error_parse_array:
        return "after an element of an array comes , or ]";
    case json_tokener_error_parse_object_key_name:
        return "a member of an object starts with its name in double quotes";
    case json_tokener_error_parse_object_key_sep:
        return "after the name of a member comes :";
    case json_tokener_error_parse_object_value_sep:
        return "after a member of an object comes , or }";
    default:
        return "a value should be here";
    }
}

static tool_status fail_structure(const json_document *document, json_tokener *tokener,
                                  tool_error *error) {
    size_t offset =
        json_rewrite_source(document->text, document->length, json_tokener_get_parse_end(tokener));
    enum json_tokener_error problem = json_tokener_get_error(tokener);
    if (problem == json_tokener_error_size) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: out of memory", document->name);
    }
    json_token token = json_scan(document->text, document->length, offset);
    char found[48];
    return json_fail_at(document, token.offset, error, TOOL_MALFORMED, "%s%s%s%s",
                        token.kind == JSON_END ? "" : "found ",
                        json_printable(found, sizeof found, document->text + token.offset,
                                       token.kind == JSON_END ? 0 : token.length),
                        token.kind == JSON_END ? "" : ": ", structure_rule(problem));
}

/* The longest text: json-c counts in int, and a number of one digit may become one of ten. */
#define MAX_TEXT ((size_t)INT_MAX / 12)

static tool_status build_tree(json_document *document, tool_error *error) {
    size_t length;
    char *text = json_rewrite(document->text, document->length, &length);
    json_tokener *tokener = json_tokener_new_ex(JSON_MAX_DEPTH + 2);
    tool_status status = TOOL_OK;
    if (!text || !tokener) {
        status = tool_fail(error, TOOL_ENVIRONMENT, "%.400s: out of memory", document->name);
    } else {
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
        document->root = json_tokener_parse_ex(tokener, text, (int)length + 1);
        if (json_tokener_get_error(tokener) != json_tokener_success) {
            status = fail_structure(document, tokener, error);
        }
    }
    if (tokener) {
        json_tokener_free(tokener);
    }
    free(text);
    return status;
}

tool_status json_open(json_document *document, const char *text, size_t length, const char *name,
                      uint64_t first_line, tool_error *error) {
    *document = (json_document){text, length, name, first_line, NULL};
    if (length > MAX_TEXT) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: a text of %zu bytes is too long: at most %zu; keep large data in "
                         ".npy files",
                         name, length, MAX_TEXT);
    }
    if (length >= 3 && text[0] == '\xEF' && text[1] == '\xBB' && text[2] == '\xBF') {
        document->text += 3; /* a byte order mark says nothing in UTF-8 */
        document->length -= 3;
    }
    tool_status status = json_check_names(document, error);
    return status == TOOL_OK ? build_tree(document, error) : status;
}

void json_close(json_document *document) {
    json_object_put(document->root);
    document->root = NULL;
}
