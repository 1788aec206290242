/* SPDX-License-Identifier: MIT */
/* Orders of addition, found out from the outputs of implementations whose order is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fingerprint.h"
#include "line_models.h"
#include "order_fit.h"

#define HALF  CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT CUMSUM_DATA_TYPE_FLOAT32

#define LINES 64u
#define RUNS  3u

typedef struct answer {
    fingerprint f;
    char name[ORDER_NAME_TEXT];
} answer;

/* Each output of these takes as long as all before it. */
static bool is_slow(textbook_scan *scan) {
    return scan == model_right_to_left || scan == model_pairwise || scan == model_three_at_once;
}

/* fingerprint_end frees what the answer holds. */
static answer ask_far(line_model *model, line_block block, uint32_t longest) {
    const line_runner runner = {line_model_run, model};
    answer a;
    tool_error error = {""};
    block.lines = LINES;
    if (is_slow(model->scan))
        model->most = 1100;
    if (fingerprint_take(&a.f, &runner, &block, RUNS, longest, &error) != TOOL_OK)
        fail_msg("%s", error.message);
    order_name_text(a.name, a.f.order.name);
    return a;
}

static answer ask(line_model *model, line_block block) {
    return ask_far(model, block, 4099);
}

static void expect_outcome(const answer *a, dependence_kind kind, dependence_outcome outcome) {
    const dependence *d = &a->f.depends[kind];
    if (d->outcome != outcome)
        fail_msg("%s: %s: %d: %s", a->name, dependence_name(kind), (int)d->outcome, d->text);
}

/* Only these differ: `kinds` has a bit for each. */
static void expect_dependences(const answer *a, unsigned kinds) {
    for (int i = 0; i < DEPENDENCE_COUNT; i++)
        if ((a->f.depends[i].outcome == DEPENDENCE_FOUND) != (kinds >> i & 1))
            fail_msg("%s: %s: %s", a->name, dependence_name((dependence_kind)i),
                     a->f.depends[i].text);
    assert_int_equal(fingerprint_holds(&a->f), !kinds && a->f.state == FINGERPRINT_ORDER);
}

typedef struct known_order {
    textbook_scan *scan;
    const char *name;
    order_tally tally;
} known_order;

static void expect_name(const known_order *known, line_block block) {
    line_model model = {.scan = known->scan};
    answer a = ask(&model, block);
    if (a.f.state != FINGERPRINT_ORDER)
        fail_msg("%s: %s", known->name, a.f.reason);
    assert_string_equal(a.name, known->name);
    assert_int_equal(a.f.order.arithmetic.tally, known->tally);
    assert_int_equal(a.f.name_count, strcmp(known->name, "unnamed") != 0);
    for (int i = 0; i < DEPENDENCE_COUNT; i++)
        expect_outcome(&a, (dependence_kind)i, DEPENDENCE_NONE);
    expect_dependences(&a, 0);
    fingerprint_end(&a.f);
}

static const known_order float_orders[] = {{scan_sequential, "sequential", TALLY_BINARY32},
                                           {scan_hillis_steele, "hillis-steele", TALLY_BINARY32},
                                           {scan_kogge_stone, "hillis-steele", TALLY_BINARY32},
                                           {scan_sklansky, "sklansky", TALLY_BINARY32},
                                           {scan_blelloch, "blelloch", TALLY_BINARY32},
                                           {scan_brent_kung, "blelloch", TALLY_BINARY32},
                                           {scan_blocked, "blocked", TALLY_BINARY32},
                                           {model_right_to_left, "right-to-left", TALLY_BINARY32},
                                           {scan_binary64, "sequential", TALLY_BINARY64},
                                           {model_blocks_of_8, "blocked-8", TALLY_BINARY32},
                                           {model_blocks_of_24, "blocked-24", TALLY_BINARY32},
                                           {model_pairwise, "unnamed", TALLY_BINARY32}};

