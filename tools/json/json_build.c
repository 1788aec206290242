/* SPDX-License-Identifier: MIT */
#include "json_build.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json_escape.h"
#include "json_number.h"

/* What may come next. */
typedef enum expectation {
    EXPECT_VALUE,
    EXPECT_ELEMENT, /* or the end of the array */
    EXPECT_NAME,    /* or the end of the object: the comma before it is allowed */
    EXPECT_COLON,
    EXPECT_COMMA, /* or the end of what is open */
    EXPECT_NOTHING
} expectation;

/* For one text after another. */
typedef struct text_room {
    char *text;
    size_t size;
} text_room;

typedef struct builder {
    json_document *document;
    json_numbers numbers;
    tool_error *error;
    json_object *stack[JSON_MAX_DEPTH]; /* what is open, outermost first; owned by the root */
    size_t depth;
    expectation next;
    text_room name; /* of the member whose value comes */
    text_room text; /* of a string or a number */
} builder;

static bool in_object(const builder *b) {
    return b->depth > 0 && json_object_is_type(b->stack[b->depth - 1], json_type_object);
}

static tool_status out_of_memory(const builder *b) {
    return tool_fail(b->error, TOOL_ENVIRONMENT, "%.400s: out of memory", b->document->name);
}

static tool_status fail_order(const builder *b, json_token token) {
    const bool ends = token.kind == JSON_END;
    const char *rule = ends                      ? "the text ends before its value does"
                       : b->next == EXPECT_NAME  ? "a member of an object starts with its name "
                                                   "in double quotes"
                       : b->next == EXPECT_COLON ? "after the name of a member comes :"
                       : b->next != EXPECT_COMMA ? "a value should be here"
                       : in_object(b)            ? "after a member of an object comes , or }"
                                                 : "after an element of an array comes , or ]";
    char found[48];
    json_printable(found, sizeof found, b->document->text + token.offset, ends ? 0 : token.length);
    return json_fail_at(b->document, token.offset, b->error, TOOL_MALFORMED, "%s%s%s%s",
                        ends ? "" : "found ", found, ends ? "" : ": ", rule);
}

/* Room for a token and a terminator; false where there is none. */
static bool make_room(text_room *room, size_t length) {
    if (room->size <= length) {
        char *more = realloc(room->text, 2 * length + 2);
        if (!more)
            return false;
        room->text = more;
        room->size = 2 * length + 2;
    }
    return true;
}

/* What a string means, terminated. */
static bool decode(const builder *b, json_token string, text_room *room, size_t *length) {
    if (!make_room(room, string.length))
        return false;
    *length = json_unescape(b->document->text + string.offset + 1, string.length - 2, room->text);
    room->text[*length] = '\0';
    return true;
}

static json_object *make_string(builder *b, json_token token) {
    size_t length;
    return decode(b, token, &b->text, &length)
               ? json_object_new_string_len(b->text.text, (int)length)
               : NULL;
}

static json_object *make_number(builder *b, json_token token) {
    if (b->numbers == JSON_NUMBERS_AS_PLACES)
        return json_object_new_int64((int64_t)token.offset);
    if (!make_room(&b->text, token.length))
        return NULL;
    memcpy(b->text.text, b->document->text + token.offset, token.length);
    b->text.text[token.length] = '\0';
    return json_number_value(b->text.text);
}

/* *made is NULL for null. False where memory is out. */
static bool make_value(builder *b, json_token token, json_object **made) {
    const char letter = b->document->text[token.offset];
    *made = NULL;
    if (token.kind == JSON_LITERAL && letter == 'n')
        return true;
    if (token.kind == JSON_OPEN_OBJECT)
        *made = json_object_new_object();
    else if (token.kind == JSON_OPEN_ARRAY)
        *made = json_object_new_array();
    else if (token.kind == JSON_LITERAL)
        *made = json_object_new_boolean(letter == 't');
    else if (token.kind == JSON_NUMBER)
        *made = make_number(b, token);
    else
        *made = make_string(b, token);
    return *made != NULL;
}

/* Puts a value where it belongs: json-c takes it over, or has no memory. Names occur once. */
static bool add_value(builder *b, json_object *value) {
    if (b->depth == 0) {
        b->document->root = value;
        return true;
    }
    json_object *parent = b->stack[b->depth - 1];
    const int failed = in_object(b) ? json_object_object_add_ex(parent, b->name.text, value,
                                                                JSON_C_OBJECT_ADD_KEY_IS_NEW)
                                    : json_object_array_add(parent, value);
    if (failed)
        json_object_put(value);
    return !failed;
}

static expectation after_value(const builder *b) {
    return b->depth == 0 ? EXPECT_NOTHING : EXPECT_COMMA;
}

static tool_status take_value(builder *b, json_token token) {
    json_object *value;
    if (!make_value(b, token, &value) || !add_value(b, value))
        return out_of_memory(b);
    if (token.kind == JSON_OPEN_OBJECT || token.kind == JSON_OPEN_ARRAY) {
        b->stack[b->depth++] = value;
        b->next = token.kind == JSON_OPEN_OBJECT ? EXPECT_NAME : EXPECT_ELEMENT;
    } else {
        b->next = after_value(b);
    }
    return TOOL_OK;
}

static tool_status take_name(builder *b, json_token token) {
    size_t length;
    b->next = EXPECT_COLON;
    return decode(b, token, &b->name, &length) ? TOOL_OK : out_of_memory(b);
}

/* Arrays grow by doubling; one that is complete gives back what it does not need. */
static void close_container(builder *b) {
    json_object *closed = b->stack[--b->depth];
    if (json_object_is_type(closed, json_type_array))
        (void)json_object_array_shrink(closed, 0);
    b->next = after_value(b);
}

static bool may_close(const builder *b, json_kind kind) {
    return (kind == JSON_CLOSE_ARRAY && (b->next == EXPECT_ELEMENT || b->next == EXPECT_COMMA)) ||
           (kind == JSON_CLOSE_OBJECT && (b->next == EXPECT_NAME || b->next == EXPECT_COMMA));
}

static bool starts_value(json_kind kind) {
    return json_is_scalar(kind) || kind == JSON_OPEN_OBJECT || kind == JSON_OPEN_ARRAY;
}

static tool_status take_token(builder *b, json_token token) {
    if (may_close(b, token.kind))
        close_container(b);
    else if (b->next == EXPECT_COMMA && token.kind == JSON_COMMA)
        b->next = in_object(b) ? EXPECT_NAME : EXPECT_ELEMENT;
    else if (b->next == EXPECT_COLON && token.kind == JSON_COLON)
        b->next = EXPECT_VALUE;
    else if (b->next == EXPECT_NAME && token.kind == JSON_STRING)
        return take_name(b, token);
    else if ((b->next == EXPECT_VALUE || b->next == EXPECT_ELEMENT) && starts_value(token.kind))
        return take_value(b, token);
    else
        return fail_order(b, token);
    return TOOL_OK;
}

tool_status json_build(json_document *document, json_numbers numbers, tool_error *error) {
    builder b = {.document = document, .numbers = numbers, .error = error, .next = EXPECT_VALUE};
    tool_status status = TOOL_OK;
    size_t position = 0;
    while (status == TOOL_OK && b.next != EXPECT_NOTHING) {
        const json_token token = json_scan(document->text, document->length, position);
        position = token.offset + token.length;
        status = take_token(&b, token);
    }
    if (status != TOOL_OK)
        json_close(document);
    free(b.name.text);
    free(b.text.text);
    return status;
}
