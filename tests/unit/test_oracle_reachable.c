/* SPDX-License-Identifier: MIT */
/*
 * Short prefixes: the oracle accepts an output if and only if some order of additions gives it.
 * Every order of up to 6 terms is tried by brute force (every_tree.c), in every arithmetic that the
 * oracle knows, over data with subnormals, overflow and cancellation. No output that an order gives
 * may fail, whether every order is tried or bounds decide; and where every order is tried, no other
 * output may pass, but for what a more precise sum gives.
 *
 *     test_oracle_reachable [INPUTS]     how many inputs, instead of a cheap share
 *     test_oracle_reachable --table      the table of docs/oracle.md, "How loose the bound is"
 */
#include "oracle_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "every_tree.h"
#include "rounding_model.h"
#include "rule.h"

#define MOST_TERMS 6

static uint64_t inputs = 1500;
static double *room; /* of the oracle, for all orders of more than 4 terms */

/* A model, the arithmetic of its additions, and its store if it has one. */
typedef struct model {
    cumsum_verdict verdict;
    tree_arithmetic how;
    int store;
} model;

static const model models32[] = {{CUMSUM_VERDICT_CONFORMANT, TREE_BINARY32, -1},
                                 {CUMSUM_VERDICT_CONFORMANT_FLUSH, TREE_BINARY32_FLUSH, -1}};
static const model models16[] = {
    {CUMSUM_VERDICT_BINARY32_NEAREST, TREE_BINARY32, CUMSUM_HALF_STORE_NEAREST_EVEN},
    {CUMSUM_VERDICT_BINARY32_ZERO, TREE_BINARY32, CUMSUM_HALF_STORE_TOWARD_ZERO},
    {CUMSUM_VERDICT_BINARY32_IEEE, TREE_BINARY32, CUMSUM_HALF_STORE_IEEE},
    {CUMSUM_VERDICT_BINARY16, TREE_BINARY16, -1},
    {CUMSUM_VERDICT_BINARY16_TRUNCATING, TREE_BINARY16_TRUNCATING, -1},
    {CUMSUM_VERDICT_BINARY16_SATURATING, TREE_BINARY16_SATURATING, -1},
};

typedef struct input {
    bool half;
    uint32_t count;
    uint32_t bits[8];
    double terms[8]; /* those that are not zero come first */
    uint32_t nonzero;
    exact_prefix prefix;
} input;

static input make_input(bool half, uint32_t count, data_family family, uint64_t *state) {
    input x = {.half = half, .count = count};
    uint32_t zeros = count;
    x.prefix = exact_prefix_empty(half ? &binary16_format : &binary32_format);
    for (uint32_t i = 0; i < count; i++) {
        x.bits[i] = half ? family_half(family, i, state) : bits_of(family_value(family, i, state));
        const uint64_t special = random_next(state) % 200; /* now and then a zero or an infinity */
        if (special < 8)
            x.bits[i] = special & 1 ? x.prefix.format->sign : 0;
        else if (special == 8)
            x.bits[i] = x.prefix.format->infinity | (x.bits[i] & x.prefix.format->sign);
        const double value =
            half ? model_half_value((uint16_t)x.bits[i]) : (double)float_of(x.bits[i]);
        x.terms[value != 0 ? x.nonzero++ : --zeros] = value;
        cumsum_exact_prefix_add(&x.prefix, x.bits[i]);
    }
    return x;
}

/* The output that a sum becomes. */
static uint32_t output_of(const input *x, const model *m, double sum) {
    if (isnan(sum))
        return x->half ? 0x7E00u : 0x7FC00000u;
    if (!x->half)
        return bits_of((float)sum);
    return model_half_bits(m->store < 0 ? sum
                                        : model_round_to_half(sum, (cumsum_half_store)m->store));
}

static bool same_output(const input *x, uint32_t a, uint32_t b) {
    const uint32_t sign = x->prefix.format->sign;
    return cumsum_same_bits(x->half ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_FLOAT32, a, b) ||
           ((a | b) & ~sign) == 0;
}

