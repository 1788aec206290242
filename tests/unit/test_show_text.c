/* SPDX-License-Identifier: MIT */
/* Names from outside, made safe for a terminal, JSON and XML. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "text.h"

#define REPLACED "\xEF\xBF\xBD"

static void expect_utf8(const char *text, const char *json, const char *xml) {
    char *clean = text_utf8(text, 0);
    assert_string_equal(clean, json);
    free(clean);
    clean = text_utf8(text, 1);
    assert_string_equal(clean, xml);
    free(clean);
}

static void valid_text_stays(void) {
    expect_utf8("", "", "");
    expect_utf8("plain <&>", "plain <&>", "plain <&>");
    expect_utf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
                "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
    expect_utf8("tab\tline\n", "tab\tline\n", "tab\tline\n");
}

static void other_bytes_are_replaced(void) {
    static const char *const wrong[] = {
        "\x80",
        "\xFF", /* no start of a sequence */
        "\xC3", /* cut short */
        "\xC0\x80",
        "\xE0\x80\x80",     /* longer than need be */
        "\xED\xA0\x80",     /* a surrogate */
        "\xF4\x90\x80\x80", /* above U+10FFFF */
    };
    static const size_t bytes[] = {1, 1, 1, 2, 3, 3, 4};
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        char *clean = text_utf8(wrong[i], 0);
        char expected[16] = "";
        for (size_t k = 0; k < bytes[i]; k++)
            strcat(expected, REPLACED);
        assert_string_equal(clean, expected);
        free(clean);
    }
}

static void what_xml_cannot_hold(void) {
    expect_utf8("a\x01\x1B[m", "a\x01\x1B[m", "a" REPLACED REPLACED "[m");
    expect_utf8("\xEF\xBF\xBE", "\xEF\xBF\xBE", REPLACED); /* U+FFFE */
}

static void control_characters_are_shown(void) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    text_show(buffer.stream, "a\n\x1B[31m\x7F\xC3\xA9");
    char *text = text_buffer_close(&buffer);
    assert_string_equal(text, "a\\x0a\\x1b[31m\\x7f\xC3\xA9");
    free(text);
}

CHECK_GROUP(test_show_text, T(valid_text_stays), T(other_bytes_are_replaced),
            T(what_xml_cannot_hold), T(control_characters_are_shown));
