/* SPDX-License-Identifier: MIT */
/* What failing cases have in common: planted conditions are found, one, two and three of them, and
 * failures at random have none. */
#include "check.h"
#include "results.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_bits.h"

/* When a case fails: all of this holds. */
typedef struct condition {
    const char *words; /* what is found, or NULL */
    bool decreasing, exclusive;
    cumsum_data_type type; /* or UNKNOWN: any */
    uint32_t least, most;  /* elements of a line; 0: no bound */
    uint32_t none_of;      /* no line of such a multiple */
    uint32_t share;        /* of 256 cases, at random; 0: all */
} condition;

static bool fails(const condition *c, const case_spec *spec, uint64_t *random) {
    const uint32_t length = spec->sizes[0];
    return spec->decreasing >= c->decreasing && spec->exclusive >= c->exclusive &&
           (!c->type || spec->type == c->type) && length >= c->least &&
           (!c->most || length <= c->most) && (!c->none_of || length % c->none_of) &&
           (!c->share || random_bits(random) % 256 < c->share);
}

/* What is said, to be freed, or NULL: of cases of both directions, inclusive and exclusive, with
 * lines of 500 to 529 elements. */
static char *words_of(const condition *when, uint64_t seed) {
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
        conjunction_add(&c, name, fails(when, &spec, &seed));
    }
    json_object *common = conjunction_end(&c);
    char *words = conjunction_words(common);
    json_object_put(common);
    return words;
}

static const condition conditions[] = {
    {"exclusive: 180 of 180", .exclusive = true},
    {"lines of 510 elements or fewer: 132 of 132", .most = 510},
    {"lines of 512 elements: 12 of 12", .least = 512, .most = 512},
    {"exclusive and lines of 513 elements or more: 102 of 102", .exclusive = true, .least = 513},
    {"lines of 510 to 514 elements: 60 of 60", .least = 510, .most = 514},
    {"int32 and decreasing and exclusive: 30 of 30", .decreasing = true, .exclusive = true,
     .type = CUMSUM_DATA_TYPE_INT32},
    /* A fourth condition that no feature has: some cases that meet the others pass. */
    {"decreasing and exclusive and lines of 513 elements or more: 42 of 51", .decreasing = true,
     .exclusive = true, .least = 513, .none_of = 5},
    /* Too many conditions, too few cases, and what all cases have. */
    {NULL, .none_of = 3},
    {NULL, .decreasing = true, .exclusive = true, .type = CUMSUM_DATA_TYPE_FLOAT32, .least = 528,
     .most = 528},
    {NULL, .least = 1}};

static void conditions_are_found(void) {
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        char *words = words_of(&conditions[i], 0);
        if (conditions[i].words)
            assert_string_equal(words, conditions[i].words);
        else
            assert_null(words);
        free(words);
    }
}

/* In 1 of 32 sweeps at most. */
static void random_failures_have_nothing_in_common(void) {
    static const uint32_t shares[] = {2, 5, 20, 128, 230, 250};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        int told = 0;
        for (uint64_t seed = 0; seed < 200; seed++) {
            char *words = words_of(&(condition){.share = shares[i]}, seed);
            told += words != NULL;
            free(words);
        }
        printf("share %" PRIu32 " of 256: %d of 200\n", shares[i], told);
        assert_true(told <= 200 / 32);
    }
}

CHECK_GROUP(test_conjunction, T(conditions_are_found), T(random_failures_have_nothing_in_common));
