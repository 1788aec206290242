/* SPDX-License-Identifier: MIT */
#include "json_document.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_build.h"
#include "json_escape.h"
#include "json_names.h"
#include "memory.h"

const char *json_printable(char *buffer, size_t size, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        size_t step = json_utf8_length(text + i, length - i);
        if (used + (step ? step : 1) > size - 1)
            break;
        unsigned char c = (unsigned char)text[i];
        if (step == 0 || c < 0x20 || c == 0x7F) {
            buffer[used++] = '?';
            i++;
            continue;
        }
        for (size_t end = i + step; i < end; i++)
            buffer[used++] = text[i];
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

/* The longest text: json-c counts in int, and a tree takes some ten times its text. */
#define MAX_TEXT ((size_t)INT_MAX / 12)

static tool_status open_text(json_document *document, json_numbers numbers, tool_error *error) {
    if (document->length > MAX_TEXT) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: a text of %zu bytes is too long: at most %zu; keep large data in "
                         ".npy files",
                         document->name, document->length, MAX_TEXT);
    }
    const char *text = document->text;
    if (document->length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        document->text += 3; /* a byte order mark says nothing in UTF-8 */
        document->length -= 3;
    }
    tool_status status = json_check_names(document, error);
    return status == TOOL_OK ? json_build(document, numbers, error) : status;
}

tool_status json_open(json_document *document, const char *text, size_t length, const char *name,
                      uint64_t first_line, tool_error *error) {
    *document = (json_document){text, length, name, first_line, NULL};
    return open_text(document, JSON_NUMBERS_AS_PLACES, error);
}

struct json_object *json_read(const char *text, size_t length) {
    json_document document = {text, length, "", 1, NULL};
    if (open_text(&document, JSON_NUMBERS_AS_VALUES, NULL) == TOOL_ENVIRONMENT)
        tool_memory_is_out();
    return document.root;
}

void json_close(json_document *document) {
    json_object_put(document->root);
    document->root = NULL;
}
