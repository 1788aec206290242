/* SPDX-License-Identifier: MIT */
#include "json_value.h"
#include "text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

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
               text_printable(shown, sizeof shown, value->name, strlen(value->name)));
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
    text_printable(shown, sizeof shown, document->text + token.offset, token.length);
    return json_fail(value, error, TOOL_MALFORMED, "expected %s, found %s", expected, found);
}

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

static const char *type_words(json_type type) {
    return type == json_type_object  ? "an object"
           : type == json_type_array ? "an array"
                                     : "a string";
}

tool_status json_need(const json_value *object, const char *name, json_value *member,
                      tool_error *error) {
    if (json_member(object, name, member) && member->object)
        return TOOL_OK;
    return json_fail(object, error, TOOL_MALFORMED, "the member \"%s\" is required", name);
}

tool_status json_need_type(const json_value *object, const char *name, json_type type,
                           json_value *member, tool_error *error) {
    tool_status status = json_need(object, name, member, error);
    if (status == TOOL_OK && json_type_of(member) != type)
        status = json_fail_type(member, error, type_words(type));
    return status;
}

tool_status json_to_string(const json_value *value, const char **text, tool_error *error) {
    if (json_type_of(value) != json_type_string)
        return json_fail_type(value, error, "a string");
    *text = json_object_get_string(value->object);
    return TOOL_OK;
}

tool_status json_to_bool(const json_value *value, bool *flag, tool_error *error) {
    if (json_type_of(value) != json_type_boolean)
        return json_fail_type(value, error, "true or false");
    *flag = json_object_get_boolean(value->object);
    return TOOL_OK;
}

tool_status json_to_integer(const json_value *value, const char *type, int64_t minimum,
                            uint64_t maximum, uint64_t *number, tool_error *error) {
    char expected[96];
    snprintf(expected, sizeof expected, "%s: an integer from %" PRId64 " to %" PRIu64, type,
             minimum, maximum);
    if (json_type_of(value) != json_type_int)
        return json_fail_type(value, error, expected);
    size_t length;
    const char *text = json_number_text(value, &length);
    if (number_to_integer(text, length, minimum, maximum, number) != NUMBER_OK)
        return json_fail_type(value, error, expected);
    return TOOL_OK;
}

tool_status json_optional_uint64(const json_value *object, const char *name, uint64_t *number,
                                 tool_error *error) {
    json_value member;
    json_member(object, name, &member);
    return member.object ? json_to_integer(&member, "UINT64", 0, UINT64_MAX, number, error)
                         : TOOL_OK;
}

tool_status json_optional_uint32(const json_value *object, const char *name, uint32_t *number,
                                 tool_error *error) {
    uint64_t wide = *number;
    json_value member;
    json_member(object, name, &member);
    tool_status status = TOOL_OK;
    if (member.object)
        status = json_to_integer(&member, "UINT32", 0, UINT32_MAX, &wide, error);
    *number = (uint32_t)wide;
    return status;
}
