/* SPDX-License-Identifier: MIT */
/*
 * Short prefixes: the oracle accepts an output if and only if some order of additions gives it.
 * Every order of up to 6 terms is tried by brute force (real_arithmetic.c), in every arithmetic
 * that the oracle knows, over data with subnormals, overflow and cancellation. No output that an
 * order gives may fail, whether every order is tried or bounds decide; and where every order is
 * tried, no other output may pass, but for what a more precise sum gives. Longer lines have outputs
 * of random orders, which never fail.
 *
 *     check test_oracle_reachable [INPUTS]     how many inputs, instead of a cheap share
 *     check reachable_table                    docs/oracle.md, "How loose the bound is", for more n
 */
#include "check.h"
#include "oracle_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "real_arithmetic.h"
#include "rule.h"

#define MOST_TERMS 6
#define LONGEST    150 /* terms of a line of random trees */

static uint64_t inputs;
static double *room; /* of the oracle, for all orders of more than 4 terms */

/* A type, and how it may be summed: a part of real_devices. */
typedef struct type_models {
    cumsum_data_type type;
    const binary_format *format;
    const real_device *models;
    size_t count;
    uint32_t all; /* the set of them */
} type_models;

static const type_models kinds[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, &binary32_format, real_devices, 2, MODELS_FLOAT},
    {CUMSUM_DATA_TYPE_FLOAT16, &binary16_format, real_devices + 4, 6, MODELS_FLOAT16},
    {CUMSUM_DATA_TYPE_FLOAT64, &binary64_format, real_devices + 2, 2, MODELS_FLOAT},
    {CUMSUM_DATA_TYPE_BFLOAT16, &bfloat16_format, real_devices + 10, 3, MODELS_BFLOAT16},
};

/* Binary64 holds the exact sum of a few terms, mostly. */
static const real_device precise_sums = {.elements = &real_binary64, .sums = &real_binary64};

typedef struct input {
    const type_models *kind;
    uint32_t count;
    uint64_t bits[8];
    double terms[8]; /* those that are not zero come first */
    uint32_t nonzero;
    exact_prefix prefix;
} input;

static input make_input(const type_models *kind, uint32_t count, data_family family,
                        uint64_t *state) {
    input x = {.kind = kind, .count = count};
    uint32_t zeros = count;
    x.prefix = exact_prefix_of(kind->format, NULL);
    for (uint32_t i = 0; i < count; i++) {
        x.bits[i] = family_bits(kind->type, family, i, state);
        const uint64_t special = random_next(state) % 200; /* now and then a zero or an infinity */
        if (special < 8)
            x.bits[i] = special & 1 ? kind->format->sign : 0;
        else if (special == 8)
            x.bits[i] = kind->format->infinity | (x.bits[i] & kind->format->sign);
        const double value = real_value(real_format_of(kind->type), x.bits[i]);
        x.terms[value != 0 ? x.nonzero++ : --zeros] = value;
        cumsum_exact_prefix_add(&x.prefix, x.bits[i]);
    }
    return x;
}

static bool same_output(const input *x, uint64_t a, uint64_t b) {
    return cumsum_same_bits(x->kind->type, a, b) || ((a | b) & ~x->kind->format->sign) == 0;
}

static bool is_output(const input *x, const real_device *m, const tree_sums *sums, uint64_t y) {
    for (uint32_t i = 0; i < sums->count; i++)
        if (same_output(x, real_output(m, sums->values[i]), y))
            return true;
    return false;
}

static rule_result judge_rule(const input *x, uint64_t y, uint32_t allowed, bool all_orders) {
    const rule_options how = {.allowed = allowed, .values = all_orders ? room : NULL};
    return cumsum_rule(&x->prefix, y, &how);
}

/* An output that an order gives: it fits the model, however it is judged. */
static void expect_accepted(const input *x, const real_device *m, uint64_t y) {
    const uint32_t only = 1u << m->model;
    assert_true(judge_rule(x, y, x->kind->all, true).models & only);
    rule_result bounded = judge_rule(x, y, only, false);
    assert_true(bounded.models & only);
    assert_int_not_equal(bounded.verdict, CUMSUM_VERDICT_WIDER);
    assert_false(bounded.verdict == CUMSUM_VERDICT_MAY_OVERFLOW && x->nonzero <= REACH_ALWAYS);
}

