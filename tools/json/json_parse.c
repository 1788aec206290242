/* SPDX-License-Identifier: MIT */
#include "json_parse.h"
#include "text.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_scan.h"
#include "memory.h"
#include "number.h"

struct json_object;

/* A number of json-c for a number as JSON writes it: an integer where 64 bits hold it, else a
 * double that prints as it is written here. NULL where memory is out. */
struct json_object *json_number_value(const char *text);

/* Checks what json-c does not: that every token is good, that no object has two members of one name
 * (json-c and RapidJSON each keep one of them silently, but not the same), that nothing follows the
 * value, that brackets pair, and that they are not nested deeper than JSON_MAX_DEPTH. */
tool_status json_check_names(const json_document *document, tool_error *error);

/*
 * The tree of a text. json-c holds it, but does not read it: where its parser finds no memory it
 * leaves out a member or a part of a string and says nothing.
 */

/* What a number becomes. */
typedef enum json_numbers {
    JSON_NUMBERS_AS_PLACES, /* its offset in the text */
    JSON_NUMBERS_AS_VALUES  /* an integer of 64 bits where it is one, else a double that prints as
                               the text has it */
} json_numbers;

/* Makes document->root. The text must consist of good tokens that close what they open
 * (json_check_names saw to it). TOOL_MALFORMED where their order is wrong, TOOL_ENVIRONMENT where
 * memory is out. */
tool_status json_build(json_document *document, json_numbers numbers, tool_error *error);

json_object *json_number_value(const char *text) {
    uint64_t bits;
    if (number_to_integer(text, strlen(text), INT64_MIN, UINT64_MAX, &bits) != NUMBER_OK)
        return json_object_new_double_s(strtod(text, NULL), text);
    return text[0] == '-' || bits <= INT64_MAX ? json_object_new_int64((int64_t)bits)
                                               : json_object_new_uint64(bits);
}

/* A member name without its quotes. */
typedef struct member_name {
    const char *text;
    size_t length;
} member_name;

typedef struct container {
    json_kind open; /* JSON_OPEN_OBJECT or JSON_OPEN_ARRAY */
    size_t first_name;
} container;

/* The names of the objects that are open, outermost first. */
typedef struct checker {
    const json_document *document;
    tool_error *error;
    container stack[JSON_MAX_DEPTH];
    size_t depth;
    member_name *names;
    size_t count;
    size_t capacity;
    bool done; /* the value is complete */
} checker;

static int compare_meaning(const member_name *a, const member_name *b) {
    return json_compare_strings(a->text, a->length, b->text, b->length);
}

/* Equal names in the order of the text, so that the later one is the one reported. */
static int compare_names(const void *a, const void *b) {
    const member_name *x = a;
    const member_name *y = b;
    int order = compare_meaning(x, y);
    return order ? order : (x->text > y->text) - (x->text < y->text);
}

static tool_status add_name(checker *c, json_token string) {
    if (c->count == c->capacity) {
        size_t capacity = c->capacity ? 2 * c->capacity : 64;
        member_name *names = realloc(c->names, capacity * sizeof *names);
        if (!names) {
            return tool_fail(c->error, TOOL_ENVIRONMENT, "%.400s: out of memory",
                             c->document->name);
        }
        c->names = names;
        c->capacity = capacity;
    }
    c->names[c->count++] = (member_name){c->document->text + string.offset + 1, string.length - 2};
    return TOOL_OK;
}

static tool_status close_object(checker *c) {
    size_t first = c->stack[c->depth].first_name;
    if (c->count - first > 1)
        qsort(c->names + first, c->count - first, sizeof *c->names, compare_names);
    for (size_t i = first + 1; i < c->count; i++) {
        const member_name *later = &c->names[i];
        if (compare_meaning(later - 1, later) == 0) {
            char shown[96];
            return json_fail_at(c->document, (size_t)(later->text - 1 - c->document->text),
                                c->error, TOOL_MALFORMED,
                                "an object has two members named \"%s\": a name may occur once",
                                text_printable(shown, sizeof shown, later->text, later->length));
        }
    }
    c->count = first;
    return TOOL_OK;
}

static tool_status open_container(checker *c, json_token token) {
    if (c->depth == JSON_MAX_DEPTH) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "objects and arrays are nested more than %d deep", JSON_MAX_DEPTH);
    }
    c->stack[c->depth++] = (container){token.kind, c->count};
    return TOOL_OK;
}

