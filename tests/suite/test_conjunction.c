/* SPDX-License-Identifier: MIT */
/* What failing cases have in common: planted conditions are found, one, two and three of them, and
 * failures at random have none. */
#include "check.h"
#include "results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_bits.h"

typedef bool fails_function(const case_spec *spec);

/* Cases of both directions, inclusive and exclusive, with lines of 500 to 529 elements. */
static json_object *common_of(fails_function *fails) {
    static const char *const types[] = {"float32.sequential", "float32.blocked", "int32.wrap"};
    conjunction c = {0};
    for (uint32_t n = 0; n < 360; n++) {
        char name[CASE_NAME_ROOM];
        case_spec spec;
        snprintf(name, sizeof name,
                 "%s.%s.%s.%" PRIu32 ".axis0.in-packed.out-packed.small-integers.seed1",
                 types[n / 120], n % 2 ? "decreasing" : "increasing",
                 n / 2 % 2 ? "exclusive" : "inclusive", 500 + n / 4 % 30);
        assert_int_equal(case_parse(name, &spec, NULL), TOOL_OK);
        conjunction_add(&c, name, fails(&spec));
    }
    return conjunction_end(&c);
}

static void check(fails_function *fails, const char *wanted) {
    json_object *common = common_of(fails);
    char *words = conjunction_words(common);
    if (wanted) {
        assert_non_null(words);
        assert_string_equal(words, wanted);
    } else {
        assert_null(words);
    }
    free(words);
    json_object_put(common);
}

static uint32_t length_of(const case_spec *spec) {
    return spec->sizes[0];
}

static bool exclusive_fails(const case_spec *spec) {
    return spec->exclusive;
}

static bool short_lines_fail(const case_spec *spec) {
    return length_of(spec) <= 510;
}

static bool one_length_fails(const case_spec *spec) {
    return length_of(spec) == 512;
}

static bool two_conditions(const case_spec *spec) {
    return spec->exclusive && length_of(spec) >= 513;
}

static bool two_bounds(const case_spec *spec) {
    return length_of(spec) >= 510 && length_of(spec) <= 514;
}

static bool three_conditions(const case_spec *spec) {
    return spec->decreasing && spec->exclusive && spec->type == CUMSUM_DATA_TYPE_INT32;
}

/* A fourth condition that no feature has: some cases that meet the others pass. */
static bool nearly_all_of_three(const case_spec *spec) {
    return spec->decreasing && spec->exclusive && length_of(spec) >= 513 && length_of(spec) % 5;
}

static void conditions_are_found(void) {
    check(exclusive_fails, "exclusive: 180 of 180");
    check(short_lines_fail, "lines of 510 elements or fewer: 132 of 132");
    check(one_length_fails, "lines of 512 elements: 12 of 12");
    check(two_conditions, "exclusive and lines of 513 elements or more: 102 of 102");
    check(two_bounds, "lines of 510 to 514 elements: 60 of 60");
    check(three_conditions, "int32 and decreasing and exclusive: 30 of 30");
    check(nearly_all_of_three,
          "decreasing and exclusive and lines of 513 elements or more: 42 of 51");
}

static bool every_third_fails(const case_spec *spec) {
    return length_of(spec) % 3 == 0;
}

static bool two_fail(const case_spec *spec) {
    return spec->exclusive && spec->decreasing && length_of(spec) == 528 &&
           spec->type == CUMSUM_DATA_TYPE_FLOAT32;
}

static bool a_few_of_exclusive(const case_spec *spec) {
    return spec->exclusive && length_of(spec) % 9 == 0;
}

static bool all_fail(const case_spec *spec) {
    (void)spec;
    return true;
}

static void nothing_is_made_up(void) {
    check(every_third_fails, NULL);
    check(two_fail, NULL);
    check(a_few_of_exclusive, NULL);
    check(all_fail, NULL);
}

static uint64_t state;
static uint32_t share; /* of 256 cases */

static bool fails_at_random(const case_spec *spec) {
    (void)spec;
    return random_bits(&state) % 256 < share;
}

/* The bound is 1 of 32. */
static void random_failures_have_nothing_in_common(void) {
    static const uint32_t shares[] = {2, 5, 20, 128, 230, 250};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        int told = 0;
        share = shares[i];
        for (state = 0; state < 200; state++) {
            const uint64_t seed = state;
            json_object *common = common_of(fails_at_random);
            char *words = conjunction_words(common);
            told += words != NULL;
            free(words);
            json_object_put(common);
            state = seed;
        }
        printf("share %" PRIu32 " of 256: %d of 200\n", share, told);
        assert_true(told <= 200 / 32);
    }
}

static void the_record_has_shared_values(void) {
    json_object *common = common_of(two_conditions);
    char *shared = conjunction_shared(common);
    assert_string_equal(shared, "exclusive; lines of 513 elements or more");
    free(shared);
    json_object_put(common);
}

CHECK_GROUP(test_conjunction, T(conditions_are_found), T(nothing_is_made_up),
            T(random_failures_have_nothing_in_common), T(the_record_has_shared_values));