/* Is y a sum that is more precise than the model's, rounded? */
static bool is_wider(const input *x, const real_device *m, const tree_sums *precise, uint64_t y) {
    const real_device direct = {
        .elements = m->elements, .sums = &real_binary64, .store = CUMSUM_HALF_STORE_IEEE};
    real_device stored = direct;
    stored.store = m->store;
    const double single = (double)float_of((uint32_t)cumsum_format_round(
        &binary32_format, &x->prefix.sum, x->prefix.format->quantum, TO_NEAREST));
    if (same_output(x, y, cumsum_exact_prefix_round(&x->prefix)))
        return true;
    switch (x->kind->type) {
    case CUMSUM_DATA_TYPE_FLOAT64:
        return false;
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return same_output(x, y, real_output(&stored, single));
    default:
        return is_output(x, &stored, precise, y) || is_output(x, &direct, precise, y);
    }
}

/* Any output: it fits the model if and only if an order gives it. */
static void expect_decided(const input *x, const real_device *m, const tree_sums *sums,
                           const tree_sums *precise, uint64_t y, uint64_t *rejected) {
    const rule_result r = judge_rule(x, y, 1u << m->model, true);
    const bool given = is_output(x, m, sums, y);
    /* A flushed exact sum is the textbook's of other terms, and no test of it here. */
    if (r.verdict == CUMSUM_VERDICT_WIDER) {
        assert_true(!given && (m->flushes || is_wider(x, m, precise, y)));
        return;
    }
    *rejected += !given;
    assert_true(r.verdict != CUMSUM_VERDICT_MAY_OVERFLOW);
    assert_true((r.verdict != CUMSUM_VERDICT_FAIL) == given);
    assert_true(given || r.decided || rule_is_special(&x->prefix));
}

/* Outputs that are given, their neighbours, and what an overflow may leave. */
static void try_outputs(const input *x, const real_device *m, const tree_sums *sums,
                        const tree_sums *precise, uint64_t *rejected) {
    const uint64_t sign = x->prefix.format->sign, infinity = x->prefix.format->infinity;
    const uint64_t others[] = {0,        infinity - 1,    (infinity - 1) | sign,
                               infinity, infinity | sign, infinity | 1};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        expect_decided(x, m, sums, precise, others[i], rejected);
    for (uint32_t i = 0; i < sums->count && i < 40; i++) {
        const uint64_t y = real_output(m, sums->values[i]);
        if (rule_is_special(&x->prefix))
            continue;
        expect_accepted(x, m, y);
        expect_decided(x, m, sums, precise, y - ((y & ~sign) != 0), rejected);
        expect_decided(x, m, sums, precise, y, rejected);
        expect_decided(x, m, sums, precise, y + ((y & ~sign) < infinity), rejected);
    }
}

static void try_input(const input *x, uint64_t *rejected) {
    static tree_sums sums, precise;
    every_tree(&precise_sums, x->terms, x->nonzero, &precise);
    for (size_t i = 0; i < x->kind->count; i++) {
        const real_device *m = &x->kind->models[i];
        if (m->flushes && x->nonzero > 4)
            continue; /* too many ways for brute force */
        every_tree(m, x->terms, x->nonzero, &sums);
        try_outputs(x, m, &sums, &precise, rejected);
    }
}

static void what_no_order_gives_fails(void) {
    uint64_t state = 61, rejected = 0;
    for (uint64_t i = 0; i < inputs; i++) {
        const uint32_t count = 1 + (uint32_t)(random_next(&state) % MOST_TERMS);
        const input x =
            make_input(&kinds[i % 4], count, (data_family)(i / 4 % DATA_FAMILIES), &state);
        try_input(&x, &rejected);
    }
    assert_true(rejected > inputs);
}

/* ---- longer prefixes ---- */

/* A line, whose outputs have trees of their own. The model is promised if an option can say so. */
static void judge_random_trees(const real_device *d, data_family family, uint64_t *state) {
    double terms[LONGEST], tree[LONGEST];
    uint64_t y[LONGEST], x_packed[LONGEST], y_packed[LONGEST];
    uint8_t verdicts[LONGEST];
    const uint32_t n = random_between(state, 1, LONGEST);
    for (uint32_t k = 0; k < n; k++) {
        terms[k] = real_value(d->elements, family_bits(d->elements->type, family, k, state));
        memcpy(tree, terms, (k + 1) * sizeof *tree);
        y[k] = real_output(d, random_tree(d, tree, k + 1, state));
    }
    pack_values(d->elements, terms, n, x_packed);
    pack_elements(d->elements->type, y, n, y_packed);
    /* Trees of any order would be suspect. */
    cumsum_judge_options options = {.no_doubt = true, .numerics = {.half_store = d->store}};
    options.promised = !(MODEL(d->model) & MODELS_TRUNCATING);
    if (d->sums == d->elements)
        options.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    const cumsum_judgement j =
        judge_1d(d->elements->type, n, x_packed, y_packed, false, &options, verdicts);
    assert_int_equal(j.outputs, n);
    assert_int_equal(j.counts[CUMSUM_VERDICT_FAIL], 0);
    assert_true(j.models & MODEL(d->model));
    for (uint32_t k = 0; k < n; k++)
        if (options.promised && isfinite(real_value(d->elements, y[k])))
            assert_true(verdicts[k] == d->model ||
                        (d->flushes && verdicts[k] == CUMSUM_VERDICT_CONFORMANT));
}