static bool is_output(const input *x, const model *m, const tree_sums *sums, uint32_t y) {
    for (uint32_t i = 0; i < sums->count; i++)
        if (same_output(x, output_of(x, m, sums->values[i]), y))
            return true;
    return false;
}

static rule_result judge_rule(const input *x, uint32_t y, uint32_t allowed, bool all_orders) {
    const rule_options how = {.allowed = allowed, .values = all_orders ? room : NULL};
    return x->half ? cumsum_rule_half(&x->prefix, y, &how)
                   : cumsum_rule_float(&x->prefix, y, &how);
}

/* An output that an order gives: it fits the model, however it is judged. */
static void expect_accepted(const input *x, const model *m, uint32_t y) {
    const uint32_t only = 1u << m->verdict, all = x->half ? MODELS_FLOAT16 : MODELS_FLOAT;
    assert_true(judge_rule(x, y, all, true).models & only);
    rule_result bounded = judge_rule(x, y, only, false);
    assert_true(bounded.models & only);
    assert_int_not_equal(bounded.verdict, CUMSUM_VERDICT_WIDER);
    assert_false(bounded.verdict == CUMSUM_VERDICT_INDETERMINATE && x->nonzero <= REACH_ALWAYS);
}

static bool is_wider(const input *x, const model *m, const tree_sums *precise, uint32_t y) {
    const model direct = {.store = CUMSUM_HALF_STORE_IEEE};
    if (same_output(x, y, cumsum_exact_prefix_round(&x->prefix)))
        return true;
    return is_output(x, m, precise, y) || (x->half && is_output(x, &direct, precise, y));
}

/* Any output: it fits the model if and only if an order gives it. */
static bool decided_right(const input *x, const model *m, const tree_sums *sums,
                          const tree_sums *precise, uint32_t y, uint64_t *rejected) {
    const rule_result r = judge_rule(x, y, 1u << m->verdict, true);
    const bool given = is_output(x, m, sums, y);
    /* A flushed exact sum is the textbook's of other terms, and no test of it here. */
    if (r.verdict == CUMSUM_VERDICT_WIDER)
        return !given && (m->how == TREE_BINARY32_FLUSH || is_wider(x, m, precise, y));
    if (r.verdict == CUMSUM_VERDICT_INDETERMINATE)
        return false;
    *rejected += !given;
    return (r.verdict != CUMSUM_VERDICT_FAIL) == given &&
           (given || r.decided || rule_is_special(&x->prefix));
}

static void expect_decided(const input *x, const model *m, const tree_sums *sums,
                           const tree_sums *precise, uint32_t y, uint64_t *rejected) {
    assert_true(decided_right(x, m, sums, precise, y, rejected));
}

/* Outputs that are given, their neighbours, and what an overflow may leave. */
static void try_outputs(const input *x, const model *m, const tree_sums *sums,
                        const tree_sums *precise, uint64_t *rejected) {
    const uint32_t sign = x->prefix.format->sign, infinity = x->prefix.format->infinity;
    const uint32_t others[] = {0,        infinity - 1,    (infinity - 1) | sign,
                               infinity, infinity | sign, infinity | 1};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        expect_decided(x, m, sums, precise, others[i], rejected);
    for (uint32_t i = 0; i < sums->count && i < 40; i++) {
        const uint32_t y = output_of(x, m, sums->values[i]);
        if (rule_is_special(&x->prefix))
            continue;
        expect_accepted(x, m, y);
        expect_decided(x, m, sums, precise, y - ((y & ~sign) != 0), rejected);
        expect_decided(x, m, sums, precise, y, rejected);
        expect_decided(x, m, sums, precise, y + ((y & ~sign) < infinity), rejected);
    }
}