static void orders_of_float32(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof float_orders / sizeof float_orders[0]; i++) {
        expect_name(&float_orders[i], (line_block){.type = FLOAT, .length = 61});
        expect_name(&float_orders[i], (line_block){.type = FLOAT, .length = 64, .exclusive = true});
    }
}

/* With a binary64 accumulator sums of FLOAT16 elements are never rounded. */
static void orders_of_float16(void **state) {
    (void)state;
    const known_order narrow = {model_binary16, "sequential", TALLY_BINARY16};
    const known_order wide = {scan_binary64, "exact", TALLY_BINARY64_BINARY32};
    for (size_t i = 0; i < sizeof float_orders / sizeof float_orders[0]; i++)
        if (float_orders[i].scan != scan_binary64)
            expect_name(&float_orders[i], (line_block){.type = HALF, .length = 61});
    expect_name(&narrow, (line_block){.type = HALF, .length = 61});
    expect_name(&wide, (line_block){.type = HALF, .length = 61});
}

static void expect_model(line_model *model, line_block block, const char *name, order_tally tally,
                         cumsum_half_store store) {
    answer a = ask(model, block);
    if (a.f.state != FINGERPRINT_ORDER)
        fail_msg("%s: %s", name, a.f.reason);
    assert_string_equal(a.name, name);
    assert_int_equal(a.f.order.arithmetic.tally, tally);
    assert_int_equal(a.f.order.arithmetic.store, store);
    expect_dependences(&a, 0);
    fingerprint_end(&a.f);
}

static void orders_of_float64(void **state) {
    (void)state;
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        const line_block block = {
            .type = CUMSUM_DATA_TYPE_FLOAT64, .length = 61, .exclusive = exclusive};
        line_model sequential = {.wide = model_wide_sequential};
        line_model blocks = {.wide = model_wide_blocks};
        expect_model(&sequential, block, "sequential", TALLY_BINARY64, 0);
        expect_model(&blocks, block, "blocked-24", TALLY_BINARY64, 0);
    }
}

static void orders_of_bfloat16(void **state) {
    (void)state;
    const line_block block = {.type = CUMSUM_DATA_TYPE_BFLOAT16, .length = 61};
    static const struct {
        textbook_scan *scan;
        uint32_t blocks;
        bool truncates;
        const char *name;
        order_tally tally;
    } of[] = {{scan_sequential, 0, false, "sequential", TALLY_BINARY32},
              {scan_sequential, 0, true, "sequential", TALLY_BINARY32},
              {scan_sklansky, 0, false, "sklansky", TALLY_BINARY32},
              {scan_sequential, 500, false, "blocked-500", TALLY_BINARY32},
              {model_bfloat16, 0, false, "sequential", TALLY_BFLOAT16},
              {scan_binary64, 0, false, "sequential", TALLY_BINARY64_BINARY32}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        line_model model = {
            .scan = of[i].scan, .block = of[i].blocks, .truncates = of[i].truncates};
        expect_model(&model, block, of[i].name, of[i].tally,
                     of[i].truncates ? CUMSUM_HALF_STORE_TOWARD_ZERO
                                     : CUMSUM_HALF_STORE_NEAREST_EVEN);
    }
}

/* A simple order takes few probes. */
static void probes_are_few(void **state) {
    (void)state;
    line_model sequential = {.scan = scan_sequential};
    line_model sklansky = {.scan = scan_sklansky};
    answer a = ask(&sequential, (line_block){.type = FLOAT, .length = 256});
    answer b = ask(&sklansky, (line_block){.type = FLOAT, .length = 256});
    assert_int_equal(a.f.probes, 255);
    assert_true(b.f.probes < 256 * 255 / 8);
    fingerprint_end(&a.f);
    fingerprint_end(&b.f);
}

