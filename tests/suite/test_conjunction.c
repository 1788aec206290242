/* SPDX-License-Identifier: MIT */
/* Where all failures of a sweep are: one condition, two, or none that tells enough. */
#include "conjunction.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef bool fails_function(bool exclusive, uint32_t length);

/* Cases of both kinds with lines of 500 to 529 elements. */
static void check(fails_function *fails, const char *wanted) {
    conjunction c = {0};
    for (uint32_t n = 0; n < 60; n++) {
        char name[CASE_NAME_ROOM];
        case_spec spec;
        snprintf(name, sizeof name,
                 "float32.sequential.increasing.%s.%" PRIu32
                 ".axis0.in-packed.out-packed.normal.seed1",
                 n % 2 ? "exclusive" : "inclusive", 500 + n / 2);
        assert_int_equal(case_parse(name, &spec, NULL), TOOL_OK);
        conjunction_add(&c, &spec, fails(n % 2, 500 + n / 2));
    }
    char *words = conjunction_words(&c);
    if (wanted) {
        assert_non_null(words);
        assert_string_equal(words, wanted);
    } else {
        assert_null(words);
    }
    free(words);
}

static bool exclusive_fails(bool exclusive, uint32_t length) {
    (void)length;
    return exclusive;
}

static bool short_lines_fail(bool exclusive, uint32_t length) {
    (void)exclusive;
    return length <= 510;
}

static bool both_fail(bool exclusive, uint32_t length) {
    return exclusive && length >= 513;
}

static bool nearly_both_fail(bool exclusive, uint32_t length) {
    return exclusive && length >= 513 && length != 520;
}

static bool every_third_fails(bool exclusive, uint32_t length) {
    (void)exclusive;
    return length % 3 == 0;
}

static bool two_fail(bool exclusive, uint32_t length) {
    return exclusive && length >= 528;
}

static bool all_fail(bool exclusive, uint32_t length) {
    (void)exclusive;
    (void)length;
    return true;
}

static void conditions_are_found(void **unused) {
    (void)unused;
    check(exclusive_fails, "exclusive: 30 of 30 cases fail, elsewhere 0");
    check(short_lines_fail, "lines of 510 elements or fewer: 22 of 22 cases fail, elsewhere 0");
    check(both_fail,
          "exclusive and lines of 513 elements or more: 17 of 17 cases fail, elsewhere 0");
    check(nearly_both_fail,
          "exclusive and lines of 513 elements or more: 16 of 17 cases fail, elsewhere 0");
}

static void nothing_is_made_up(void **unused) {
    (void)unused;
    check(every_third_fails, NULL);
    check(two_fail, NULL);
    check(all_fail, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(conditions_are_found),
                                       cmocka_unit_test(nothing_is_made_up)};
    return cmocka_run_group_tests_name("conjunctions", tests, NULL, NULL);
}
