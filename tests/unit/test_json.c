/* SPDX-License-Identifier: MIT */
/* The JSON parser and printer: exact numbers, comments, places of values, malformed texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "json_print.h"
#include "json_value.h"
#include "text.h"

static json_document document;
static tool_error error;

static json_value open_text(const char *text) {
    error.message[0] = '\0';
    tool_status status = json_parse(&document, text, strlen(text), "t.json", 1, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    return json_root(&document);
}

/* The exact digits survive whatever a double or 64 bits would do to them. */
static void numbers_are_exact(void **state) {
    static const char *const numbers[] = {
        "18446744073709551616", "-0", "-0.0", "1e400", "1.5E+3", "0.1000000000000000055",
        "-9223372036854775809", "0",  "12"};
    (void)state;
    json_value root = open_text("[18446744073709551616, -0, -0.0,1e400,\n 1.5E+3 ,"
                                "0.1000000000000000055,-9223372036854775809/* */,0,12]");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        size_t length;
        json_value element = json_element(&root, i);
        assert_int_equal(json_type_of(&element), json_type_int);
        const char *text = json_number_text(&element, &length);
        assert_int_equal(length, strlen(numbers[i]));
        assert_memory_equal(text, numbers[i], length);
    }
    json_free(&document);
}

/* Where places do not matter, a number is one, and prints as it was written where 64 bits do not
 * hold it. */
static void numbers_as_values(void **state) {
    static const char text[] = "[-9223372036854775808,18446744073709551615,-0.50,1e400,"
                               "18446744073709551616,\"\u00e9\",null,{\"a\":[]}]";
    (void)state;
    json_object *array = json_read(text, strlen(text));
    assert_true(json_object_get_int64(json_object_array_get_idx(array, 0)) == INT64_MIN);
    assert_true(json_object_get_uint64(json_object_array_get_idx(array, 1)) == UINT64_MAX);
    assert_true(json_object_get_double(json_object_array_get_idx(array, 2)) == -0.5);
    assert_string_equal(json_print(array, JSON_C_TO_STRING_PLAIN),
                        "[-9223372036854775808,18446744073709551615,-0.50,1e400,"
                        "18446744073709551616,\"\xC3\xA9\",null,{\"a\":[]}]");
    assert_string_equal(json_word(json_object_array_get_idx(array, 5)), "\xC3\xA9");
    assert_string_equal(json_word(json_object_array_get_idx(array, 2)), "-0.50");
    json_object_put(array);
    assert_null(json_read("null", 4));
    assert_null(json_read("[1", 2));
    assert_null(json_read("{\"a\":1,\"a\":2}", 13));
}

static void comments_and_commas(void **state) {
    json_value member;
    (void)state;
    json_value root = open_text("\xEF\xBB\xBF// first, with \"quotes\" and [\n"
                                "{ /* a\n * b **/ \"a\": [1, 2, /* 3 */ ], \"b\" : { \"c\": {} , }"
                                ", // last\n } // end");
    assert_true(json_member(&root, "a", &member));
    assert_int_equal(json_object_array_length(member.object), 2);
    assert_true(json_member(&root, "b", &member));
    assert_int_equal(json_object_object_length(member.object), 1);
    json_free(&document);
    open_text("[]//");
    json_free(&document);
    open_text("[[],{},[{},],]/**/");
    json_free(&document);
}

static void strings(void **state) {
    json_value member;
    (void)state;
    json_value root =
        open_text("{\"a\\u0062\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\", "
                  "\"// no comment\": \"/* \xC3\xA9 */\"}");
    assert_true(json_member(&root, "ab", &member));
    assert_string_equal(json_object_get_string(member.object),
                        "\"\\/\b\f\n\r\t\xC3\xA9\xF0\x9F\x98\x80");
    assert_true(json_member(&root, "// no comment", &member));
    assert_string_equal(json_object_get_string(member.object), "/* \xC3\xA9 */");
    json_free(&document);
}

