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
    json_place place;     /* if it was read */
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

void json_put_text(json_object *array, char *text) {
    append_value(array, json_make_string(text));
    free(text);
}

static size_t place_of_name(const json_object *object, const char *name) {
    return json_type_of(object) == json_type_object ? name_set_find(&object->names, name)
                                                    : SIZE_MAX;
}

void json_put_member(json_object *object, const char *name, json_object *value) {
    if (name_set_add(&object->names, name)) {
        append_value(object, value);
    } else {
        const size_t place = place_of_name(object, name);
        json_object_put(object->values[place]);
        object->values[place] = value;
    }
}

json_type json_type_of(const json_object *value) {
    return value ? value->type : json_type_null;
}

const char *json_text(const json_object *value) {
    return value ? value->text : "";
}

bool json_is_true(const json_object *value) {
    return json_type_of(value) == json_type_boolean && value->text[0] == 't';
}

size_t json_length(const json_object *container) {
    return container ? container->count : 0;
}

json_object *json_element(const json_object *container, size_t index) {
    return index < json_length(container) ? container->values[index] : NULL;
}

json_object *json_member(const json_object *object, const char *name) {
    return json_element(object, place_of_name(object, name));
}

bool json_member_at(const json_object *object, size_t index, const char **name,
                    json_object **value) {
    const bool there = json_type_of(object) == json_type_object && index < object->count;
    *name = there ? object->names.names[index] : NULL;
    *value = there ? object->values[index] : NULL;
    return there;
}

void json_set_place(json_object *value, const json_place *place) {
    value->place = *place;
}

const json_place *json_place_of(const json_object *value) {
    return &value->place;
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
    const bool object = json_type_of(value) == json_type_object;
    if (json_type_of(value) == json_type_string) {
        put_quoted(out, value->text);
    } else if (!object && json_type_of(value) != json_type_array) {
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
    return json_type_of(value) == json_type_string ? value->text : json_print(value);
}

json_object *json_find(json_object *object, const char *name, json_type type) {
    json_object *member = json_member(object, name);
    return json_type_of(member) == type ? member : NULL;
}

uint64_t json_find_number(json_object *object, const char *name, uint64_t otherwise) {
    const char *digits = json_text(json_find(object, name, json_type_number));
    uint64_t count;
    return number_to_integer(digits, strlen(digits), 0, UINT64_MAX, &count) ? count : otherwise;
}

/* "" for null. */
static const char *text_or_none(json_object *value) {
    return json_type_of(value) == json_type_null ? "" : json_word(value);
}

const char *json_find_text(json_object *object, const char *name) {
    return text_or_none(json_member(object, name));
}

const char *json_item_text(json_object *array, size_t index) {
    return text_or_none(json_element(array, index));
}

void json_show_list(FILE *out, json_object *array, const char *before, const char *between) {
    for (size_t i = 0; i < json_length(array); i++)
        fprintf(out, "%s%s", i ? between : before, json_item_text(array, i));
}

char *json_list_text(json_object *array, const char *between) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    json_show_list(buffer.stream, array, "", between);
    return text_buffer_close(&buffer);
}
