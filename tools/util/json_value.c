/* SPDX-License-Identifier: MIT */
/* Takes values of the tree that json_parse.c makes of a text, and reports errors by place and path.
 */
#include "json_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"

bool json_ok(const json_object *value) {
    return value && json_place_of(value)->document->status == TOOL_OK;
}

json_object *json_optional(const json_object *object, const char *name) {
    json_object *member = json_member(object, name);
    return json_type_of(member) == json_type_null ? NULL : member;
}

json_object *json_need(const json_object *object, const char *name) {
    json_object *member = json_optional(object, name);
    if (!member)
        json_fail(object, TOOL_MALFORMED, "the member \"%s\" is required", name);
    return member;
}

/* Appends to a path that may have run out of room. */
static void append_path(char *path, size_t size, const char *format, ...) {
    size_t used = strlen(path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(path + used, size - used, format, arguments);
    va_end(arguments);
}

static void write_path(const json_place *place, char *path, size_t size) {
    if (!place->parent) {
        path[0] = '\0';
        return;
    }
    write_path(json_place_of(place->parent), path, size);
    if (place->name)
        append_path(path, size, "%s%.95s", path[0] ? "." : "", place->name);
    else
        append_path(path, size, "[%zu]", place->index);
}

tool_status json_fail(const json_object *value, tool_status status, const char *format, ...) {
    char message[512];
    char path[256];
    va_list arguments;
    if (!json_ok(value))
        return value ? json_place_of(value)->document->status : TOOL_MALFORMED;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const json_place *place = json_place_of(value);
    write_path(place, path, sizeof path);
    return json_fail_at(place->document, (size_t)(place->text - place->document->text), status,
                        "%s%s%s", path, path[0] ? ": " : "", message);
}

tool_status json_fail_type(const json_object *value, const char *expected) {
    const json_type type = json_type_of(value);
    const char *quote = type == json_type_string ? "\"" : "";
    const char *found = type == json_type_object  ? "an object"
                        : type == json_type_array ? "an array"
                                                  : json_text(value);
    return json_fail(value, TOOL_MALFORMED, "expected %s, found %s%.47s%s", expected, quote, found,
                     quote);
}

bool json_expect(const json_object *value, json_type type) {
    if (json_type_of(value) != type)
        json_fail_type(value, type == json_type_object  ? "an object"
                              : type == json_type_array ? "an array"
                                                        : "a string");
    return json_ok(value);
}

const char *json_string(const json_object *value) {
    return json_expect(value, json_type_string) ? json_text(value) : "";
}

bool json_flag(const json_object *value) {
    if (json_type_of(value) != json_type_boolean)
        json_fail_type(value, "true or false");
    return json_ok(value) && json_is_true(value);
}

uint64_t json_integer(const json_object *value, const char *type, int64_t minimum,
                      uint64_t maximum) {
    char expected[96];
    uint64_t number = 0;
    const char *text = json_text(value);
    if (!json_ok(value))
        return 0;
    if (json_type_of(value) == json_type_number &&
        number_to_integer(text, strlen(text), minimum, maximum, &number))
        return number;
    snprintf(expected, sizeof expected, "%s: an integer from %" PRId64 " to %" PRIu64, type,
             minimum, maximum);
    json_fail_type(value, expected);
    return 0;
}

int json_choice(const json_object *value, const word_row *words) {
    char list[160];
    int choice = 0;
    const char *word = json_string(value);
    if (json_ok(value) && !word_find(words, word, &choice))
        json_fail(value, TOOL_MALFORMED, "'%.40s' is not one of %s", word,
                  word_list(words, ", ", list, sizeof list));
    return choice;
}

uint64_t json_uint64(const json_object *object, const char *name, uint64_t otherwise) {
    const json_object *member = json_optional(object, name);
    return member ? json_integer(member, "UINT64", 0, UINT64_MAX) : otherwise;
}

uint32_t json_uint32(const json_object *object, const char *name, uint32_t otherwise) {
    const json_object *member = json_optional(object, name);
    return member ? (uint32_t)json_integer(member, "UINT32", 0, UINT32_MAX) : otherwise;
}