/* Where a value starts, in a text with everything that could distract. */
static void places(void **state) {
    static const char text[] = "{\"a\":[1,{\"b\" /*:*/ :  [[],\n  true,],\"c\":null}],\"d\":\"}\"}";
    json_value a;
    json_value b;
    json_value c;
    json_value d;
    (void)state;
    json_value root = open_text(text);
    assert_true(json_member(&root, "a", &a));
    json_value second = json_element(&a, 1);
    assert_true(json_member(&second, "b", &b));
    assert_true(json_member(&second, "c", &c));
    assert_null(c.object);
    assert_true(json_member(&root, "d", &d));
    json_value inner = json_element(&b, 1);
    assert_ptr_equal(text + root.offset, text);
    assert_ptr_equal(text + a.offset, strstr(text, "[1"));
    assert_ptr_equal(text + second.offset, strstr(text, "{\"b"));
    assert_ptr_equal(text + b.offset, strstr(text, "[[]"));
    assert_ptr_equal(text + inner.offset, strstr(text, "true"));
    assert_ptr_equal(text + c.offset, strstr(text, "null"));
    assert_ptr_equal(text + d.offset, strstr(text, "\"}\""));
    assert_int_equal(json_fail(&inner, TOOL_MALFORMED, "rule %d", 7), TOOL_MALFORMED);
    assert_string_equal(error.message, "t.json:2:3: a[1].b[1]: rule 7");
    document.status = TOOL_OK;
    assert_false(json_member(&root, "e", &d));
    assert_null(json_need(&root, "e").object);
    assert_string_equal(error.message, "t.json:1:1: the member \"e\" is required");
    json_free(&document);
}

/* The first error stays; after it members are what "nothing" is, and their errors are not told. */
static void first_error_stays(void **state) {
    json_value member;
    (void)state;
    json_value root = open_text("{\"a\":1,\"b\":-1,\"c\":\"x\",\"d\":true,\"e\":null,\"f\":[1]}");
    assert_true(json_integer(json_need(&root, "a"), "UINT8", 0, 255) == 1);
    assert_string_equal(json_string(json_need(&root, "c")), "x");
    assert_true(json_flag(json_need(&root, "d")));
    assert_false(json_optional(&root, "e", &member));
    assert_true(json_member(&root, "e", &member));
    assert_int_equal(json_uint32(&root, "e", 7), 7);
    assert_true(json_uint64(&root, "a", 7) == 1);
    assert_int_equal(json_length(&root), 0);
    member = json_need(&root, "f");
    assert_true(json_expect(&member, json_type_array));
    assert_int_equal(json_length(&member), 1);
    assert_true(json_ok(&root));
    assert_true(json_integer(json_need(&root, "b"), "UINT8", 0, 255) == 0);
    assert_false(json_ok(&root));
    assert_false(json_expect(&member, json_type_array));
    assert_true(json_integer(json_need(&root, "a"), "UINT8", 0, 255) == 0);
    assert_string_equal(json_string(json_need(&root, "c")), "");
    assert_string_equal(json_string(json_need(&root, "g")), "");
    assert_false(json_flag(json_need(&root, "d")));
    assert_int_equal(json_fail(&root, TOOL_ENVIRONMENT, "later"), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "t.json:1:12: b: expected UINT8: an integer from 0 to 255, found -1");
    assert_int_equal(document.status, TOOL_MALFORMED);
    json_free(&document);
}

