/* SPDX-License-Identifier: MIT */
/* Orders of addition, found out from the outputs of implementations whose order is known.
 * `test_fingerprint all` tries more combinations and longer lines. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fingerprint.h"
#include "line_fakes.h"

#define HALF  CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT CUMSUM_DATA_TYPE_FLOAT32

#define LINES 64u
#define RUNS  3u

static bool everything;

typedef struct taken {
    fingerprint f;
    char name[CUMSUM_ORDER_TEXT];
} taken;

/* Each output of these takes as long as all before it. */
static bool is_slow(textbook_scan *scan) {
    return scan == fake_right_to_left || scan == fake_pairwise || scan == fake_three_at_once;
}

/* fingerprint_free frees what the answer holds. */
static taken ask_far(line_fake *fake, line_block block, uint32_t longest) {
    const line_runner runner = {line_fake_run, fake, NULL};
    taken a;
    tool_error error = {""};
    block.lines = LINES;
    if (is_slow(fake->scan))
        fake->most = 1100;
    if (fingerprint_take(&a.f, &runner, &block, RUNS, longest, &error) != TOOL_OK)
        fail_msg("%s", error.message);
    order_name_text(a.name, &a.f.order.name);
    return a;
}

static taken ask(line_fake *fake, line_block block) {
    return ask_far(fake, block, everything ? 4099 : 2307);
}

static void expect_outcome(const taken *a, question kind, answer_outcome outcome) {
    const answer *d = &a->f.answers[kind];
    if (d->outcome != outcome)
        fail_msg("%s: %s: %d: %s", a->name, question_name(kind), (int)d->outcome, d->text);
}

/* Only these differ: `kinds` has a bit for each. */
static void expect_dependences(const taken *a, unsigned kinds) {
    for (int i = 0; i < QUESTION_COUNT; i++)
        if ((a->f.answers[i].outcome == ANSWER_DIFFERS) != (kinds >> i & 1))
            fail_msg("%s: %s: %s", a->name, question_name((question)i), a->f.answers[i].text);
    assert_int_equal(fingerprint_holds(&a->f), !kinds && a->f.state == FINGERPRINT_ORDER);
}

/* An implementation, the lines that it is asked for, and what is found out. */
typedef struct known_fake {
    line_fake fake;
    cumsum_data_type type;
    uint32_t length;
    const char *name;       /* of the order; NULL: there is none */
    order_accumulator sums; /* in what */
    cumsum_half_store store;
    unsigned differs;     /* the questions whose answers differ, a bit for each */
    uint32_t least, most; /* outputs that have the order, if it ends */
    uint32_t minus_zeros; /* prefixes that give -0 */
    const char *digits;   /* of its accumulator, if there is no order; NULL: not compared */
} known_fake;

#define BFLOAT CUMSUM_DATA_TYPE_BFLOAT16
#define DOUBLE CUMSUM_DATA_TYPE_FLOAT64

static void expect_known(const known_fake *known, bool exclusive) {
    line_fake fake = known->fake;
    taken a = ask(
        &fake, (line_block){.type = known->type, .length = known->length, .exclusive = exclusive});
    expect_dependences(&a, known->differs);
    assert_int_equal(a.f.order.limit != 0, known->most != 0);
    if (!known->name) {
        assert_int_equal(a.f.state, FINGERPRINT_NONE);
        assert_true(strlen(a.f.reason) > 40);
        if (known->digits)
            assert_string_equal(a.f.answers[QUESTION_ACCUMULATOR].words, known->digits);
    } else if (a.f.state != FINGERPRINT_ORDER) {
        fail_msg("%s: %s", known->name, a.f.reason);
    } else {
        assert_string_equal(a.name, known->name);
        assert_int_equal(a.f.name_count, strcmp(known->name, "unnamed") != 0);
        assert_int_equal(a.f.order.arithmetic.accumulator, known->sums);
        assert_int_equal(a.f.order.arithmetic.minus_zeros, known->minus_zeros);
        assert_false(a.f.order.arithmetic.any_zero);
        if (known->type != HALF)
            assert_int_equal(a.f.order.arithmetic.store, known->store);
    }
    expect_outcome(&a, QUESTION_ACCUMULATOR, known->name ? ANSWER_NOT_ASKED : ANSWER_GIVEN);
    for (int i = 0; known->name && !known->differs && i <= QUESTION_PLACE; i++)
        expect_outcome(&a, (question)i, ANSWER_SAME);
    if (known->most) {
        assert_in_range(a.f.order.limit, known->least, known->most);
        assert_true(order_reach(&a.f.order, known->least, false));
        assert_false(order_reach(&a.f.order, known->most + 1, false));
    }
    fingerprint_free(&a.f);
}

