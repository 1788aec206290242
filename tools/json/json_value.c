/* SPDX-License-Identifier: MIT */
#include "json_value.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_locate.h"

json_value json_root(const json_document *document) {
    return (json_value){document, NULL, NULL, 0, document->root};
}

bool json_member(const json_value *object, const char *name, json_value *member) {
    *member = (json_value){object->document, object, name, 0, NULL};
    return json_object_object_get_ex(object->object, name, &member->object);
}

json_value json_element(const json_value *array, size_t index) {
    return (json_value){array->document, array, NULL, index,
                        json_object_array_get_idx(array->object, index)};
}

json_type json_type_of(const json_value *value) {
    return json_object_get_type(value->object);
}

json_members json_members_of(const json_value *object) {
    return (json_members){object, json_object_iter_begin(object->object),
                          json_object_iter_end(object->object)};
}

bool json_next_member(json_members *members, json_value *member) {
    if (json_object_iter_equal(&members->next, &members->end))
        return false;
    *member = (json_value){members->object->document, members->object,
                           json_object_iter_peek_name(&members->next), 0,
                           json_object_iter_peek_value(&members->next)};
    json_object_iter_next(&members->next);
    return true;
}

const char *json_number_text(const json_value *number, size_t *length) {
    size_t offset = (size_t)json_object_get_int64(number->object);
    *length = json_scan(number->document->text, number->document->length, offset).length;
    return number->document->text + offset;
}

/* Appends to a path that may have run out of room. */
static void append(char *path, size_t size, const char *format, ...) {
    size_t used = strlen(path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + used, size - used, format, arguments);
    va_end(arguments);
}

static void write_path(const json_value *value, char *path, size_t size) {
    if (!value->parent) {
        path[0] = '\0';
        return;
    }
    write_path(value->parent, path, size);
    if (value->name) {
        char shown[96];
        append(path, size, "%s%s", path[0] ? "." : "",
               json_printable(shown, sizeof shown, value->name, strlen(value->name)));
    } else {
        append(path, size, "[%zu]", value->index);
    }
}

tool_status json_fail(const json_value *value, tool_error *error, tool_status status,
                      const char *format, ...) {
    char message[512];
    char path[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    write_path(value, path, sizeof path);
    return json_fail_at(value->document, json_locate(value), error, status, "%s%s%s", path,
                        path[0] ? ": " : "", message);
}

tool_status json_fail_type(const json_value *value, tool_error *error, const char *expected) {
    const json_document *document = value->document;
    json_token token = json_scan(document->text, document->length, json_locate(value));
    char shown[48];
    const char *found = token.kind == JSON_OPEN_OBJECT  ? "an object"
                        : token.kind == JSON_OPEN_ARRAY ? "an array"
                                                        : shown;
    json_printable(shown, sizeof shown, document->text + token.offset, token.length);
    return json_fail(value, error, TOOL_MALFORMED, "expected %s, found %s", expected, found);
}