static const struct {
    const char *text;
    const char *message;
} rejections[] = {
    {"", "1:1: the text ends before its value does"},
    {" // x", "1:6: the text ends before its value does"},
    {"{", "1:2: the text ends before its value does"},
    {"[1", "1:3: the text ends before its value does"},
    {"[1,", "1:4: the text ends before its value does"},
    {"{\"a\"", "1:5: the text ends before its value does"},
    {"{\"a\":", "1:6: the text ends before its value does"},
    {"[1 2]", "1:4: found 2: after an element of an array comes , or ]"},
    {"[,]", "1:2: found ,: a value should be here"},
    {"[1,,]", "1:4: found ,: a value should be here"},
    {"[1,,2]", "1:4: found ,: a value should be here"},
    {"{,}", "1:2: found ,: a member of an object starts with its name in double quotes"},
    {"{1:2}", "1:2: found 1: a member of an object starts with its name in double quotes"},
    {"{\"a\":1,,}", "1:8: found ,: a member of an object starts with its name in double quotes"},
    {"{\"a\" 1}", "1:6: found 1: after the name of a member comes :"},
    {"{\"a\"}", "1:5: found }: after the name of a member comes :"},
    {"{\"a\":}", "1:6: found }: a value should be here"},
    {"{\"a\":1 \"b\":2}", "1:8: found \"b\": after a member of an object comes , or }"},
    {"[\"a\":1]", "1:5: found :: after an element of an array comes , or ]"},
    {"[}", "1:2: found }, which closes nothing that is open here"},
    {"]", "1:1: found ], which closes nothing that is open here"},
    {"[1]]", "1:4: something follows the end of the value: only comments may"},
    {"{} {}", "1:4: something follows the end of the value: only comments may"},
    {"1 2", "1:3: something follows the end of the value: only comments may"},
    {"{}\n\nx", "3:1: not a number as JSON writes it, nor true, false or null"},
    {":", "1:1: found :: a value should be here"},
    {"{\"a\":1,\n \"b\":2,\"a\":3}",
     "2:8: an object has two members named \"a\": a name may occur once"},
    {"{\"ab\":1,\"\\u0061\\u0062\":2}",
     "1:9: an object has two members named \"\\u0061\\u0062\": a name may occur once"},
    {"{\"\xC3\xA9\":1,\"\\u00E9\":2}",
     "1:8: an object has two members named \"\\u00E9\": a name may occur once"},
    {"[{\"x\":{\"a\":1,\"b\":{\"a\":1}},\"a\":0,\"x\":1}]",
     "1:33: an object has two members named \"x\": a name may occur once"},
    {"[01]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[+1]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[.5]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[1.]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[1e]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[1e+]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[-]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[0x10]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[1.2.3]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[NaN]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[-Infinity]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"[True]", "1:2: not a number as JSON writes it, nor true, false or null"},
    {"['a']", "1:2: no JSON value starts with this character"},
    {"[/]", "1:2: no JSON value starts with this character"},
    {"[1] / 2", "1:5: no JSON value starts with this character"},
    {"[\xC3\xA9\"\xC3\xA9\" x]", "1:2: no JSON value starts with this character"},
    {"[\"\xC3\xA9\", x]", "1:7: not a number as JSON writes it, nor true, false or null"},
    {"[\"a]", "1:2: a string has no end"},
    {"[\"a\\\"]", "1:2: a string has no end"},
    {"[\"a\tb\"]", "1:4: a control character in a string must be escaped"},
    {"[\"a\nb\"]", "1:4: a control character in a string must be escaped"},
    {"[\"\\x\"]", "1:3: not an escape as JSON writes it"},
    {"[\"\\u12g4\"]", "1:3: not an escape as JSON writes it"},
    {"[\"\\u123", "1:3: not an escape as JSON writes it"},
    {"[\"\\", "1:3: not an escape as JSON writes it"},
    {"[\"\\u0000\"]", "1:3: \\u0000 is not allowed"},
    {"[\"\\ud800\"]", "1:3: half of a surrogate pair is not a character"},
    {"[\"\\ud800\\ud800\"]", "1:3: half of a surrogate pair is not a character"},
    {"[\"\\udc00\"]", "1:3: half of a surrogate pair is not a character"},
    {"[\"\xFF\"]", "1:3: a string must be well-formed UTF-8"},
    {"[\"\xC0\x80\"]", "1:3: a string must be well-formed UTF-8"},
    {"[\"\xED\xA0\x80\"]", "1:3: a string must be well-formed UTF-8"},
    {"[\"\xF4\x90\x80\x80\"]", "1:3: a string must be well-formed UTF-8"},
    {"[\"\xE2\x82\"]", "1:3: a string must be well-formed UTF-8"},
    {"[1] /* x", "1:5: a comment has no end"},
    {"[1, /*/ 2]", "1:5: a comment has no end"},
};

static void malformed_text(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rejections / sizeof rejections[0]; i++) {
        const char *text = rejections[i].text;
        char expected[200] = "t.json:";
        strcat(expected, rejections[i].message);
        tool_status status = json_parse(&document, text, strlen(text), "t.json", 1, &error);
        json_free(&document);
        assert_int_equal(status, TOOL_MALFORMED);
        assert_string_equal(error.message, expected);
    }
}

