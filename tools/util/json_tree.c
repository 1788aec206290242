/* SPDX-License-Identifier: MIT */
/* Trees of JSON values, and their text. */
#include "json_tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "name_set.h"
#include "number.h"
#include "text.h"

struct json_object {
    json_type type;
    uint32_t owners;
    const char *place;    /* in the text that it was read from */
    char *printed;        /* by json_print */
    name_set names;       /* of an object */
    json_object **values; /* of an object or an array */
    size_t count;
    char text[]; /* a string; a number or a word as JSON writes it */
};

json_object *json_make_value(json_type type, const char *text, size_t length) {
    json_object *value = tool_calloc(1, sizeof *value + length + 1);
    value->type = type;
    value->owners = 1;
    memcpy(value->text, text, length);
    return value;
}

json_object *json_make_object(void) {
    return json_make_value(json_type_object, "", 0);
}

json_object *json_make_array(void) {
    return json_make_value(json_type_array, "", 0);
}

json_object *json_make_string(const char *text) {
    char *clean = text_utf8(text, 0);
    json_object *value = json_make_value(json_type_string, clean, strlen(clean));
    free(clean);
    return value;
}

json_object *json_make_number(const char *digits) {
    return json_make_value(json_type_number, digits, strlen(digits));
}

json_object *json_make_flag(bool flag) {
    return json_make_value(json_type_boolean, flag ? "true" : "false", flag ? 4 : 5);
}

json_object *json_make_count(uint64_t count) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, count);
    return json_make_number(digits);
}

json_object *json_object_get(json_object *value) {
    if (value)
        value->owners++;
    return value;
}

void json_object_put(json_object *value) {
    if (!value || --value->owners > 0)
        return;
    for (size_t i = 0; i < value->count; i++)
        json_object_put(value->values[i]);
    name_set_free(&value->names);
    free(value->values);
    free(value->printed);
    free(value);
}

static void append_value(json_object *container, json_object *value) {
    container->values = tool_grow(container->values, container->count, sizeof(void *));
    container->values[container->count++] = value;
}

void json_put_element(json_object *array, json_object *value) {
    append_value(array, value);
}

void json_put_member(json_object *object, const char *name, json_object *value) {
    if (name_set_add(&object->names, name)) {
        append_value(object, value);
    } else {
        const size_t place = name_set_find(&object->names, name);
        json_object_put(object->values[place]);
        object->values[place] = value;
    }
}

/* Later members move up, so the names are put into a new set. */
void json_object_object_del(json_object *object, const char *name) {
    const size_t place = name_set_find(&object->names, name);
    name_set left = {0};
    if (place == SIZE_MAX)
        return;
    for (size_t i = 0; i < object->count; i++)
        if (i != place)
            name_set_add(&left, object->names.names[i]);
    name_set_free(&object->names);
    object->names = left;
    json_object_put(object->values[place]);
    object->count--;
    memmove(object->values + place, object->values + place + 1,
            (object->count - place) * sizeof(void *));
}

json_type json_object_get_type(const json_object *value) {
    return value ? value->type : json_type_null;
}

bool json_object_is_type(const json_object *value, json_type type) {
    return json_object_get_type(value) == type;
}

bool json_object_get_boolean(const json_object *value) {
    return json_object_is_type(value, json_type_boolean) && value->text[0] == 't';
}

static bool is_count(const json_object *value, uint64_t *count) {
    return json_object_is_type(value, json_type_number) &&
           number_to_integer(value->text, strlen(value->text), 0, UINT64_MAX, count);
}

uint64_t json_object_get_uint64(const json_object *value) {
    uint64_t count;
    return is_count(value, &count) ? count : 0;
}

const char *json_object_get_text(const json_object *value) {
    return value ? value->text : "";
}

const char *json_object_get_string(const json_object *value) {
    return json_object_is_type(value, json_type_string) ? value->text : "";
}

size_t json_object_array_length(const json_object *array) {
    return json_object_is_type(array, json_type_array) ? array->count : 0;
}

json_object *json_object_array_get_idx(const json_object *array, size_t index) {
    return index < json_object_array_length(array) ? array->values[index] : NULL;
}

size_t json_object_object_length(const json_object *object) {
    return json_object_is_type(object, json_type_object) ? object->count : 0;
}

bool json_object_member_at(const json_object *object, size_t index, const char **name,
                           json_object **value) {
    const bool there = index < json_object_object_length(object);
    *name = there ? object->names.names[index] : NULL;
    *value = there ? object->values[index] : NULL;
    return there;
}

size_t json_object_find(const json_object *object, const char *name) {
    return json_object_is_type(object, json_type_object) ? name_set_find(&object->names, name)
                                                         : SIZE_MAX;
}

bool json_object_object_get_ex(const json_object *object, const char *name, json_object **value) {
    const size_t place = json_object_find(object, name);
    if (value)
        *value = place != SIZE_MAX ? object->values[place] : NULL;
    return place != SIZE_MAX;
}

void json_object_set_place(json_object *value, const char *place) {
    value->place = place;
}

const char *json_object_get_place(const json_object *value) {
    return value->place;
}

static void put_quoted(FILE *out, const char *text) {
    static const char characters[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    putc('"', out);
    for (; *text; text++) {
        const char *found = strchr(characters, *text);
        if (found)
            fprintf(out, "\\%c", letters[found - characters]);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            putc(*text, out);
    }
    putc('"', out);
}

static void put_value(FILE *out, const json_object *value) {
    const bool object = json_object_is_type(value, json_type_object);
    if (json_object_is_type(value, json_type_string)) {
        put_quoted(out, value->text);
    } else if (!object && !json_object_is_type(value, json_type_array)) {
        fputs(value ? value->text : "null", out);
    } else {
        putc(object ? '{' : '[', out);
        for (size_t i = 0; i < value->count; i++) {
            fputs(i ? "," : "", out);
            if (object) {
                put_quoted(out, value->names.names[i]);
                putc(':', out);
            }
            put_value(out, value->values[i]);
        }
        putc(object ? '}' : ']', out);
    }
}

/* Anew each time: what is in a container may have changed. */
const char *json_print(json_object *value) {
    text_buffer buffer;
    if (!value)
        return "null";
    text_buffer_open(&buffer);
    put_value(buffer.stream, value);
    free(value->printed);
    value->printed = text_buffer_close(&buffer);
    return value->printed;
}

const char *json_word(json_object *value) {
    return json_object_is_type(value, json_type_string) ? value->text : json_print(value);
}

json_object *json_find(json_object *object, const char *name, json_type type) {
    json_object *member;
    return json_object_object_get_ex(object, name, &member) && json_object_is_type(member, type)
               ? member
               : NULL;
}

uint64_t json_find_number(json_object *object, const char *name, uint64_t otherwise) {
    json_object *member;
    uint64_t count;
    return json_object_object_get_ex(object, name, &member) && is_count(member, &count) ? count
                                                                                        : otherwise;
}

/* "" for null. */
static const char *text_or_none(json_object *value) {
    return json_object_is_type(value, json_type_null) ? "" : json_word(value);
}

const char *json_find_text(json_object *object, const char *name) {
    json_object *member;
    return json_object_object_get_ex(object, name, &member) ? text_or_none(member) : "";
}

const char *json_item_text(json_object *array, size_t index) {
    return text_or_none(json_object_array_get_idx(array, index));
}
