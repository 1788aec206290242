/* SPDX-License-Identifier: MIT */
/*
 * A recursive-descent parser that looks one token ahead.
 *
 * Invariants: every value is added to its container before its own members are read, so that
 * closing the document frees whatever has been built; and each function that fails has written the
 * message.
 */
#include "json_value.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* The longest text: a tree takes some ten times its text. */
#define MAX_TEXT ((size_t)INT_MAX / 12)

/* kind: '"' for a string, '0' for a number, 't', 'f' and 'n' for true, false and null, the
 * character itself for punctuation, and 0 at the end of the text. */
typedef struct token {
    char kind;
    const char *text;
    size_t length;
} token;

/* A text that grows, and is terminated. */
typedef struct text_room {
    char *text;
    size_t length;
    size_t size;
} text_room;

typedef struct parser {
    json_document *document;
    const char *at;   /* the first byte after `next` */
    const char *end;  /* of the text */
    token next;       /* not used up yet */
    text_room string; /* the meaning of `next`, where it is a string */
    text_room name;   /* of the member whose value is next */
    char close;       /* } or ]: what closes the innermost container; 0 outside of all */
    int depth;
} parser;

/* Lines end with a line feed; columns count characters from 1. */
static void find_line(const json_document *document, size_t offset, uint64_t *line,
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

tool_status json_fail_at(json_document *document, size_t offset, tool_status status,
                         const char *format, ...) {
    char message[600];
    char shown[600];
    uint64_t line;
    uint64_t column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    find_line(document, offset, &line, &column);
    document->status = status;
    return tool_fail(document->error, status, "%.400s:%" PRIu64 ":%" PRIu64 ": %s", document->name,
                     line, column, text_printable(shown, sizeof shown, message, strlen(message)));
}

static tool_status fail(const parser *p, const char *at, const char *rule) {
    return json_fail_at(p->document, (size_t)(at - p->document->text), TOOL_MALFORMED, "%s", rule);
}

static void append_bytes(text_room *room, const char *bytes, size_t count) {
    if (room->length + count >= room->size) {
        room->size = 2 * (room->length + count) + 64;
        room->text = tool_realloc(room->text, room->size, 1);
    }
    memcpy(room->text + room->length, bytes, count);
    room->length += count;
    room->text[room->length] = '\0';
}

/* Tokens. */

/* After the comment at text, or NULL if it has no end. */
static const char *skip_comment(const char *text, const char *end) {
    if (text[1] == '/') {
        const char *line_feed = memchr(text, '\n', (size_t)(end - text));
        return line_feed ? line_feed : end;
    }
    for (text += 2; end - text >= 2; text++)
        if (text[0] == '*' && text[1] == '/')
            return text + 2;
    return NULL;
}

static tool_status skip_space(parser *p) {
    while (p->at < p->end) {
        const char c = *p->at;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            p->at++;
        } else if (c == '/' && p->end - p->at >= 2 && (p->at[1] == '/' || p->at[1] == '*')) {
            const char *behind = skip_comment(p->at, p->end);
            if (!behind)
                return fail(p, p->at, "a comment has no end");
            p->at = behind;
        } else {
            break;
        }
    }
    return TOOL_OK;
}

/* The UTF-16 unit of \uXXXX at text, or -1. */
static int32_t read_unit(const char *text, const char *end) {
    char digits[5] = "";
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u')
        return -1;
    memcpy(digits, text + 2, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int32_t)strtol(digits, NULL, 16) : -1;
}

/* The high unit of a surrogate pair comes first (RFC 8259, section 7). */
static bool is_surrogate(int32_t unit, int32_t first) {
    return unit >= first && unit < first + 0x400;
}

/* Goes past the escape at p->at, a surrogate pair being one escape. */
static tool_status read_escape(parser *p, uint32_t *code) {
    static const char letters[] = "\"\\/bfnrt";
    static const char meaning[] = "\"\\/\b\f\n\r\t";
    const char *letter = p->end - p->at >= 2 ? memchr(letters, p->at[1], sizeof letters - 1) : NULL;
    if (letter) {
        *code = (unsigned char)meaning[letter - letters];
        p->at += 2;
        return TOOL_OK;
    }
    const int32_t unit = read_unit(p->at, p->end);
    if (unit < 0)
        return fail(p, p->at, "not an escape as JSON writes it");
    if (unit == 0) /* texts end there */
        return fail(p, p->at, "\\u0000 is not allowed");
    const int32_t low = is_surrogate(unit, 0xD800) ? read_unit(p->at + 6, p->end) : -1;
    const bool pair = is_surrogate(low, 0xDC00);
    if (!pair && (is_surrogate(unit, 0xD800) || is_surrogate(unit, 0xDC00)))
        return fail(p, p->at, "half of a surrogate pair is not a character");
    *code = (uint32_t)(pair ? 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00) : unit);
    p->at += pair ? 12 : 6;
    return TOOL_OK;
}