static tool_status check_close(checker *c, json_token token) {
    json_kind open = token.kind == JSON_CLOSE_OBJECT ? JSON_OPEN_OBJECT : JSON_OPEN_ARRAY;
    if (c->depth == 0 || c->stack[c->depth - 1].open != open) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "found %s, which closes nothing that is open here",
                            open == JSON_OPEN_OBJECT ? "}" : "]");
    }
    c->depth--;
    return open == JSON_OPEN_OBJECT ? close_object(c) : TOOL_OK;
}

static tool_status check_token(checker *c, json_token token, json_token previous) {
    tool_status status = TOOL_OK;
    if (token.kind == JSON_BAD) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED, "%s",
                            token.problem);
    }
    if (c->done) {
        return json_fail_at(c->document, token.offset, c->error, TOOL_MALFORMED,
                            "something follows the end of the value: only comments may");
    }
    if (token.kind == JSON_OPEN_OBJECT || token.kind == JSON_OPEN_ARRAY)
        status = open_container(c, token);
    else if (token.kind == JSON_CLOSE_OBJECT || token.kind == JSON_CLOSE_ARRAY)
        status = check_close(c, token);
    else if (token.kind == JSON_COLON && previous.kind == JSON_STRING)
        status = add_name(c, previous);
    c->done = c->depth == 0 && token.kind != JSON_COLON && token.kind != JSON_COMMA;
    return status;
}

tool_status json_check_names(const json_document *document, tool_error *error) {
    checker c = {.document = document, .error = error};
    json_token previous = {JSON_END, 0, 0, NULL};
    json_token token = json_scan(document->text, document->length, 0);
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && token.kind != JSON_END) {
        status = check_token(&c, token, previous);
        previous = token;
        token = json_scan(document->text, document->length, token.offset + token.length);
    }
    free(c.names);
    return status;
}

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
    text_printable(found, sizeof found, b->document->text + token.offset, ends ? 0 : token.length);
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

/* Lines end with a line feed; columns count characters from 1. */
static void find_place(const json_document *document, size_t offset, uint64_t *line,
                       uint64_t *column) {
    *line = document->first_line;
    *column = 1;
    for (size_t i = 0; i < offset && i < document->length; i++) {
        unsigned char c = (unsigned char)document->text[i];
        if (c == '\n') {
            ++*line;
            *column = 1;
        } else if ((c & 0xC0) != 0x80) { /* not the inside of a UTF-8 sequence */
            ++*column;
        }
    }
}

tool_status json_fail_at(const json_document *document, size_t offset, tool_error *error,
                         tool_status status, const char *format, ...) {
    char message[600];
    char shown[600];
    uint64_t line;
    uint64_t column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    find_place(document, offset, &line, &column);
    return tool_fail(error, status, "%.400s:%" PRIu64 ":%" PRIu64 ": %s", document->name, line,
                     column, text_printable(shown, sizeof shown, message, strlen(message)));
}

/* The longest text: json-c counts in int, and a tree takes some ten times its text. */
#define MAX_TEXT ((size_t)INT_MAX / 12)

static tool_status open_text(json_document *document, json_numbers numbers, tool_error *error) {
    if (document->length > MAX_TEXT) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: a text of %zu bytes is too long: at most %zu; keep large data in "
                         ".npy files",
                         document->name, document->length, MAX_TEXT);
    }
    const char *text = document->text;
    if (document->length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        document->text += 3; /* a byte order mark says nothing in UTF-8 */
        document->length -= 3;
    }
    tool_status status = json_check_names(document, error);
    return status == TOOL_OK ? json_build(document, numbers, error) : status;
}

tool_status json_open(json_document *document, const char *text, size_t length, const char *name,
                      uint64_t first_line, tool_error *error) {
    *document = (json_document){text, length, name, first_line, NULL};
    return open_text(document, JSON_NUMBERS_AS_PLACES, error);
}

struct json_object *json_read(const char *text, size_t length) {
    json_document document = {text, length, "", 1, NULL};
    if (open_text(&document, JSON_NUMBERS_AS_VALUES, NULL) == TOOL_ENVIRONMENT)
        tool_memory_is_out();
    return document.root;
}

void json_close(json_document *document) {
    json_object_put(document->root);
    document->root = NULL;
}