static void shortest_and_longest(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        line_model model = {.scan = scan_sequential, .most = 5000};
        answer a = ask(&model, (line_block){.type = HALF, .length = i ? 2048 : 4});
        assert_int_equal(a.f.state, FINGERPRINT_ORDER);
        assert_string_equal(a.name, "sequential");
        fingerprint_end(&a.f);
    }
}

/* Implementations whose outputs no tree of additions rounded to nearest gives have no order. They
 * depend on nothing, and this is told apart. */
static void no_order(void **state) {
    (void)state;
    static textbook_scan *const scans[] = {model_three_at_once, model_compensated, model_truncating,
                                           model_late, model_no_subnormals};
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        line_model model = {.scan = scans[i]};
        answer a = ask(&model, (line_block){.type = scans[i] == model_no_subnormals ? HALF : FLOAT,
                                            .length = 61});
        assert_int_equal(a.f.state, FINGERPRINT_NONE);
        assert_true(strlen(a.f.reason) > 40);
        if (scans[i] != model_late) /* of exclusive sums it makes others */
            expect_dependences(&a, 0);
        assert_false(fingerprint_holds(&a.f));
        fingerprint_end(&a.f);
    }
}

static bool few_lines(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    (void)run;
    return b->lines < 3;
}

static bool long_line(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    (void)run;
    return b->length > 100;
}

static bool with_gaps(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    (void)run;
    return b->layout == LINES_WITH_GAPS;
}

static bool is_decreasing(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    (void)run;
    return b->decreasing;
}

static bool is_exclusive(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    (void)run;
    return b->exclusive;
}

static bool odd_lines(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)run;
    return line % 2 == 1;
}

static bool one_line(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)run;
    return line == 3;
}

static bool upper_lines(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)run;
    return line >= 32;
}

/* Each dependence shows in its check, and in no other. */
static void dependences(void **state) {
    (void)state;
    static const struct {
        dependence_kind kind;
        bool (*when)(const line_block *, uint32_t, uint32_t);
    } of[] = {{ON_LINE, odd_lines},          {ON_LINE, one_line},    {ON_LINE, upper_lines},
              {ON_LINES, few_lines},         {ON_LENGTH, long_line}, {ON_LAYOUT, with_gaps},
              {ON_DIRECTION, is_decreasing}, {ON_SUM, is_exclusive}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        line_model model = {.scan = scan_sequential, .other = scan_sklansky, .when = of[i].when};
        answer a = ask(&model, (line_block){.type = FLOAT, .length = 40});
        assert_int_equal(a.f.state,
                         of[i].kind == ON_LINE ? FINGERPRINT_UNSTABLE : FINGERPRINT_ORDER);
        expect_dependences(&a, 1u << of[i].kind);
        fingerprint_end(&a.f);
    }
}

static uint32_t bad_run;

static bool is_bad_run(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)line;
    return run == bad_run;
}

static bool long_and_odd_run(const line_block *b, uint32_t line, uint32_t run) {
    (void)line;
    return b->length > 1000 && run % 2;
}

/* Whichever run it is that differs, and if it is one of long lines only, that is what is said. */
static void runs_that_differ(void **state) {
    (void)state;
    const line_block block = {.type = FLOAT, .length = 40};
    line_model model = {.scan = scan_sequential};
    answer a = ask(&model, block);
    const uint32_t all = model.runs;
    int unseen = 0;
    fingerprint_end(&a.f);
    for (bad_run = 1; bad_run <= all; bad_run++) {
        model = (line_model){.scan = scan_sequential, .other = scan_sklansky, .when = is_bad_run};
        a = ask(&model, block);
        /* Lines of units alone have the same sums in every order. */
        if (a.f.state == FINGERPRINT_UNSTABLE)
            expect_dependences(&a, 1u << ON_RUN);
        else if (strcmp(a.name, "sequential") != 0 || !fingerprint_holds(&a.f) || unseen++)
            fail_msg("run %u of %u: %s", bad_run, all, a.name);
        fingerprint_end(&a.f);
    }
    model = (line_model){.scan = scan_sequential, .other = scan_sklansky, .when = long_and_odd_run};
    a = ask(&model, block);
    assert_int_equal(a.f.state, FINGERPRINT_UNSTABLE);
    expect_dependences(&a, 1u << ON_RUN);
    fingerprint_end(&a.f);
}