#define KEEPS_MINUS .minus_zeros = ORDER_ALL_OUTPUTS

/* Of FLOAT32. */
static const known_fake orders[] = {
    {{.scan = scan_sequential}, FLOAT, 61, .name = "sequential"},
    {{.scan = scan_hillis_steele}, FLOAT, 61, .name = "hillis-steele", KEEPS_MINUS},
    {{.scan = scan_kogge_stone}, FLOAT, 61, .name = "hillis-steele", KEEPS_MINUS},
    {{.scan = scan_sklansky}, FLOAT, 61, .name = "sklansky", KEEPS_MINUS},
    {{.scan = scan_blelloch}, FLOAT, 61, .name = "blelloch"},
    {{.scan = scan_brent_kung}, FLOAT, 61, .name = "blelloch", KEEPS_MINUS},
    {{.scan = scan_blocked}, FLOAT, 61, .name = "blocked"},
    {{.scan = fake_right_to_left}, FLOAT, 61, .name = "right-to-left", KEEPS_MINUS},
    {{.scan = fake_first_minus_zero}, FLOAT, 61, .name = "sequential", .minus_zeros = 1},
    {{.scan = fake_first_minus_zero, .block = 8},
     FLOAT,
     61,
     .name = "sequential-8 of sequential",
     .minus_zeros = 1},
    {{.scan = scan_sequential, .block = 8}, FLOAT, 61, .name = "sequential-8 of sequential"},
    {{.scan = scan_sequential, .block = 24}, FLOAT, 61, .name = "sequential-24 of sequential"},
    {{.scan = fake_pairwise}, FLOAT, 61, .name = "unnamed", KEEPS_MINUS},
    {{.scan = scan_binary64}, FLOAT, 61, .name = "sequential", .sums = ACCUMULATOR_BINARY64}};
#define ORDERS (sizeof orders / sizeof orders[0])

/* The same of FLOAT16, whose sums are never rounded with a binary64 accumulator. */
static void orders_of_floats_and_halves(void) {
    for (size_t i = 0; i < ORDERS; i++) {
        known_fake known = orders[i];
        if (everything || i % 2)
            expect_known(&known, false);
        known.length = 64;
        if (everything || i % 2 == 0)
            expect_known(&known, true);
        known.type = HALF;
        known.length = 61;
        if (known.sums == ACCUMULATOR_BINARY32)
            expect_known(&known, false);
    }
}

