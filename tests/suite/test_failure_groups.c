/* SPDX-License-Identifier: MIT */
/* The words for groups of failed cases: no group is more certain than its cases. */
#include "results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text.h"

static const char *const types[] = {"int32.wrap", "uint32.wrap", "int64.wrap", "uint64.wrap"};

/* Cases that `hypothesis` explains for certain, or that it could explain. */
static char *groups_of(const char *const hypotheses[4], const bool certain[4]) {
    sweep_results results = {0};
    name_set names = {0};
    char line[600], name[200];
    text_buffer buffer;
    sweep_results_add(&results, "{\"event\":\"sweep\",\"version\":\"0\",\"backend\":\"cpu\","
                                "\"shards\":1,\"shard\":1,\"selected\":4}");
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name,
                 "%s.increasing.inclusive.17.axis0.in-packed.out-packed.ones.seed0", types[i]);
        name_set_add(&names, name);
        snprintf(line, sizeof line,
                 "{\"event\":\"case\",\"name\":\"%s\",\"state\":\"fail\",\"judgement\":{"
                 "\"verdict\":\"FAIL\",\"explanation\":{\"hypothesis\":\"%s\",\"certain\":%s}}}",
                 name, hypotheses[i], certain[i] ? "true" : "false");
        sweep_results_add(&results, line);
    }
    assert_int_equal(results.problem_count, 0);
    text_buffer_open(&buffer);
    failure_groups_show(buffer.stream, &results, &names);
    sweep_results_free(&results);
    name_set_free(&names);
    return text_buffer_close(&buffer);
}

static void expect(const char *const hypotheses[4], const bool certain[4], const char *words,
                   bool there) {
    char *groups = groups_of(hypotheses, certain);
    if (!strstr(groups, words) == there)
        fail_msg("is \"%s\" there?\n%s", words, groups);
    free(groups);
}

static void groups_are_as_certain_as_their_cases(void **unused) {
    static const char *const one[4] = {"axis", "axis", "axis", "axis"};
    static const char *const two[4] = {"axis", "copy", "axis", "copy"};
    static const bool all[4] = {true, true, true, true}, none[4] = {0};
    static const bool some[4] = {true, true, true, false};
    (void)unused;
    expect(one, all, "4 cases: explained by 'axis'", true);
    expect(one, none, "4 cases: could be 'axis'", true);
    expect(one, none, "explained", false);
    expect(one, some, "4 cases: could be 'axis'", true);
    expect(two, some, "2 cases: explained by 'axis'", true);
    expect(two, some, "2 cases: could be 'copy'", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_are_as_certain_as_their_cases)};
    return cmocka_run_group_tests_name("failure_groups", tests, NULL, NULL);
}