/* The order of the first outputs does not go on, or goes on with the length of the line. */
static void orders_that_end(void **state) {
    (void)state;
    static const struct {
        textbook_scan *scan;
        const char *name;
        dependence_kind kind;
        uint32_t least, most; /* of the outputs that have the order */
    } of[] = {{model_zero_behind_128, "sequential", ON_PLACE, 128, 128},
              {model_changing_blocks, "blocked-40", ON_PLACE, 2000, 2064},
              {model_eighths, "blocked-13", ON_LENGTH, 100, 100}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        for (int type = 0; type < 2; type++) {
            line_model model = {.scan = of[i].scan};
            answer a = ask(&model, (line_block){.type = type ? HALF : FLOAT, .length = 100});
            assert_int_equal(a.f.state, FINGERPRINT_ORDER);
            assert_string_equal(a.name, of[i].name);
            expect_dependences(&a, 1u << of[i].kind);
            assert_in_range(a.f.order.limit, of[i].least, of[i].most);
            assert_true(order_reach(&a.f.order, of[i].least, false));
            assert_false(order_reach(&a.f.order, of[i].most + 1, false));
            fingerprint_end(&a.f);
        }
    }
}

/* Blocks of any size are named, also those that are longer than the lines whose trees are found. */
static void blocks_of_any_size(void **state) {
    (void)state;
    static const struct {
        textbook_scan *scan;
        const char *suffix;
    } within[] = {{scan_sequential, ""},
                  {scan_sklansky, "-sklansky"},
                  {scan_hillis_steele, "-hillis-steele"}};
    static const uint32_t sizes[] = {3, 17, 38, 39, 40, 41, 64, 256, 1000, 1024, 4096, 7777};
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t size = sizes[i / 3];
        line_model model = {.scan = within[i % 3].scan, .block = size};
        char name[ORDER_NAME_TEXT];
        const line_block block = {
            .type = i % 2 ? HALF : FLOAT, .length = 40, .exclusive = i % 5 == 0};
        answer a = ask_far(&model, block, size < 1000 ? 4099 : 5 * size + 3);
        snprintf(name, sizeof name, "blocked-%u%s", size,
                 size == 3 && i % 3 != 2 ? "" : within[i % 3].suffix);
        assert_int_equal(a.f.state, FINGERPRINT_ORDER);
        assert_string_equal(a.name, name);
        expect_dependences(&a, 0);
        fingerprint_end(&a.f);
    }
}

static void minus_zeros(void **state) {
    (void)state;
    static const struct {
        textbook_scan *scan;
        uint32_t block;
        uint32_t kept;
    } of[] = {{scan_sequential, 0, 0},
              {scan_sklansky, 0, ORDER_ALL_OUTPUTS},
              {model_first_minus_zero, 0, 1},
              {model_first_minus_zero, 8, 1}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        for (int type = 0; type < 4; type++) {
            line_model model = {.scan = of[i].scan, .block = of[i].block};
            answer a = ask(
                &model,
                (line_block){.type = type % 2 ? HALF : FLOAT, .length = 40, .exclusive = type > 1});
            assert_int_equal(a.f.order.arithmetic.minus_zeros, of[i].kept);
            assert_false(a.f.order.arithmetic.any_zero);
            expect_dependences(&a, 0);
            fingerprint_end(&a.f);
        }
    }
}

/* One output has one addition in another place: the order has no name, and the other outputs keep
 * their trees. */