/* The theorem of verdict 1, tried out: outputs added in random orders never fail. */
static void any_order_conforms(void) {
    uint64_t state = 2;
    for (uint64_t i = 0; i < inputs / 2; i++)
        judge_random_trees(&real_devices[i % REAL_DEVICES],
                           (data_family)(i / REAL_DEVICES % DATA_FAMILIES), &state);
}

/* Without room for the values of 8 terms nothing is claimed. */
static void too_little_room_is_said(void) {
    reach_terms terms = {.count = REACH_MOST};
    uint64_t state = 73;
    for (uint32_t i = 0; i < REACH_MOST; i++)
        terms.values[i] = (double)family_value(DATA_SIGNED, i, &state) * ldexp(1, (int)i);
    const reach_answer small =
        cumsum_reach(&terms, &arithmetic_binary32, &binary32_format, 0, NULL);
    assert_false(small.complete);
    assert_true(cumsum_reach(&terms, &arithmetic_binary32, &binary32_format, 0, room).complete);
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

enum {
    TABLE_LINES = 201
};

/* 135,135 trees of 8 terms, each with 2^7 choices, would not fit into the room. Equal sums of the
 * same terms are kept once, and here those lie within a few last places. */
static void equal_values_are_kept_once(void) {
    const arithmetic either = {.accumulator = &binary32_format, .rounding = CUMSUM_ROUNDING_EITHER};
    reach_terms terms = {.count = REACH_MOST};
    for (int k = 0; k < REACH_MOST; k++)
        terms.values[k] = (double)(1.0f + (float)(2 * k + 1) * 0x1p-23f);
    const reach_answer all = cumsum_reach(&terms, &either, &binary32_format, bits_of(1), room);
    assert_true(all.complete && !all.found);
    assert_true(all.lower >= 8 && all.upper <= 8 + 0x1p-15 && all.lower < all.upper);
}

static void show_row(const char *name, const type_models *kind, uint32_t count,
                     data_family family) {
    static const char *const accumulators[4] = {"binary32", "binary16", "binary64", "bfloat16"};
    static uint64_t before[TABLE_LINES], after[TABLE_LINES];
    tree_sums sums = {0};
    uint64_t state = 67;
    const real_device *m = &kind->models[kind == &kinds[1] ? 3 : kind == &kinds[3] ? 2 : 0];
    for (int i = 0; i < TABLE_LINES; i++) {
        input x = make_input(kind, count, family, &state);
        while (x.nonzero < count || rule_is_special(&x.prefix))
            x = make_input(kind, count, family, &state);
        const arithmetic how = {.accumulator = x.prefix.format};
        const rule_range range = cumsum_rule_interval(&x.prefix, &how);
        before[i] = (uint64_t)(format_rank(x.prefix.format, range.upper) -
                               format_rank(x.prefix.format, range.lower) + 1);
        every_tree(m, x.terms, count, &sums);
        after[i] = sums.count;
    }
    free(sums.values);
    qsort(before, TABLE_LINES, sizeof before[0], by_value);
    qsort(after, TABLE_LINES, sizeof after[0], by_value);
    printf("| %s | %s | %u | %llu | %llu | %llu | %llu |\n", name, accumulators[kind - kinds],
           (unsigned)count, (unsigned long long)before[TABLE_LINES / 2],
           (unsigned long long)before[TABLE_LINES - 1], (unsigned long long)after[TABLE_LINES / 2],
           (unsigned long long)after[TABLE_LINES - 1]);
}

/* A group without tests: the table of docs/oracle.md. */
static int show_table(int argc, char **argv) {
    (void)argc;
    (void)argv;
    puts("| data | sums | n | bound: median | most | orders: median | most |\n"
         "|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint32_t count = 3; count <= 8; count++) {
            show_row("[0, 1)", &kinds[i], count, DATA_UNIFORM);
            show_row("(-1, 1)", &kinds[i], count, DATA_SIGNED);
        }
    return 0;
}

CHECK_MAIN(reachable_table, show_table);

static void begin(void) {
    inputs = check_argument(0) ? strtoull(check_argument(0), NULL, 10) : random_trials(3000);
    room = malloc(REACH_ROOM * sizeof *room);
    assert_non_null(room);
}

static void end(void) {
    free(room);
}

CHECK_GROUP_WITH(test_oracle_reachable, begin, end, T(what_no_order_gives_fails),
                 T(any_order_conforms), T(too_little_room_is_said), T(equal_values_are_kept_once));
