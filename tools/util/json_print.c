/* SPDX-License-Identifier: MIT */
/* json-c's functions with a check behind each: none of them returns where memory is out. */
#include "json_print.h"

#include <errno.h>

#include "memory.h"

static json_object *check_made(json_object *made) {
    if (!made)
        tool_memory_is_out();
    return made;
}

json_object *json_make_object(void) {
    return check_made(json_object_new_object());
}

json_object *json_make_array(void) {
    return check_made(json_object_new_array());
}

json_object *json_make_string(const char *text) {
    return check_made(json_object_new_string(text));
}

json_object *json_make_count(uint64_t count) {
    return check_made(json_object_new_uint64(count));
}

json_object *json_make_flag(bool flag) {
    return check_made(json_object_new_boolean(flag));
}

json_object *json_make_number(double value, const char *text) {
    return check_made(text ? json_object_new_double_s(value, text) : json_object_new_double(value));
}

void json_put_member(json_object *object, const char *name, json_object *value) {
    if (json_object_object_add(object, name, value) != 0)
        tool_memory_is_out();
}

void json_put_element(json_object *array, json_object *value) {
    if (json_object_array_add(array, value) != 0)
        tool_memory_is_out();
}

/* json-c goes on where its buffer cannot grow, and only errno says so. */
const char *json_print(json_object *value, int flags) {
    const int before = errno;
    errno = 0;
    const char *text = json_object_to_json_string_ext(value, flags);
    if (!text || errno == ENOMEM)
        tool_memory_is_out();
    errno = before;
    return text;
}

const char *json_word(json_object *value) {
    return json_object_is_type(value, json_type_string)
               ? json_object_get_string(value)
               : json_print(value, JSON_C_TO_STRING_SPACED);
}

json_object *json_find(json_object *object, const char *name, json_type type) {
    json_object *member;
    const bool there = json_object_is_type(object, json_type_object) &&
                       json_object_object_get_ex(object, name, &member) &&
                       json_object_is_type(member, type);
    return there ? member : NULL;
}

uint64_t json_find_number(json_object *object, const char *name, uint64_t otherwise) {
    json_object *member = json_find(object, name, json_type_int);
    return member ? json_object_get_uint64(member) : otherwise;
}

const char *json_find_text(json_object *object, const char *name) {
    json_object *member;
    const bool there = json_object_is_type(object, json_type_object) &&
                       json_object_object_get_ex(object, name, &member) && member;
    return there ? json_word(member) : "";
}

const char *json_item_text(json_object *array, size_t index) {
    json_object *item = json_object_array_get_idx(array, index);
    return item ? json_word(item) : "";
}