/* The whole of cumsum_judge, with its fast path, on a line whose last output is y. */
static void judge_line(const input *x, uint32_t y, bool reachable, bool accepted) {
    uint32_t line[8] = {0};
    uint16_t half_line[8] = {0}, half_terms[8];
    uint8_t verdicts[8];
    cumsum_judge_options options = {.reachable = reachable, .no_orders = true};
    for (uint32_t i = 0; i < x->count; i++)
        half_terms[i] = (uint16_t)x->bits[i];
    line[x->count - 1] = y;
    half_line[x->count - 1] = (uint16_t)y;
    const cumsum_judgement j = x->half ? judge_1d(CUMSUM_DATA_TYPE_FLOAT16, x->count, half_terms,
                                                  half_line, false, &options, verdicts)
                                       : judge_1d(CUMSUM_DATA_TYPE_FLOAT32, x->count, x->bits, line,
                                                  false, &options, verdicts);
    assert_int_equal(j.outputs, x->count);
    const uint32_t all = x->half ? MODELS_FLOAT16 : MODELS_FLOAT;
    const rule_result r = judge_rule(x, y, all, reachable);
    assert_int_equal(verdicts[x->count - 1], r.verdict);
    assert_true(!accepted || r.verdict != CUMSUM_VERDICT_FAIL);
}

static void try_input(const input *x, uint64_t *rejected) {
    static tree_sums sums, precise;
    const model *models = x->half ? models16 : models32;
    const size_t count =
        x->half ? sizeof models16 / sizeof models16[0] : sizeof models32 / sizeof models32[0];
    every_tree(x->terms, x->nonzero, TREE_BINARY64, &precise);
    for (size_t i = 0; i < count; i++) {
        const model *m = &models[i];
        if (m->how == TREE_BINARY32_FLUSH && x->nonzero > 4)
            continue; /* too many ways for brute force */
        if (i == 0 || m->how != models[i - 1].how)
            every_tree(x->terms, x->nonzero, m->how, &sums);
        try_outputs(x, m, &sums, &precise, rejected);
        for (uint32_t k = 0; k < sums.count && k < 4; k++) {
            const uint32_t y = output_of(x, m, sums.values[k]);
            judge_line(x, y, false, true);
            judge_line(x, y ^ 1, false, false);
            if (k == 0)
                judge_line(x, y, true, true);
        }
    }
}

static void what_no_order_gives_fails(void **unused) {
    (void)unused;
    uint64_t state = 61, rejected = 0;
    for (uint64_t i = 0; i < inputs; i++) {
        const uint32_t count = 1 + (uint32_t)(random_next(&state) % MOST_TERMS);
        const input x = make_input(i & 1, count, (data_family)(i / 2 % DATA_FAMILIES), &state);
        try_input(&x, &rejected);
    }
    assert_true(rejected > inputs);
}

/* The check finds a search in another arithmetic, an order that it leaves out, and a store that is
 * not the model's. */
static void a_wrong_search_is_found(void **unused) {
    (void)unused;
    enum {
        FAULTS = 5
    };
    static const struct {
        model judged;
        tree_arithmetic how; /* of the brute force */
        uint32_t left_out;   /* terms that it starts without */
    } faults[FAULTS] = {
        {{CUMSUM_VERDICT_BINARY16, TREE_BINARY16, -1}, TREE_BINARY16_TRUNCATING, 0},
        {{CUMSUM_VERDICT_BINARY16_TRUNCATING, TREE_BINARY16_TRUNCATING, -1},
         TREE_BINARY16_SATURATING,
         0},
        {{CUMSUM_VERDICT_BINARY16_SATURATING, TREE_BINARY16_SATURATING, -1}, TREE_BINARY16, 0},
        {{CUMSUM_VERDICT_BINARY16, TREE_BINARY16, -1}, TREE_BINARY16, 1},
        {{CUMSUM_VERDICT_BINARY32_ZERO, TREE_BINARY32, CUMSUM_HALF_STORE_IEEE}, TREE_BINARY32, 0},
    };
    uint64_t state = 71, found[FAULTS] = {0}, rejected = 0;
    tree_sums sums = {0}, precise = {0};
    for (int i = 0; i < 200; i++) {
        const input x = make_input(true, 5, (data_family)(i % DATA_FAMILIES), &state);
        every_tree(x.terms, x.nonzero, TREE_BINARY64, &precise);
        for (int f = 0; f < FAULTS; f++) {
            const uint32_t left_out = faults[f].left_out < x.nonzero ? faults[f].left_out : 0;
            every_tree(x.terms, x.nonzero - left_out, faults[f].how, &sums);
            for (uint32_t k = 0; k < sums.count; k++) {
                const uint32_t y = output_of(&x, &faults[f].judged, sums.values[k]);
                found[f] += !decided_right(&x, &faults[f].judged, &sums, &precise, y, &rejected);
            }
        }
    }
    for (int f = 0; f < FAULTS; f++)
        assert_true(found[f] > 0);
    free(sums.values);
    free(precise.values);
}