static const known_fake others[] = {
    {{.scan = scan_sequential, .add = add_binary16},
     HALF,
     61,
     .name = "sequential",
     .sums = ACCUMULATOR_BINARY16},
    {{.scan = scan_binary64}, HALF, 61, .name = "exact", .sums = ACCUMULATOR_BINARY64_BINARY32},
    {{.scan = scan_sequential}, DOUBLE, 61, .name = "sequential", .sums = ACCUMULATOR_BINARY64},
    {{.scan = scan_sequential, .block = 24},
     DOUBLE,
     61,
     .name = "sequential-24 of sequential",
     .sums = ACCUMULATOR_BINARY64},
    {{.scan = scan_sequential}, BFLOAT, 61, .name = "sequential"},
    {{.scan = scan_sequential, .truncates = true},
     BFLOAT,
     61,
     .name = "sequential",
     .store = CUMSUM_HALF_STORE_TOWARD_ZERO},
    {{.scan = scan_sklansky}, BFLOAT, 61, .name = "sklansky", KEEPS_MINUS},
    {{.scan = scan_sequential, .block = 500}, BFLOAT, 61, .name = "sequential-500 of sequential"},
    {{.scan = scan_sequential, .add = add_bfloat16},
     BFLOAT,
     61,
     .name = "sequential",
     .sums = ACCUMULATOR_BFLOAT16},
    {{.scan = scan_binary64},
     BFLOAT,
     61,
     .name = "sequential",
     .sums = ACCUMULATOR_BINARY64_BINARY32},
    /* The shortest lines and the longest. */
    {{.scan = scan_sequential, .most = 5000}, HALF, 4, .name = "sequential"},
    {{.scan = scan_sequential, .most = 5000}, HALF, 2048, .name = "sequential"},
    /* The order of the first outputs does not go on, or goes on with the length of the line. */
    {{.scan = fake_zero_behind_128},
     FLOAT,
     100,
     .name = "sequential",
     .differs = 1 << QUESTION_PLACE,
     .least = 128,
     .most = 128},
    {{.scan = fake_changing_blocks},
     FLOAT,
     100,
     .name = "sequential-40 of sequential",
     .differs = 1 << QUESTION_PLACE,
     .least = 2000,
     .most = 2064},
    {{.scan = fake_eighths},
     FLOAT,
     100,
     .name = "sequential-13 of sequential",
     .differs = 1 << QUESTION_LENGTH,
     .least = 100,
     .most = 100},
    /* No tree of additions rounded to nearest gives these outputs, which depend on nothing. */
    {{.scan = fake_compensated}, FLOAT, .length = 61, .digits = "more digits than FLOAT32"},
    {{.scan = scan_sequential, .add = add_truncating}, FLOAT, .length = 61, .digits = "FLOAT32"},
    {{.scan = fake_late}, FLOAT, .length = 61},
    {{.scan = fake_no_subnormals}, HALF, .length = 61},
    {{.scan = fake_three_at_once}, FLOAT, .length = 61}}; /* slow */

static void other_fakes(void) {
    const size_t count = sizeof others / sizeof others[0];
    for (size_t i = 0; i < count - !everything; i++) {
        expect_known(&others[i], false);
        if (others[i].type == DOUBLE || others[i].digits)
            expect_known(&others[i], true);
    }
}

/* A simple order takes few probes. */
static void probes_are_few(void) {
    line_fake sequential = {.scan = scan_sequential};
    line_fake sklansky = {.scan = scan_sklansky};
    taken a = ask(&sequential, (line_block){.type = FLOAT, .length = 256});
    taken b = ask(&sklansky, (line_block){.type = FLOAT, .length = 256});
    assert_int_equal(a.f.order.probes, 255);
    assert_true(b.f.order.probes < 256 * 255 / 8);
    fingerprint_free(&a.f);
    fingerprint_free(&b.f);
}

/* Which lines another order adds: an order for each question that must notice. */
static struct {
    question kind;
    line_layout layout;
    uint32_t run;
} bad;

static bool is_bad(const line_block *b, uint32_t line, uint32_t run) {
    switch (bad.kind) {
    case QUESTION_LINE:
        return line % 2;
    case QUESTION_LINES:
        return b->lines < 3;
    case QUESTION_LENGTH:
        return b->length > 100;
    case QUESTION_LAYOUT:
        return b->layout == bad.layout;
    default:
        return bad.run ? run == bad.run : b->length > 1000 && run % 2;
    }
}

static taken ask_bad(void) {
    line_fake fake = {.scan = scan_sequential, .other = scan_sklansky, .when = is_bad};
    return ask(&fake, (line_block){.type = FLOAT, .length = 40});
}

/* Each dependence shows in its check, and in no other. */
static void dependences(void) {
    static const question kinds[] = {QUESTION_LINE, QUESTION_LINES, QUESTION_LENGTH};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bad.kind = kinds[i];
        taken a = ask_bad();
        assert_int_equal(a.f.state,
                         bad.kind == QUESTION_LINE ? FINGERPRINT_UNSTABLE : FINGERPRINT_ORDER);
        expect_dependences(&a, 1u << bad.kind);
        fingerprint_free(&a.f);
    }
    bad.kind = QUESTION_LAYOUT;
    for (int kind = LINES_ACROSS; kind < LINES_LAYOUT_COUNT; kind++) {
        bad.layout = (line_layout)kind;
        taken a = ask_bad();
        expect_dependences(&a, 1u << QUESTION_LAYOUT);
        fingerprint_free(&a.f);
    }
}

