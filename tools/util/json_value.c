/* SPDX-License-Identifier: MIT */
/* Reads the tree that json_parse.c makes of a text, and reports errors in it by place and path. */
#include "json_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

/* A value that is `part`'s. A missing member has its object's place. */
static json_value located(json_value value, json_object *part) {
    if (part)
        value.offset = (size_t)(json_object_get_place(part) - value.document->text);
    else if (value.parent)
        value.offset = value.parent->offset;
    value.object = json_object_is_type(part, json_type_null) ? NULL : part;
    return value;
}

json_value json_root(json_document *document) {
    return located((json_value){.document = document}, document->root);
}

json_type json_type_of(const json_value *value) {
    return json_object_get_type(value->object);
}

json_value json_element(const json_value *array, size_t index) {
    return located((json_value){.document = array->document, .parent = array, .index = index},
                   json_object_array_get_idx(array->object, index));
}

size_t json_length(const json_value *array) {
    return json_type_of(array) == json_type_array ? json_object_array_length(array->object) : 0;
}

bool json_ok(const json_value *value) {
    return value->document->status == TOOL_OK;
}

bool json_member(const json_value *object, const char *name, json_value *member) {
    json_object *part = NULL;
    const bool found = json_object_object_get_ex(object->object, name, &part);
    *member =
        located((json_value){.document = object->document, .parent = object, .name = name}, part);
    return found;
}

bool json_optional(const json_value *object, const char *name, json_value *member) {
    return json_member(object, name, member) && member->object;
}

json_value json_need(const json_value *object, const char *name) {
    json_value member;
    if (!json_optional(object, name, &member))
        json_fail(object, TOOL_MALFORMED, "the member \"%s\" is required", name);
    return member;
}

bool json_member_at(const json_value *object, size_t index, json_value *member) {
    const char *name;
    json_object *part;
    const bool found = json_object_member_at(object->object, index, &name, &part);
    *member =
        located((json_value){.document = object->document, .parent = object, .name = name}, part);
    return found;
}

/* Appends to a path that may have run out of room. */
static void append_path(char *path, size_t size, const char *format, ...) {
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
    if (value->name)
        append_path(path, size, "%s%.95s", path[0] ? "." : "", value->name);
    else
        append_path(path, size, "[%zu]", value->index);
}

tool_status json_fail(const json_value *value, tool_status status, const char *format, ...) {
    json_document *document = value->document;
    char message[512];
    char path[256];
    va_list arguments;
    if (document->status != TOOL_OK)
        return document->status;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    write_path(value, path, sizeof path);
    return json_fail_at(document, value->offset, status, "%s%s%s", path, path[0] ? ": " : "",
                        message);
}

tool_status json_fail_type(const json_value *value, const char *expected) {
    const json_type type = json_type_of(value);
    const char *quote = type == json_type_string ? "\"" : "";
    const char *found = type == json_type_object  ? "an object"
                        : type == json_type_array ? "an array"
                        : type == json_type_null  ? "null"
                                                  : json_object_get_text(value->object);
    return json_fail(value, TOOL_MALFORMED, "expected %s, found %s%.47s%s", expected, quote, found,
                     quote);
}

bool json_expect(const json_value *value, json_type type) {
    if (json_ok(value) && json_type_of(value) != type)
        json_fail_type(value, type == json_type_object  ? "an object"
                              : type == json_type_array ? "an array"
                                                        : "a string");
    return json_ok(value);
}

const char *json_string(json_value value) {
    return json_expect(&value, json_type_string) ? json_object_get_string(value.object) : "";
}

bool json_flag(json_value value) {
    if (json_ok(&value) && json_type_of(&value) != json_type_boolean)
        json_fail_type(&value, "true or false");
    return json_ok(&value) && json_object_get_boolean(value.object);
}

uint64_t json_integer(json_value value, const char *type, int64_t minimum, uint64_t maximum) {
    char expected[96];
    uint64_t number = 0;
    if (!json_ok(&value))
        return 0;
    const char *text = json_object_get_text(value.object);
    if (json_type_of(&value) == json_type_number &&
        number_to_integer(text, strlen(text), minimum, maximum, &number))
        return number;
    snprintf(expected, sizeof expected, "%s: an integer from %" PRId64 " to %" PRIu64, type,
             minimum, maximum);
    json_fail_type(&value, expected);
    return 0;
}

int json_choice(json_value value, const word_row *words) {
    char list[160];
    int choice = 0;
    const char *word = json_string(value);
    if (json_ok(&value) && !word_find(words, word, &choice))
        json_fail(&value, TOOL_MALFORMED, "'%.40s' is not one of %s", word,
                  word_list(words, ", ", list, sizeof list));
    return choice;
}

uint64_t json_uint64(const json_value *object, const char *name, uint64_t otherwise) {
    json_value member;
    return json_optional(object, name, &member) ? json_integer(member, "UINT64", 0, UINT64_MAX)
                                                : otherwise;
}

uint32_t json_uint32(const json_value *object, const char *name, uint32_t otherwise) {
    json_value member;
    return json_optional(object, name, &member)
               ? (uint32_t)json_integer(member, "UINT32", 0, UINT32_MAX)
               : otherwise;
}