static void one_addition(void **state) {
    (void)state;
    line_model model = {.scan = model_one_reassociated};
    answer a = ask(&model, (line_block){.type = FLOAT, .length = 61});
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
    fingerprint_end(&a.f);
}

/* A saved order gives the bits of other data than those that it was found with, in longer lines. */
static void saved_orders_hold(void **state) {
    (void)state;
    static const char path[] = "test_fingerprint_order.json";
    static const struct {
        line_model model;
        cumsum_data_type type;
    } of[] = {{{.scan = scan_sequential, .block = 256}, FLOAT},
              {{.scan = scan_sklansky, .block = 1000}, HALF},
              {{.scan = model_first_minus_zero}, FLOAT},
              {{.scan = model_first_minus_zero, .block = 8}, HALF},
              {{.scan = scan_binary64}, FLOAT},
              {{.scan = scan_binary64}, HALF},
              {{.scan = model_bfloat16}, CUMSUM_DATA_TYPE_BFLOAT16},
              {{.scan = scan_binary64}, CUMSUM_DATA_TYPE_BFLOAT16},
              {{.wide = model_wide_blocks}, CUMSUM_DATA_TYPE_FLOAT64}};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        line_model model = of[i].model;
        const line_runner runner = {line_model_run, &model};
        const line_block block = {.type = of[i].type, .lines = 24, .length = 3000};
        char text[LINE_DIFFERENCE_TEXT];
        tool_error error;
        saved_order back;
        line_trial t;
        answer a = ask(&model, (line_block){.type = of[i].type, .length = 40});
        assert_int_equal(order_file_write(path, &a.f.order, "", &error), TOOL_OK);
        if (order_file_read(path, &back, &error) != TOOL_OK)
            fail_msg("%s", error.message);
        assert_true(order_reach(&back, block.length, false));
        line_trial_begin(&t, &block, block.lines, 9);
        assert_int_equal(line_trial_run(&runner, &t, &error), TOOL_OK);
        if (order_compare(&back, &t, text) != block.length)
            fail_msg("%s: %s", a.name, text);
        line_trial_end(&t);
        saved_order_free(&back);
        fingerprint_end(&a.f);
    }
    remove(path);
}

/* The named orders give the bits of the textbook scans, also for lines longer than any that were
 * probed. */
static void names_mean_what_they_say(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof float_orders / sizeof float_orders[0]; i++) {
        saved_order order = {.type = FLOAT};
        line_model model = {.scan = float_orders[i].scan};
        const line_runner runner = {line_model_run, &model};
        const line_block block = {.type = FLOAT, .lines = 12, .length = 1300};
        line_trial t;
        char text[LINE_DIFFERENCE_TEXT];
        assert_true(order_name_read(float_orders[i].name, &order.name));
        if (order.name.kind == ORDER_UNNAMED)
            continue;
        assert_true(order_reach(&order, block.length, false));
        line_trial_begin(&t, &block, block.lines, 1);
        assert_int_equal(line_trial_run(&runner, &t, NULL), TOOL_OK);
        if (!order_fit(&order, &t, text))
            fail_msg("%s: %s", float_orders[i].name, text);
        assert_int_equal(order.arithmetic.tally, float_orders[i].tally);
        line_trial_end(&t);
        saved_order_free(&order);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_float32),  cmocka_unit_test(orders_of_float16),
        cmocka_unit_test(orders_of_float64),  cmocka_unit_test(orders_of_bfloat16),
        cmocka_unit_test(probes_are_few),     cmocka_unit_test(shortest_and_longest),
        cmocka_unit_test(no_order),           cmocka_unit_test(dependences),
        cmocka_unit_test(runs_that_differ),   cmocka_unit_test(orders_that_end),
        cmocka_unit_test(blocks_of_any_size), cmocka_unit_test(minus_zeros),
        cmocka_unit_test(one_addition),       cmocka_unit_test(names_mean_what_they_say),
        cmocka_unit_test(saved_orders_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