/* Runs of units alone: their sums are the same in every order. */
#define SAME_IN_EVERY_ORDER 1

/* Whichever run it is that differs, and if it is one of long lines only, that is what is said. */
static void runs_that_differ(void) {
    line_fake fake = {.scan = scan_sequential};
    taken a = ask(&fake, (line_block){.type = FLOAT, .length = 40});
    int unseen = 0;
    fingerprint_free(&a.f);
    bad.kind = QUESTION_RUNS;
    for (bad.run = 0; bad.run <= fake.runs; bad.run++) {
        a = ask_bad();
        if (a.f.state == FINGERPRINT_UNSTABLE)
            expect_dependences(&a, 1u << QUESTION_RUNS);
        else if (bad.run == 0 || strcmp(a.name, "sequential") != 0 || !fingerprint_holds(&a.f) ||
                 unseen++ == SAME_IN_EVERY_ORDER)
            fail_msg("run %u of %u: %s", bad.run, fake.runs, a.name);
        fingerprint_free(&a.f);
    }
}

/* Blocks of any size are named, also those that are longer than the lines whose trees are found. */
static void blocks_of_any_size(void) {
    static const struct {
        textbook_scan *scan;
        const char *kind;
    } within[] = {{scan_sequential, "sequential"},
                  {scan_sklansky, "sklansky"},
                  {scan_hillis_steele, "hillis-steele"}};
    static const uint32_t sizes[] = {3, 17, 38, 39, 40, 41, 64, 256, 1000, 1024, 4096, 7777};
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t size = sizes[i / 3];
        if (!everything && (i / 3 % 3 != i % 3 || size > 1024))
            continue;
        line_fake fake = {.scan = within[i % 3].scan, .block = size};
        char name[CUMSUM_ORDER_TEXT];
        const line_block block = {
            .type = i % 2 ? HALF : FLOAT, .length = 40, .exclusive = i % 5 == 0};
        taken a = ask_far(&fake, block, size < 1000 ? 4099 : 5 * size + 3);
        snprintf(name, sizeof name, "%s-%u of sequential",
                 size == 3 && i % 3 != 2 ? "sequential" : within[i % 3].kind, size);
        assert_int_equal(a.f.state, FINGERPRINT_ORDER);
        assert_string_equal(a.name, name);
        expect_dependences(&a, 0);
        fingerprint_free(&a.f);
    }
}

/* One output has one addition in another place: the order has no name, and the other outputs keep
 * their trees. */
static void one_addition(void) {
    line_fake fake = {.scan = fake_one_reassociated};
    taken a = ask(&fake, (line_block){.type = FLOAT, .length = 61});
    assert_int_equal(a.f.state, FINGERPRINT_ORDER);
    assert_string_equal(a.name, "unnamed");
    order_graph *g = &a.f.order.graph;
    uint32_t sum = 0;
    for (uint32_t k = 1; k < 61; k++) {
        const uint32_t reassociated =
            k > 2 ? order_graph_add(g, a.f.order.roots[k - 2], order_graph_add(g, k - 1, k)) : 0;
        sum = order_graph_add(g, sum, k);
        assert_int_equal(a.f.order.roots[k], k == REASSOCIATED_OUTPUT ? reassociated : sum);
    }
    fingerprint_free(&a.f);
}

/* An order that was found gives the bits of other data than those that it was found with, in longer
 * lines. */
static void orders_hold(void) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const known_fake *known = &others[i];
        line_fake fake = known->fake;
        const line_runner runner = {line_fake_run, &fake, NULL};
        const line_block block = {.type = known->type, .lines = 24, .length = 3000};
        tool_error error;
        line_trial t;
        if (!known->name || known->differs)
            continue;
        taken a = ask(&fake, (line_block){.type = known->type, .length = known->length});
        assert_true(order_reach(&a.f.order, block.length, false));
        line_trial_init(&t, &block, block.lines, 9);
        assert_int_equal(line_trial_run(&runner, &t, &error), TOOL_OK);
        if (order_compare(&a.f.order, &t).kind != LINES_EQUAL)
            fail_msg("%s", a.name);
        line_trial_free(&t);
        fingerprint_free(&a.f);
    }
}

