/* SPDX-License-Identifier: MIT */
/* What digests.txt, which has the data of all distributions, does not show: that none has another's
 * random bits, what is kept of them, and that every fault shows in distinct-sums. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cumsum/oracle.h>

#include "case_build.h"
#include "distribution.h"
#include "element.h"
#include "need_draws.h"

/* Random bits that are kept from an earlier draw equal those that are drawn again. */
static void what_is_kept(void) {
    static const uint32_t lengths[] = {1000, 3, 65536, 1000};
    for (uint64_t turn = 0; turn < 400; turn++) { /* more than are kept */
        const distribution *d = &distribution_list[turn % 7];
        case_spec c = {.type = CUMSUM_DATA_TYPE_FLOAT32,
                       .rank = 1,
                       .sizes = {lengths[turn / 7 % 4]},
                       .data = d,
                       .seed = turn / 28 % 10 * (turn < 200 ? 1 : turn)};
        const uint64_t count = 40 + turn % 3 * 40;
        if (d->placed)
            continue;
        unsigned char *elements = data_elements(&c, count);
        for (uint64_t i = 0; i < count; i++) {
            uint32_t words[4] = {0};
            uint32_t kept;
            if (d->draws)
                draw_words(c.seed, i, d->stream, words);
            const data_place place = {.type = c.type, .n = c.sizes[0], .words = words};
            memcpy(&kept, elements + 4 * i, sizeof kept);
            assert_int_equal(kept, (uint32_t)d->element(&place));
        }
        free(elements);
    }
}

/* No two distributions have the same random bits. */
static void streams_and_names_are_distinct(void) {
    for (const distribution *a = distribution_list; a->name; a++) {
        for (const distribution *b = a + 1; b->name; b++) {
            assert_int_not_equal(a->stream, b->stream);
            assert_string_not_equal(a->name, b->name);
        }
        assert_int_equal(strspn(a->name, "abcdefghijklmnopqrstuvwxyz-0123456789"), strlen(a->name));
    }
}

/* Is the fault found by the exact oracle, in the first output that it moves? */
static void expect_found(const suite_case *c, const float *y, uint32_t from) {
    const cumsum_judge_options options = {.no_doubt = true, .power = true};
    const uint32_t length = c->spec.sizes[0];
    cumsum_judgement judgement;
    assert_int_equal(cumsum_judge(&c->descriptor.desc, c->input, c->input_size, y,
                                  length * sizeof *y, &options, NULL, &judgement, NULL),
                     CUMSUM_OK);
    assert_true(judgement.power.exact);
    assert_int_equal(judgement.pass, from >= length);
    if (!judgement.pass)
        assert_int_equal(judgement.first.coordinates[0], from);
}

/* A case of distinct-sums, to be freed. */
static void make(suite_case *c, const char *type, const char *shape) {
    char name[CASE_NAME_ROOM];
    snprintf(name, sizeof name,
             "%s.sequential.increasing.inclusive.%s.in-packed.out-packed.distinct-sums.seed3", type,
             shape);
    assert_int_equal(case_init(c, name, NULL), TOOL_OK);
}

/* Every fault of a scan shows, from the first output that it may touch. */
static void distinct_sums(void) {
    enum {
        COUNT = 2000,
        TILE = 128,
        AT = 5 * TILE
    };
    static float x[COUNT], right[COUNT], y[COUNT];
    suite_case c;
    make(&c, "float32", "2000.axis0");
    memcpy(x, c.input, sizeof x);
    memcpy(right, c.expected, sizeof right);
    for (uint32_t k = 0; k < COUNT; k++)
        assert_true(x[k] >= 1 && right[k] == (k ? right[k - 1] : 0) + x[k] && right[k] <= 0x1p24F);
    expect_found(&c, right, COUNT);
    const float lost[] = {x[AT], right[AT - 1], right[AT + TILE - 1] - right[AT - 1],
                          right[AT - 1] - right[AT]}; /* term, carry, tile; twice a term */
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        for (uint32_t k = 0; k < COUNT; k++)
            y[k] = right[k] - (k >= AT ? lost[i] : 0);
        expect_found(&c, y, AT);
    }
    memcpy(y, right, sizeof y); /* two tiles that are swapped */
    for (uint32_t k = 0; k < TILE; k++) {
        y[AT + k] = y[AT + k - 1] + x[AT + TILE + k];
        assert_true(k || y[AT] != right[AT]);
    }
    expect_found(&c, y, AT);
    memcpy(y, right, sizeof y); /* a tail that was not written */
    for (uint32_t k = AT; k < COUNT; k++)
        y[k] = right[AT - 1];
    expect_found(&c, y, AT);
    case_free(&c);
}

/* Of FLOAT16, whose sums go up in one line and down in the next. */
static void distinct_halves(void) {
    suite_case c;
    make(&c, "float16", "2x1000.axis1");
    for (uint32_t k = 1; k < 2000; k++) {
        const double now =
            element_value(c.spec.type, element_load(c.expected + 2 * k, c.spec.type));
        const double before =
            element_value(c.spec.type, element_load(c.expected + 2 * (k - 1), c.spec.type));
        assert_true(k == 1000 || (now > before) == (k < 1000));
        assert_true(now != before && now <= 2048);
    }
    case_free(&c);
}

CHECK_GROUP_WITH(test_distribution, need_draws, NULL, T(what_is_kept),
                 T(streams_and_names_are_distinct), T(distinct_sums), T(distinct_halves));
