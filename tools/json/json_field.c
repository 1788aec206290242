/* SPDX-License-Identifier: MIT */
#include "json_field.h"

#include <inttypes.h>
#include <stdio.h>

#include "number_integer.h"

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