/* A fake of which one run, counted from 1, fails or is not supported. It has no order, so that all
 * questions are asked. */
typedef struct failing_fake {
    line_fake fake;
    uint32_t number;
    tool_status status;
} failing_fake;

static tool_status run_failing(void *state, const line_block *block, const void *input,
                               void *output, tool_error *error) {
    failing_fake *f = state;
    const tool_status status = line_fake_run(&f->fake, block, input, output, error);
    return f->fake.runs == f->number ? tool_fail(error, f->status, "it ended") : status;
}

static tool_status take_failing(fingerprint *f, uint32_t number, tool_status with,
                                tool_error *error) {
    failing_fake fake = {{.scan = fake_compensated}, number, with};
    const line_runner runner = {run_failing, &fake, NULL};
    const line_block block = {.type = FLOAT, .lines = LINES, .length = 40};
    return fingerprint_take(f, &runner, &block, RUNS, 1100, error);
}

/* What cannot be computed is not an answer. */
static void runs_not_available(void) {
    unsigned seen = 0;
    tool_error error;
    tool_status status = TOOL_SKIPPED;
    for (uint32_t number = 1; number < 40; number++) {
        fingerprint f;
        status = take_failing(&f, number, TOOL_SKIPPED, &error);
        assert_true(status == TOOL_OK || status == TOOL_SKIPPED);
        for (int i = 0; i < QUESTION_COUNT && status == TOOL_OK; i++) {
            if (f.answers[i].outcome == ANSWER_UNAVAILABLE) {
                assert_string_equal(f.answers[i].words, "not available");
                assert_string_equal(f.answers[i].text, "it ended");
                seen |= 1u << i;
            }
        }
        fingerprint_free(&f);
    }
    for (int i = 0; i < QUESTION_COUNT; i++) /* of two kinds nothing runs for them alone */
        if (i != QUESTION_LINE && i != QUESTION_PLACE && !(seen >> i & 1))
            fail_msg("%s is never unavailable", question_name((question)i));
}

/* The question that a message names, -1 if it names none. */
static int question_named(const tool_error *error) {
    int named = -1;
    for (int i = 0; i < QUESTION_COUNT; i++) {
        char words[100];
        snprintf(words, sizeof words, "question '%s': it ended",
                 i == QUESTION_PLACE ? "order" : question_name((question)i));
        if (strncmp(error->message, words, strlen(words)) == 0)
            named = i;
    }
    return named;
}

/* A run that fails ends all, and the message names the question. What was found before is kept. */
static void runs_that_fail(void) {
    uint32_t named = 0;
    tool_status status = TOOL_ENVIRONMENT;
    for (uint32_t number = 1; status != TOOL_OK; number++) {
        tool_error error;
        fingerprint f;
        status = take_failing(&f, number, TOOL_ENVIRONMENT, &error);
        const int asked = status == TOOL_OK ? -1 : question_named(&error);
        if (status != TOOL_OK && number == 1)
            assert_string_equal(error.message, "it ended");
        else if (status != TOOL_OK && asked < 0)
            fail_msg("run %u: %s", number, error.message);
        for (int i = asked; asked >= 0 && i < QUESTION_COUNT; i++)
            assert_int_equal(f.answers[i].outcome, ANSWER_NOT_ASKED);
        if (status != TOOL_OK)
            assert_int_equal(f.state,
                             asked > QUESTION_PLACE ? FINGERPRINT_NONE : FINGERPRINT_UNKNOWN);
        named |= asked >= 0 ? 1u << asked : 0;
        fingerprint_free(&f);
    }
    for (int i = 0; i < QUESTION_COUNT; i++)
        if (i != QUESTION_LINE && !(named >> i & 1))
            fail_msg("no message names %s", question_name((question)i));
}

static void read_argument(void) {
    everything = check_argument(0) != NULL;
}

CHECK_GROUP_WITH(test_fingerprint, read_argument, NULL, T(orders_of_floats_and_halves),
                 T(other_fakes), T(probes_are_few), T(dependences), T(runs_that_differ),
                 T(blocks_of_any_size), T(one_addition), T(orders_hold), T(runs_not_available),
                 T(runs_that_fail));