static size_t encode_utf8(uint32_t code, char bytes[4]) {
    if (code < 0x80) {
        bytes[0] = (char)code;
        return 1;
    }
    const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        bytes[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    bytes[0] = (char)((0xF00U >> length) | code); /* 110..., 1110..., 11110... */
    return length;
}

/* One character of a string, as it is or escaped, moved to p->string. */
static tool_status read_character(parser *p) {
    char bytes[4];
    const char *character = p->at;
    size_t length;
    if ((unsigned char)*p->at < 0x20)
        return fail(p, p->at, "a control character in a string must be escaped");
    if (*p->at == '\\') {
        uint32_t code = 0;
        const tool_status status = read_escape(p, &code);
        if (status != TOOL_OK)
            return status;
        character = bytes;
        length = encode_utf8(code, bytes);
    } else {
        length = text_utf8_length(p->at, (size_t)(p->end - p->at));
        if (length == 0)
            return fail(p, p->at, "a string must be well-formed UTF-8");
        p->at += length;
    }
    append_bytes(&p->string, character, length);
    return TOOL_OK;
}

static tool_status read_string(parser *p) {
    const char *start = p->at++;
    p->string.length = 0;
    tool_status status = TOOL_OK;
    append_bytes(&p->string, "", 0);
    while (status == TOOL_OK && p->at < p->end && *p->at != '"')
        status = read_character(p);
    if (status == TOOL_OK && p->at == p->end)
        return fail(p, start, "a string has no end");
    p->at++;
    return status;
}

static const char *skip_digits(const char *text, const char *end) {
    while (text < end && *text >= '0' && *text <= '9')
        text++;
    return text;
}

/* number = [ "-" ] ( "0" / digit1-9 *digit ) [ "." 1*digit ] [ ( "e" / "E" ) [ sign ] 1*digit ] */
static bool is_number(const char *text, const char *end) {
    text += *text == '-';
    const char *digits = skip_digits(text, end);
    if (digits == text || (*text == '0' && digits > text + 1))
        return false;
    if (digits < end && *digits == '.') {
        text = digits + 1;
        digits = skip_digits(text, end);
        if (digits == text)
            return false;
    }
    if (digits < end && (*digits == 'e' || *digits == 'E')) {
        text = digits + 1;
        text += text < end && (*text == '+' || *text == '-');
        digits = skip_digits(text, end);
        if (digits == text)
            return false;
    }
    return digits == end;
}

static bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

/* A number or a literal: everything up to the next separator must be one. */
static tool_status read_word(parser *p, char *kind) {
    static const char *const literals[] = {"true", "false", "null"};
    const char *start = p->at;
    while (p->at < p->end && is_word_character(*p->at))
        p->at++;
    const size_t length = (size_t)(p->at - start);
    *kind = '0';
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++)
        if (strlen(literals[i]) == length && !memcmp(start, literals[i], length))
            *kind = literals[i][0];
    if (length == 0)
        return fail(p, start,
                    *start ? "no JSON value starts with this character"
                           : "a NUL byte is not allowed");
    return *kind != '0' || is_number(start, p->at)
               ? TOOL_OK
               : fail(p, start, "not a number as JSON writes it, nor true, false or null");
}

/* Makes the token after p->next the next one. */
static tool_status advance(parser *p) {
    tool_status status = skip_space(p);
    p->next = (token){.text = p->at};
    if (status != TOOL_OK || p->at == p->end)
        return status;
    p->next.kind = *p->at;
    if (*p->at == '"')
        status = read_string(p);
    else if (memchr("{}[],:", *p->at, 6))
        p->at++;
    else
        status = read_word(p, &p->next.kind);
    p->next.length = (size_t)(p->at - p->next.text);
    return status;
}

/* Nothing is wrong with the token but that it is here. */
static tool_status fail_order(const parser *p, const char *rule) {
    if (p->next.kind == '\0')
        return fail(p, p->next.text, "the text ends before its value does");
    if ((p->next.kind == '}' || p->next.kind == ']') && p->next.kind != p->close)
        rule = ", which closes nothing that is open here";
    return json_fail_at(p->document, (size_t)(p->next.text - p->document->text), TOOL_MALFORMED,
                        "found %.*s%s%s", (int)(p->next.length < 47 ? p->next.length : 47),
                        p->next.text, *rule == ',' ? "" : ": ", rule);
}

/* Values. */

