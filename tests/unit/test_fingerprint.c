/* SPDX-License-Identifier: MIT */
/* Orders of addition, found out from the outputs of implementations whose order is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "line_models.h"
#include "order_discover.h"
#include "order_fit.h"

#define HALF  CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT CUMSUM_DATA_TYPE_FLOAT32

typedef struct answer {
    tool_status status;
    saved_order order;
    char name[ORDER_NAME_TEXT];
    order_check checks[ORDER_CHECKS];
    uint64_t probes;
    tool_error error;
} answer;

static tool_status name_order(const line_runner *runner, const line_block *block, answer *a) {
    order_found found;
    named_order names[4] = {{ORDER_UNNAMED, 0}};
    tool_status status = order_discover(runner, block, &found, &a->error);
    if (status != TOOL_OK)
        return status;
    a->probes = found.probes;
    if (found.exact)
        names[0].kind = ORDER_EXACT;
    else
        order_find_names(&found.graph, found.roots, found.outputs, names, 4);
    a->order = (saved_order){.type = block->type,
                             .name = names[0],
                             .graph = found.graph,
                             .roots = found.roots,
                             .outputs = found.outputs};
    order_name_text(a->name, names[0]);
    return TOOL_OK;
}

/* saved_order_free frees what the answer holds. */
static answer take_fingerprint(line_model *model, line_block block) {
    const line_runner runner = {line_model_run, model};
    answer a = {.status = TOOL_OK};
    block.lines = 64;
    a.status = name_order(&runner, &block, &a);
    if (a.status == TOOL_OK)
        a.status = order_fit(&runner, &block, &a.order, &a.error);
    if (a.status == TOOL_OK)
        a.status = order_checks_run(&runner, &block, &a.order, a.checks, &a.error);
    return a;
}

typedef struct known_order {
    textbook_scan *scan;
    const char *name;
    order_tally tally;
} known_order;

static void expect_name(const known_order *known, line_block block) {
    line_model model = {.scan = known->scan};
    answer a = take_fingerprint(&model, block);
    if (a.status != TOOL_OK)
        fail_msg("%s: %s", known->name, a.error.message);
    assert_string_equal(a.name, known->name);
    assert_int_equal(a.order.arithmetic.tally, known->tally);
    for (int i = 0; i < ORDER_CHECKS; i++)
        if (a.checks[i].outcome != CHECK_SAME && known->scan != model_pairwise)
            fail_msg("%s: %s: %s", known->name, a.checks[i].name, a.checks[i].text);
    saved_order_free(&a.order);
}

static const known_order float_orders[] = {{scan_sequential, "sequential", TALLY_BINARY32},
                                           {scan_hillis_steele, "hillis-steele", TALLY_BINARY32},
                                           {scan_kogge_stone, "hillis-steele", TALLY_BINARY32},
                                           {scan_sklansky, "sklansky", TALLY_BINARY32},
                                           {scan_blelloch, "blelloch", TALLY_BINARY32},
                                           {scan_brent_kung, "blelloch", TALLY_BINARY32},
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
    const known_order wide = {scan_binary64, "exact", TALLY_BINARY32};
    for (size_t i = 0; i < sizeof float_orders / sizeof float_orders[0]; i++)
        if (float_orders[i].scan != scan_binary64)
            expect_name(&float_orders[i], (line_block){.type = HALF, .length = 61});
    expect_name(&narrow, (line_block){.type = HALF, .length = 61});
    expect_name(&wide, (line_block){.type = HALF, .length = 61});
}

/* A simple order takes few probes. */
static void probes_are_few(void **state) {
    (void)state;
    line_model sequential = {.scan = scan_sequential};
    line_model sklansky = {.scan = scan_sklansky};
    answer a = take_fingerprint(&sequential, (line_block){.type = FLOAT, .length = 256});
    answer b = take_fingerprint(&sklansky, (line_block){.type = FLOAT, .length = 256});
    assert_int_equal(a.probes, 255);
    assert_true(b.probes < 256 * 255 / 8);
    saved_order_free(&a.order);
    saved_order_free(&b.order);
}

