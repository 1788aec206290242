/* SPDX-License-Identifier: MIT */
/* The JSON parser: exact numbers, places of values, and limits. tests/reject has malformed texts,
 * and how others are printed again. */
#include <stddef.h>
#include <string.h>

#include "check.h"
#include "json_tree.h"
#include "json_value.h"
#include "text.h"

static json_document document;
static tool_error error;

static json_object *open_text(const char *text) {
    error.message[0] = '\0';
    tool_status status = json_parse(&document, text, strlen(text), "t.json", 1, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    return document.root;
}

/* The exact digits survive whatever a double or 64 bits would do to them. */
static void numbers_are_exact(void) {
    static const char *const numbers[] = {
        "18446744073709551616", "-0", "-0.0", "1e400", "1.5E+3", "0.1000000000000000055",
        "-9223372036854775809", "0",  "12"};
    const json_object *root = open_text("[18446744073709551616, -0, -0.0,1e400,\n 1.5E+3 ,"
                                        "0.1000000000000000055,-9223372036854775809/* */,0,12]");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const json_object *element = json_element(root, i);
        assert_int_equal(json_type_of(element), json_type_number);
        assert_string_equal(json_text(element), numbers[i]);
    }
    json_free(&document);
}

/* Where a value starts, in a text with everything that could distract. */
static void places(void) {
    static const char text[] = "{\"a\":[1,{\"b\" /*:*/ :  [[],\n  true,],\"c\":null}],\"d\":\"}\"}";
    const json_object *root = open_text(text);
    const json_object *a = json_member(root, "a");
    const json_object *second = json_element(a, 1);
    const json_object *b = json_member(second, "b");
    const json_object *c = json_member(second, "c");
    assert_int_equal(json_type_of(c), json_type_null);
    const json_object *inner = json_element(b, 1);
    assert_ptr_equal(json_place_of(root)->text, text);
    assert_ptr_equal(json_place_of(a)->text, strstr(text, "[1"));
    assert_ptr_equal(json_place_of(second)->text, strstr(text, "{\"b"));
    assert_ptr_equal(json_place_of(b)->text, strstr(text, "[[]"));
    assert_ptr_equal(json_place_of(inner)->text, strstr(text, "true"));
    assert_ptr_equal(json_place_of(c)->text, strstr(text, "null"));
    assert_ptr_equal(json_place_of(json_member(root, "d"))->text, strstr(text, "\"}\""));
    assert_int_equal(json_fail(inner, TOOL_MALFORMED, "rule %d", 7), TOOL_MALFORMED);
    assert_string_equal(error.message, "t.json:2:3: a[1].b[1]: rule 7");
    document.status = TOOL_OK;
    assert_null(json_member(root, "e"));
    assert_null(json_need(root, "e"));
    assert_string_equal(error.message, "t.json:1:1: the member \"e\" is required");
    json_free(&document);
}

/* The first error stays; after it members are what "nothing" is, and their errors are not told. */
static void first_error_stays(void) {
    const json_object *root =
        open_text("{\"a\":1,\"b\":-1,\"c\":\"x\",\"d\":true,\"e\":null,\"f\":[1]}");
    assert_true(json_integer(json_need(root, "a"), "UINT8", 0, 255) == 1);
    assert_string_equal(json_string(json_need(root, "c")), "x");
    assert_true(json_flag(json_need(root, "d")));
    assert_null(json_optional(root, "e"));
    assert_non_null(json_member(root, "e"));
    assert_int_equal(json_uint32(root, "e", 7), 7);
    assert_true(json_uint64(root, "a", 7) == 1);
    const json_object *member = json_need(root, "f");
    assert_true(json_expect(member, json_type_array));
    assert_int_equal(json_length(member), 1);
    assert_true(json_ok(root));
    assert_true(json_integer(json_need(root, "b"), "UINT8", 0, 255) == 0);
    assert_false(json_ok(root));
    assert_false(json_expect(member, json_type_array));
    assert_true(json_integer(json_need(root, "a"), "UINT8", 0, 255) == 0);
    assert_string_equal(json_string(json_need(root, "c")), "");
    assert_string_equal(json_string(json_need(root, "g")), "");
    assert_false(json_flag(json_need(root, "d")));
    assert_int_equal(json_fail(root, TOOL_ENVIRONMENT, "later"), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "t.json:1:12: b: expected UINT8: an integer from 0 to 255, found -1");
    assert_int_equal(document.status, TOOL_MALFORMED);
    json_free(&document);
}

/* The line that the text stands in counts. */
static void line_of_a_file(void) {
    assert_int_equal(json_parse(&document, "[1,\0 2]", 7, "t.json", 9, &error), TOOL_MALFORMED);
    assert_string_equal(error.message, "t.json:9:4: a NUL byte is not allowed");
    json_free(&document);
}

/* The deepest nesting that is read. */
static void nesting(void) {
    char text[2 * JSON_MAX_DEPTH];
    memset(text, '[', JSON_MAX_DEPTH);
    memset(text + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
    assert_int_equal(json_parse(&document, text, 2 * JSON_MAX_DEPTH, "t.json", 1, &error), TOOL_OK);
    json_free(&document);
}

/* The text is not read. */
static void too_long_a_text(void) {
    assert_int_equal(json_parse(&document, "", 178956971, "t.json", 1, &error), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "t.json: a text of 178956971 bytes is too long: at most 178956970; keep "
                        "large data in .npy files");
    json_free(&document);
}

static void printable_text(void) {
    char buffer[8];
    assert_string_equal(text_printable(buffer, 8, "a\x1B[\n\x7F", 5), "a?[??");
    assert_string_equal(text_printable(buffer, 8, "abcdef\xC3\xA9", 8), "abcdef");
    assert_string_equal(text_printable(buffer, 8, "abcde\xC3\xA9", 7), "abcde\xC3\xA9");
    assert_string_equal(text_printable(buffer, 8, "\xFF", 1), "?");
}

CHECK_GROUP(test_json, T(numbers_are_exact), T(places), T(first_error_stays), T(line_of_a_file),
            T(nesting), T(printable_text), T(too_long_a_text));