static json_object *make_value(const parser *p) {
    const token *t = &p->next;
    switch (t->kind) {
    case '{':
        return json_make_object();
    case '[':
        return json_make_array();
    case '"':
        return json_make_value(json_type_string, p->string.text, p->string.length);
    default:
        return json_make_value(t->kind == '0'   ? json_type_number
                               : t->kind == 'n' ? json_type_null
                                                : json_type_boolean,
                               t->text, t->length);
    }
}

/* The parent, NULL for the root, takes the value over. Members have the name p->name. */
static void add_value(parser *p, json_object *parent, json_object *value) {
    json_place place = {.document = p->document,
                        .parent = parent,
                        .index = json_length(parent),
                        .text = p->next.text};
    json_object *same;
    if (!parent)
        p->document->root = value;
    else if (p->close == '}')
        json_put_member(parent, p->name.text, value);
    else
        json_put_element(parent, value);
    json_member_at(parent, place.index, &place.name, &same);
    json_set_place(value, &place);
}

static tool_status read_members(parser *p, json_object *container);

/* Reads the value that starts with the next token, and makes the token after it the next. */
static tool_status read_value(parser *p, json_object *parent) {
    if (!p->next.kind || strchr("}],:", p->next.kind))
        return fail_order(p, "a value should be here");
    json_object *value = make_value(p);
    add_value(p, parent, value);
    return p->next.kind == '{' || p->next.kind == '[' ? read_members(p, value) : advance(p);
}

static tool_status read_member(parser *p, json_object *object) {
    const token name = p->next;
    const text_room meaning = p->string;
    if (name.kind != '"')
        return fail_order(p, "a member of an object starts with its name in double quotes");
    if (json_member(object, meaning.text))
        return json_fail_at(p->document, (size_t)(name.text - p->document->text), TOOL_MALFORMED,
                            "an object has two members named %.*s: a name may occur once",
                            (int)(name.length < 96 ? name.length : 96), name.text);
    p->string = p->name; /* for the tokens that follow */
    p->name = meaning;
    tool_status status = advance(p);
    if (status == TOOL_OK && p->next.kind != ':')
        status = fail_order(p, "after the name of a member comes :");
    if (status == TOOL_OK)
        status = advance(p);
    return status == TOOL_OK ? read_value(p, object) : status;
}

/* The members of an object or the elements of an array, which starts with the next token. */
static tool_status read_members(parser *p, json_object *container) {
    const char outer = p->close;
    const bool object = p->next.kind == '{';
    if (p->depth == JSON_MAX_DEPTH)
        return json_fail_at(p->document, (size_t)(p->next.text - p->document->text), TOOL_MALFORMED,
                            "objects and arrays are nested more than %d deep", JSON_MAX_DEPTH);
    p->depth++;
    p->close = object ? '}' : ']';
    tool_status status = advance(p);
    while (status == TOOL_OK && p->next.kind != p->close) {
        status = object ? read_member(p, container) : read_value(p, container);
        if (status == TOOL_OK && p->next.kind == ',')
            status = advance(p); /* a comma may also come before the end */
        else if (status == TOOL_OK && p->next.kind != p->close)
            status = fail_order(p, object ? "after a member of an object comes , or }"
                                          : "after an element of an array comes , or ]");
    }
    p->depth--;
    p->close = outer;
    return status == TOOL_OK ? advance(p) : status;
}

static tool_status read_text(parser *p) {
    tool_status status = advance(p);
    if (status == TOOL_OK)
        status = read_value(p, NULL);
    if (status == TOOL_OK && p->next.kind)
        status = fail(p, p->next.text, "something follows the end of the value: only comments may");
    return status;
}

static tool_status open_text(json_document *document) {
    if (document->length > MAX_TEXT) {
        return document->status = tool_fail(
                   document->error, TOOL_MALFORMED,
                   "%.400s: a text of %zu bytes is too long: at most %zu; keep large data in "
                   ".npy files",
                   document->name, document->length, MAX_TEXT);
    }
    if (document->length >= 3 && memcmp(document->text, "\xEF\xBB\xBF", 3) == 0) {
        document->text += 3; /* a byte order mark says nothing in UTF-8 */
        document->length -= 3;
    }
    parser p = {
        .document = document, .at = document->text, .end = document->text + document->length};
    document->status = read_text(&p);
    if (document->status != TOOL_OK)
        json_free(document);
    free(p.string.text);
    free(p.name.text);
    return document->status;
}

tool_status json_parse(json_document *document, const char *text, size_t length, const char *name,
                       uint64_t first_line, tool_error *error) {
    *document = (json_document){text, length, name, first_line, NULL, TOOL_OK, error};
    return open_text(document);
}

json_object *json_read(const char *text, size_t length) {
    json_document document = {text, length, "", 1, NULL, TOOL_OK, NULL};
    (void)open_text(&document);
    return document.root;
}

void json_free(json_document *document) {
    json_object_put(document->root);
    document->root = NULL;
}