static void nul_bytes(void **state) {
    (void)state;
    assert_int_equal(json_parse(&document, "[1,\0 2]", 7, "t.json", 9, &error), TOOL_MALFORMED);
    assert_string_equal(error.message, "t.json:9:4: a NUL byte is not allowed");
    json_free(&document);
    assert_int_equal(json_parse(&document, "[\"\0\"]", 5, "t.json", 1, &error), TOOL_MALFORMED);
    json_free(&document);
    assert_int_equal(json_parse(&document, "[]\0", 3, "t.json", 1, &error), TOOL_MALFORMED);
    json_free(&document);
}

static void nesting(void **state) {
    char text[2 * JSON_MAX_DEPTH + 3];
    (void)state;
    memset(text, '[', JSON_MAX_DEPTH);
    memset(text + JSON_MAX_DEPTH, ']', JSON_MAX_DEPTH);
    assert_int_equal(json_parse(&document, text, 2 * JSON_MAX_DEPTH, "t.json", 1, &error), TOOL_OK);
    json_free(&document);
    memset(text, '[', sizeof text);
    assert_int_equal(json_parse(&document, text, sizeof text, "t.json", 1, &error), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "t.json:1:101: objects and arrays are nested more than 100 deep");
    json_free(&document);
}

/* The text is not read. */
static void too_long_a_text(void **state) {
    (void)state;
    assert_int_equal(json_parse(&document, "", 178956971, "t.json", 1, &error), TOOL_MALFORMED);
    assert_string_equal(error.message,
                        "t.json: a text of 178956971 bytes is too long: at most 178956970; keep "
                        "large data in .npy files");
    json_free(&document);
}

static void printable_text(void **state) {
    char buffer[8];
    (void)state;
    assert_string_equal(text_printable(buffer, 8, "a\x1B[\n\x7F", 5), "a?[??");
    assert_string_equal(text_printable(buffer, 8, "abcdef\xC3\xA9", 8), "abcdef");
    assert_string_equal(text_printable(buffer, 8, "abcde\xC3\xA9", 7), "abcde\xC3\xA9");
    assert_string_equal(text_printable(buffer, 8, "\xFF", 1), "?");
}

/* Whether an object may have members of these two names. */
static bool both_fit(const char *a, const char *b) {
    char text[100];
    snprintf(text, sizeof text, "{\"%s\":1,\"%s\":2}", a, b);
    const tool_status status = json_parse(&document, text, strlen(text), "t.json", 1, &error);
    json_free(&document);
    return status == TOOL_OK;
}

/* Names are compared by what they mean. */
static void comparison(void **state) {
    (void)state;
    assert_false(both_fit("", ""));
    assert_true(both_fit("a", ""));
    assert_true(both_fit("a", "b"));
    assert_false(both_fit("\\n\\t\\/", "\\u000a\\u0009/"));
    assert_false(both_fit("\\ud83d\\ude00", "\xF0\x9F\x98\x80"));
    assert_false(both_fit("\\u20AC", "\xE2\x82\xAC"));
    assert_true(both_fit("\\\\u0061", "a"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(numbers_as_values),
        cmocka_unit_test(comments_and_commas),
        cmocka_unit_test(strings),
        cmocka_unit_test(places),
        cmocka_unit_test(first_error_stays),
        cmocka_unit_test(malformed_text),
        cmocka_unit_test(nul_bytes),
        cmocka_unit_test(nesting),
        cmocka_unit_test(printable_text),
        cmocka_unit_test(comparison),
        cmocka_unit_test(too_long_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