/* Without room for the values of 8 terms nothing is claimed. */
static void too_little_room_is_said(void **unused) {
    (void)unused;
    double terms[REACH_MOST];
    uint64_t state = 73;
    for (uint32_t i = 0; i < REACH_MOST; i++)
        terms[i] = (double)family_value(DATA_SIGNED, i, &state) * ldexp(1, (int)i);
    const reach_answer small =
        cumsum_reach(terms, REACH_MOST, REACH_BINARY32, &binary32_format, 0, NULL);
    assert_false(small.complete);
    assert_true(
        cumsum_reach(terms, REACH_MOST, REACH_BINARY32, &binary32_format, 0, room).complete);
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

enum {
    TABLE_LINES = 201
};

static void show_row(const char *name, bool half, uint32_t count, data_family family) {
    static uint64_t before[TABLE_LINES], after[TABLE_LINES];
    tree_sums sums = {0};
    uint64_t state = 67;
    const model *m = half ? &models16[3] : &models32[0];
    for (int i = 0; i < TABLE_LINES; i++) {
        input x = make_input(half, count, family, &state);
        while (x.nonzero < count || rule_is_special(&x.prefix))
            x = make_input(half, count, family, &state);
        uint64_t lower, upper;
        cumsum_rule_interval(&x.prefix, x.prefix.format, &lower, &upper);
        before[i] = (uint64_t)(format_rank(x.prefix.format, upper) -
                               format_rank(x.prefix.format, lower) + 1);
        every_tree(x.terms, count, m->how, &sums);
        after[i] = sums.count;
    }
    free(sums.values);
    qsort(before, TABLE_LINES, sizeof before[0], by_value);
    qsort(after, TABLE_LINES, sizeof after[0], by_value);
    printf("| %s | %s | %u | %llu | %llu | %llu | %llu |\n", name, half ? "binary16" : "binary32",
           (unsigned)count, (unsigned long long)before[TABLE_LINES / 2],
           (unsigned long long)before[TABLE_LINES - 1], (unsigned long long)after[TABLE_LINES / 2],
           (unsigned long long)after[TABLE_LINES - 1]);
}

static void show_table(void) {
    puts("| data | sums | n | bound: median | most | orders: median | most |\n"
         "|---|---|---|---|---|---|---|");
    for (int half = 0; half < 2; half++)
        for (uint32_t count = 3; count <= 8; count++) {
            show_row("[0, 1)", half, count, DATA_UNIFORM);
            show_row("(-1, 1)", half, count, DATA_SIGNED);
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_order_gives_fails),
        cmocka_unit_test(a_wrong_search_is_found),
        cmocka_unit_test(too_little_room_is_said),
    };
    if (argc > 1 && !strcmp(argv[1], "--table")) {
        show_table();
        return 0;
    }
    if (argc > 1)
        inputs = strtoull(argv[1], NULL, 10);
    room = malloc(REACH_ROOM * sizeof *room);
    if (!room)
        return 1;
    const int failed = cmocka_run_group_tests_name("short prefixes", tests, NULL, NULL);
    free(room);
    return failed;
}