static void shortest_and_longest(void **state) {
    (void)state;
    line_model model = {.scan = scan_sequential};
    for (int i = 0; i < 2; i++) {
        const line_runner runner = {line_model_run, &model};
        const line_block block = {.type = HALF, .lines = 3, .length = i ? 2048 : 4};
        answer a = {.status = TOOL_OK};
        assert_int_equal(name_order(&runner, &block, &a), TOOL_OK);
        assert_string_equal(a.name, "sequential");
        saved_order_free(&a.order);
    }
}

/* Implementations whose outputs no tree of additions rounded to nearest gives have no order. */
static void no_order(void **state) {
    (void)state;
    static textbook_scan *const scans[] = {model_three_at_once, model_compensated, model_truncating,
                                           model_late, model_no_subnormals};
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        line_model model = {.scan = scans[i]};
        answer a = take_fingerprint(
            &model,
            (line_block){.type = scans[i] == model_no_subnormals ? HALF : FLOAT, .length = 61});
        assert_int_equal(a.status, TOOL_MISMATCH);
        assert_true(strlen(a.error.message) > 40);
        saved_order_free(&a.order);
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

/* Discovery takes two runs here and the fit one: the checks start with the fourth. */
static bool fifth_run(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)line;
    return run == 5;
}

/* Each dependence shows in its check, and in no other. */
static void dependences(void **state) {
    (void)state;
    static bool (*const when[ORDER_CHECKS])(const line_block *, uint32_t, uint32_t) = {
        fifth_run, few_lines, long_line, with_gaps, is_decreasing, is_exclusive};
    for (int i = 0; i < ORDER_CHECKS; i++) {
        line_model model = {.scan = scan_sequential, .other = scan_sklansky, .when = when[i]};
        answer a = take_fingerprint(&model, (line_block){.type = FLOAT, .length = 40});
        assert_int_equal(a.status, TOOL_OK);
        for (int c = 0; c < ORDER_CHECKS; c++)
            assert_int_equal(a.checks[c].outcome, c == i ? CHECK_DIFFERS : CHECK_SAME);
        saved_order_free(&a.order);
    }
}

static bool odd_line(const line_block *b, uint32_t line, uint32_t run) {
    (void)b;
    (void)run;
    return line == 3;
}

/* One line of many is added in another order: the test data show it. */
static void another_line(void **state) {
    (void)state;
    line_model model = {.scan = scan_sequential, .other = model_blocks_of_8, .when = odd_line};
    answer a = take_fingerprint(&model, (line_block){.type = FLOAT, .length = 40});
    assert_int_equal(a.status, TOOL_MISMATCH);
    saved_order_free(&a.order);
}

/* One output has one addition in another place: the order has no name, and the other outputs keep
 * their trees. */
static void one_addition(void **state) {
    (void)state;
    line_model model = {.scan = model_one_reassociated};
    answer a = take_fingerprint(&model, (line_block){.type = FLOAT, .length = 61});
    assert_int_equal(a.status, TOOL_OK);
    assert_string_equal(a.name, "unnamed");
    order_graph *g = &a.order.graph;
    uint32_t sum = 0;
    for (uint32_t k = 1; k < 61; k++) {
        const uint32_t reassociated =
            k > 2 ? order_graph_add(g, a.order.roots[k - 2], order_graph_add(g, k - 1, k)) : 0;
        sum = order_graph_add(g, sum, k);
        assert_int_equal(a.order.roots[k], k == REASSOCIATED_OUTPUT ? reassociated : sum);
    }
    saved_order_free(&a.order);
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
        tool_error error;
        assert_true(order_name_read(float_orders[i].name, &order.name));
        if (order.name.kind == ORDER_UNNAMED)
            continue;
        assert_true(order_reach(&order, block.length, false));
        if (order_fit(&runner, &block, &order, &error) != TOOL_OK)
            fail_msg("%s: %s", float_orders[i].name, error.message);
        assert_int_equal(order.arithmetic.tally, float_orders[i].tally);
        saved_order_free(&order);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_float32),
        cmocka_unit_test(orders_of_float16),
        cmocka_unit_test(probes_are_few),
        cmocka_unit_test(shortest_and_longest),
        cmocka_unit_test(no_order),
        cmocka_unit_test(dependences),
        cmocka_unit_test(another_line),
        cmocka_unit_test(one_addition),
        cmocka_unit_test(names_mean_what_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
