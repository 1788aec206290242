/* SPDX-License-Identifier: MIT */
/* Lists of cases: the names that they expand to. tests/reject has those that are refused. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "check.h"
#include "distribution.h"
#include "json_tree.h"
#include "text.h"

/* Appends each text and a space. */
static tool_status collect(void *context, const char *text, tool_error *error) {
    (void)error;
    fprintf(context, "%s ", text);
    return TOOL_OK;
}

static void assert_expands(const char *pattern, const char *wanted) {
    text_buffer buffer;
    tool_error error = {""};
    text_buffer_open(&buffer);
    tool_status status = brace_expand(pattern, collect, buffer.stream, &error);
    char *text = text_buffer_close(&buffer);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    assert_string_equal(text, wanted);
    free(text);
}

static void braces(void) {
    assert_expands("", " ");
    assert_expands("ab", "ab ");
    assert_expands("a{b,c}d", "abd acd ");
    assert_expands("{a,b}{c,d}", "ac ad bc bd ");
    assert_expands("a{b,c{d,e}f}g", "abg acdfg acefg ");
    assert_expands("a{,b}", "a ab ");
    assert_expands("{a}", "a ");
    assert_expands("{}x", "x ");
    assert_expands("{8..11}", "8 9 10 11 ");
    assert_expands("x{0..0}{3..4}", "x03 x04 ");
    assert_expands("{1..2,x}", "1..2 x ");
    assert_expands("{{1..2},x}", "1 2 x ");
    assert_expands("{1..}{..2}{01..2}{a..b}", "1....201..2a..b ");
    assert_expands("{4294967294..4294967295}", "4294967294 4294967295 ");
}

static tool_status stop_at_third(void *context, const char *text, tool_error *error) {
    (void)text;
    return ++*(int *)context == 3 ? tool_fail(error, TOOL_NOT_FOUND, "enough") : TOOL_OK;
}

static void an_expansion_ends_where_its_user_ends_it(void) {
    int calls = 0;
    tool_error error = {""};
    assert_int_equal(brace_expand("{1..9}{a,b}", stop_at_third, &calls, &error), TOOL_NOT_FOUND);
    assert_int_equal(calls, 3);
    assert_string_equal(error.message, "enough");
}

static tool_status collect_listed(void *context, const char *name, tool_error *error) {
    (void)error;
    fprintf(context, "%.12s ", strrchr(name, '-') + 1);
    return TOOL_OK;
}

#define REST ".axis0.in-packed.out-packed."

static void lists(void) {
    static const char text[] = "# comment\n"
                               "\n"
                               "rule one two  # why\n"
                               "int32.wrap.increasing.inclusive.1" REST "ones.seed0\r\n"
                               "  # nothing\n"
                               "a_1 = {ones,alternating}\n"
                               "b = $a_1.seed0\n"
                               "include shapes\n"
                               "rule three\n"
                               "int32.wrap.increasing.inclusive.{1, 2}\n"
                               "\t  " REST "\n"
                               "    ${b} # and so on";
    text_buffer buffer;
    tool_error error = {""};
    const case_list list = {"test", text};
    text_buffer_open(&buffer);
    tool_status status = list_walk(&list, collect_listed, buffer.stream, &error);
    char *found = text_buffer_close(&buffer);
    assert_string_equal(error.message, "");
    assert_int_equal(status, TOOL_OK);
    assert_string_equal(found, "packed.ones. packed.ones. packed.alter packed.ones. "
                               "packed.alter ");
    free(found);
}

static void too_many_names(void) {
    const case_list list = {"test",
                            "int32.wrap.increasing.inclusive.{1..1000001}" REST "ones.seed0"};
    name_set names = {0};
    tool_error error = {""};
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    assert_int_equal(list_walk(&list, collect_listed, nowhere, &error), TOOL_MALFORMED);
    assert_string_equal(error.message, "test:1: there are more than 1000000 names");
    fclose(nowhere);
    name_set_free(&names);
}

/* Every built-in list is well formed, and a case that two patterns choose is chosen once. */
static void built_in_lists(void) {
    name_set names = {0};
    size_t count = 0;
    for (const case_list *list = builtin_lists; list->name; list++, count++) {
        tool_error error = {""};
        if (case_select(list->name, &names, &error) != TOOL_OK)
            fail_msg("%s", error.message);
    }
    assert_int_equal(count, 5);
    assert_true(50000 <= names.count && names.count <= 1000000);
    size_t before = names.count;
    assert_int_equal(case_select("quick", &names, NULL), TOOL_OK);
    assert_int_equal(case_select("*", &names, NULL), TOOL_OK);
    assert_int_equal(names.count, before);
    for (size_t i = 0; i < names.count; i++)
        assert_true(name_set_has(&names, names.names[i]));
    assert_false(name_set_has(&names, "quick"));
    name_set_free(&names);
}

static bool has_data(const name_set *names, const char *data) {
    char component[64];
    snprintf(component, sizeof component, ".%s.seed", data);
    for (size_t i = 0; i < names->count; i++)
        if (strstr(names->names[i], component))
            return true;
    return false;
}

/* mustpass has the cases of quick, and cases of all distributions. */
static void mustpass_is_complete(void) {
    name_set quick = {0};
    name_set mustpass = {0};
    assert_int_equal(case_select("quick", &quick, NULL), TOOL_OK);
    assert_int_equal(case_select("mustpass", &mustpass, NULL), TOOL_OK);
    for (size_t i = 0; i < quick.count; i++)
        if (!name_set_has(&mustpass, quick.names[i]))
            fail_msg("quick has %s, and mustpass has not", quick.names[i]);
    for (const distribution *d = distribution_list; d->name; d++)
        if (!has_data(&mustpass, d->name))
            fail_msg("mustpass has no case of the data %s", d->name);
    name_set_free(&quick);
    name_set_free(&mustpass);
}

CHECK_GROUP(test_case_list, T(braces), T(an_expansion_ends_where_its_user_ends_it), T(lists),
            T(too_many_names), T(built_in_lists), T(mustpass_is_complete));
