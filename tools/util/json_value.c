/* SPDX-License-Identifier: MIT */
/* Reads the tree that json_parse.c makes of a text, and reports errors in it by place and path. */
#include "json_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "text.h"

/* A value that is `part`'s; the tree has a double for null. A missing member has its object's
 * place. */
static json_value located(json_value value, json_object *part) {
    if (part)
        value.offset =
            (size_t)((const char *)json_object_get_userdata(part) - value.document->text);
    else if (value.parent)
        value.offset = value.parent->offset;
    value.object = json_object_is_type(part, json_type_double) ? NULL : part;
    return value;
}

json_value json_root(const json_document *document) {
    return located((json_value){.document = document}, document->root);
}

bool json_member(const json_value *object, const char *name, json_value *member) {
    json_object *part = NULL;
    const bool found = json_object_object_get_ex(object->object, name, &part);
    *member =
        located((json_value){.document = object->document, .parent = object, .name = name}, part);
    return found;
}

json_value json_element(const json_value *array, size_t index) {
    return located((json_value){.document = array->document, .parent = array, .index = index},
                   json_object_array_get_idx(array->object, index));
}

json_type json_type_of(const json_value *value) {
    return json_object_get_type(value->object);
}

json_members json_members_of(const json_value *object) {
    return (json_members){object, json_object_iter_begin(object->object),
                          json_object_iter_end(object->object)};
}

bool json_next_member(json_members *members, json_value *member) {
    const json_value *object = members->object;
    if (json_object_iter_equal(&members->next, &members->end))
        return false;
    *member = located((json_value){.document = object->document,
                                   .parent = object,
                                   .name = json_object_iter_peek_name(&members->next)},
                      json_object_iter_peek_value(&members->next));
    json_object_iter_next(&members->next);
    return true;
}

void json_attach(const json_value *value, void *attached) {
    json_object_set_userdata(value->object, attached, NULL);
}

bool json_attached(const json_value *object, const char *name, void **attached) {
    json_object *part;
    if (!json_object_object_get_ex(object->object, name, &part))
        return false;
    *attached = json_object_get_userdata(part);
    return true;
}

const char *json_number_text(const json_value *number, size_t *length) {
    *length = (size_t)json_object_get_int64(number->object);
    return number->document->text + number->offset;
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
    return json_fail_at(value->document, value->offset, error, status, "%s%s%s", path,
                        path[0] ? ": " : "", message);
}

tool_status json_fail_memory(const json_value *value, tool_error *error) {
    return json_fail(value, error, TOOL_ENVIRONMENT, "out of memory");
}

tool_status json_fail_type(const json_value *value, tool_error *error, const char *expected) {
    const json_document *document = value->document;
    const json_type type = json_type_of(value);
    char found[48];
    if (type == json_type_object || type == json_type_array)
        strcpy(found, type == json_type_object ? "an object" : "an array");
    else
        text_printable(found, sizeof found, document->text + value->offset,
                       json_scalar_length(document, value->offset));
    return json_fail(value, error, TOOL_MALFORMED, "expected %s, found %s", expected, found);
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
    if (!number_to_integer(text, length, minimum, maximum, number))
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
