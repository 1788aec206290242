/* SPDX-License-Identifier: MIT */
/*
 * Orders of sums: trees that are written down here without the library's levels get the names that
 * they have, and the library's sums in these orders have the trees' bits. tests/reject/orders.txt
 * has names.
 */
#include "check.h"
#include "oracle_data.h"

#include "order_tools.h"

#include <stdlib.h>

#define MOST 2048

/* A tree as cumsum_sum_order_find takes it. */
typedef struct noted_tree {
    uint32_t terms;
    uint32_t count; /* additions */
    uint32_t sums[2 * MOST];
} noted_tree;

static uint32_t note(noted_tree *t, uint32_t a, uint32_t b) {
    t->sums[2 * t->count] = a;
    t->sums[2 * t->count + 1] = b;
    return t->terms + t->count++;
}

/* The node of some units, of which n lie `step` apart from `first` on. */
typedef uint32_t textbook_sum(noted_tree *t, const uint32_t *first, uint32_t n, uint32_t step);

static uint32_t sum_in_sequence(noted_tree *t, const uint32_t *first, uint32_t n, uint32_t step) {
    uint32_t sum = first[0];
    for (uint32_t i = 1; i < n; i++)
        sum = note(t, sum, first[(size_t)i * step]);
    return sum;
}

static uint32_t sum_from_the_right(noted_tree *t, const uint32_t *first, uint32_t n,
                                   uint32_t step) {
    uint32_t sum = first[(size_t)(n - 1) * step];
    for (uint32_t i = n - 1; i-- > 0;)
        sum = note(t, first[(size_t)i * step], sum);
    return sum;
}

/* The left half is the largest power of 2 that leaves something for the right one. */
static uint32_t sum_in_pairs(noted_tree *t, const uint32_t *first, uint32_t n, uint32_t step) {
    uint32_t left = 1;
    if (n == 1)
        return first[0];
    while (2 * left < n)
        left *= 2;
    const uint32_t a = sum_in_pairs(t, first, left, step);
    return note(t, a, sum_in_pairs(t, first + (size_t)left * step, n - left, step));
}

/* Of a power of 2: the even units and the odd ones. */
static uint32_t sum_by_halves(noted_tree *t, const uint32_t *first, uint32_t n, uint32_t step) {
    if (n == 1)
        return first[0];
    const uint32_t even = sum_by_halves(t, first, n / 2, 2 * step);
    return note(t, even, sum_by_halves(t, first + step, n / 2, 2 * step));
}

/* The last output of a scan of the library, whose scans other tests compare with textbooks. */
static double note_addition(void *tree, double a, double b) {
    return note(tree, (uint32_t)a, (uint32_t)b);
}

/* The scan makes additions for other outputs, too: those below `node` are noted once more. */
static uint32_t copy_tree(const noted_tree *from, uint32_t node, noted_tree *to) {
    if (node < from->terms)
        return node;
    const uint32_t *sum = from->sums + 2 * (size_t)(node - from->terms);
    const uint32_t a = copy_tree(from, sum[0], to);
    return note(to, a, copy_tree(from, sum[1], to));
}

static void note_last_output(noted_tree *t, cumsum_order_kind kind, uint32_t n) {
    static noted_tree all;
    const cumsum_composed_order order = {1, {{.kind = kind}}};
    double values[100], scratch[400];
    assert_true(cumsum_order_scratch(&order, n) <= 400);
    all = (noted_tree){.terms = n};
    *t = (noted_tree){.terms = n};
    for (uint32_t i = 0; i < n; i++)
        values[i] = i;
    cumsum_order_scan(&order, values, n, false, scratch, note_addition, &all);
    assert_true(all.count <= MOST);
    copy_tree(&all, (uint32_t)values[n - 1], t);
}

/* A program in two or three levels. */
typedef struct textbook_program {
    const char *name;
    uint32_t terms;
    uint32_t lanes;      /* 0: none */
    uint32_t block;      /* units of a block; 0: all */
    textbook_sum *inner; /* of a block without lanes */
    uint32_t middle;     /* totals in a block of the middle level; 0: there is none */
    textbook_sum *between;
    textbook_sum *outer;
} textbook_program;

#define SEQ   sum_in_sequence
#define PAIRS sum_in_pairs

static const textbook_program programs[] = {
    {"sequential", 100, 0, 1, SEQ, 0, NULL, SEQ},
    {"sequential", 2, 0, 1, SEQ, 0, NULL, SEQ},
    {"pairwise", 100, 0, 1, SEQ, 0, NULL, PAIRS},
    {"halving", 256, 0, 1, SEQ, 0, NULL, sum_by_halves},
    {"right-to-left", 1000, 0, 1, SEQ, 0, NULL, sum_from_the_right},
    {"strided-8 of pairwise", 128, 8, 0, NULL, 0, NULL, PAIRS},
    {"strided-8 of pairwise", 101, 8, 0, NULL, 0, NULL, PAIRS},
    {"strided-8-128 of pairwise", 512, 8, 128, NULL, 0, NULL, PAIRS},
    {"strided-32 of halving", 1000, 32, 0, NULL, 0, NULL, sum_by_halves},
    {"strided-4-100 of pairwise-4 of sequential", 1010, 4, 100, NULL, 4, PAIRS, SEQ},
    {"halving-32 of sequential-7 of pairwise", 2048, 0, 32, sum_by_halves, 7, SEQ, PAIRS},
    {"sequential-100 of right-to-left", 2000, 0, 100, SEQ, 0, NULL, sum_from_the_right},
    {"pairwise-6 of right-to-left-5 of sequential", 90, 0, 6, PAIRS, 5, sum_from_the_right, SEQ},
};
#define PROGRAMS (sizeof programs / sizeof programs[0])

static uint32_t smaller_of(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static void note_program(noted_tree *t, const textbook_program *p) {
    uint32_t terms[MOST], totals[MOST], middles[MOST], count = 0, blocks = 0;
    const uint32_t size = p->block ? p->block : p->terms;
    *t = (noted_tree){.terms = p->terms};
    for (uint32_t i = 0; i < p->terms; i++)
        terms[i] = i;
    for (uint32_t first = 0; first < p->terms; first += size) {
        const uint32_t n = smaller_of(size, p->terms - first);
        for (uint32_t lane = 0; lane < smaller_of(p->lanes, n); lane++)
            totals[count++] =
                SEQ(t, terms + first + lane, (n - lane + p->lanes - 1) / p->lanes, p->lanes);
        if (!p->lanes)
            totals[count++] = p->inner(t, terms + first, n, 1);
    }
    for (uint32_t first = 0; p->middle && first < count; first += p->middle)
        middles[blocks++] = p->between(t, totals + first, smaller_of(p->middle, count - first), 1);
    p->outer(t, p->middle ? middles : totals, p->middle ? blocks : count, 1);
    assert_int_equal(t->count, p->terms - 1);
}

static bool name_tree(const noted_tree *t, char name[CUMSUM_ORDER_TEXT]) {
    cumsum_sum_order order;
    double *scratch = malloc((size_t)t->terms * CUMSUM_SUM_ORDER_SCRATCH * sizeof *scratch);
    assert_non_null(scratch); /* sanitizers see what lies behind it */
    const bool found = cumsum_sum_order_find(t->terms, t->sums, scratch, &order);
    free(scratch);
    strcpy(name, "unnamed");
    if (found)
        cumsum_sum_order_write(&order, name);
    return found;
}

static double add_in_binary32(void *context, double a, double b) {
    ++*(uint32_t *)context;
    return (double)((float)a + (float)b);
}

/* The bits of random lines in the order of this name and in the tree are the same. */
static void assert_bits(const noted_tree *t, const char *name, uint64_t *state) {
    double values[2 * MOST], copy[MOST];
    cumsum_sum_order order;
    uint32_t additions = 0, ignored = 0;
    assert_true(cumsum_sum_order_read(name, &order));
    for (uint32_t i = 0; i < t->terms; i++)
        copy[i] = values[i] = (double)((float)random_next(state) * 0x1p-64f);
    for (uint32_t k = 0; k < t->count; k++)
        values[t->terms + k] =
            add_in_binary32(&ignored, values[t->sums[2 * k]], values[t->sums[2 * k + 1]]);
    const double total =
        cumsum_sum_order_total(&order, copy, t->terms, add_in_binary32, &additions);
    assert_true(total == values[t->terms + t->count - 1]);
    assert_int_equal(additions, t->count);
}

static void trees_have_names(void) {
    static noted_tree tree;
    uint64_t state = 1;
    char name[CUMSUM_ORDER_TEXT];
    for (size_t i = 0; i < PROGRAMS; i++) {
        note_program(&tree, &programs[i]);
        name_tree(&tree, name);
        assert_string_equal(name, programs[i].name);
        for (int line = 0; line < 20; line++)
            assert_bits(&tree, name, &state);
    }
}

/* Whatever name a tree gets, the sums in this order are the tree's: five terms in halves, of which
 * one waits, and random trees of few terms. A tree in which two terms are exchanged loses its name,
 * unless they were added to each other. */
static void names_are_those_of_the_trees(void) {
    static noted_tree tree;
    static const uint32_t five[] = {0, 3, 1, 4, 5, 2, 7, 6};
    uint64_t state = 1;
    uint32_t named = 0;
    char name[CUMSUM_ORDER_TEXT], other[CUMSUM_ORDER_TEXT];
    tree = (noted_tree){.terms = 5, .count = 4};
    memcpy(tree.sums, five, sizeof five);
    assert_true(name_tree(&tree, name));
    assert_string_equal(name, "halving");
    for (int i = 0; i < 2000; i++) {
        uint32_t nodes[12];
        const uint32_t n = random_between(&state, 1, 10);
        tree = (noted_tree){.terms = n};
        for (uint32_t k = 0; k < n; k++)
            nodes[k] = k;
        for (uint32_t left = n; left > 1; left--) {
            const uint32_t a = random_below(&state, left);
            const uint32_t first = nodes[a];
            nodes[a] = nodes[left - 1];
            const uint32_t b = random_below(&state, left - 1);
            nodes[b] = note(&tree, first, nodes[b]);
        }
        if (name_tree(&tree, name)) {
            named++;
            assert_bits(&tree, name, &state);
        }
    }
    assert_true(named > 400);
    note_program(&tree, &programs[5]);
    for (uint32_t k = 0; k < 2 * tree.count; k++)
        if (tree.sums[k] == 0 || tree.sums[k] == 17)
            tree.sums[k] = 17 - tree.sums[k];
    name_tree(&tree, other);
    assert_string_not_equal(other, programs[5].name);
}

/* Totals that are the last outputs of scans have their names, and sklansky's are pairwise. */
static void last_outputs_have_the_names_of_scans(void) {
    static noted_tree tree;
    static const struct {
        cumsum_order_kind kind;
        const char *name;
    } scans[] = {{CUMSUM_KIND_SEQUENTIAL, "sequential"},
                 {CUMSUM_KIND_RIGHT_TO_LEFT, "right-to-left"},
                 {CUMSUM_KIND_HILLIS_STEELE, "hillis-steele"},
                 {CUMSUM_KIND_BLELLOCH, "blelloch"},
                 {CUMSUM_KIND_SKLANSKY, "pairwise"}};
    uint64_t state = 1;
    char name[CUMSUM_ORDER_TEXT];
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++)
        for (uint32_t n = 1; n < 60; n++) {
            note_last_output(&tree, scans[i].kind, n);
            assert_true(name_tree(&tree, name));
            assert_bits(&tree, scans[i].name, &state);
            if (n == 39) /* of few terms, and of powers of 2, other names come first */
                assert_string_equal(name, scans[i].name);
        }
}

static void no_trees_have_no_names(void) {
    static noted_tree tree;
    static const uint32_t wrong[][6] = {
        {0, 1, 2, 2, 4, 3}, /* a node twice */
        {0, 1, 6, 2, 5, 3}, /* one that comes later */
        {0, 1, 4, 2, 4, 3}, /* a sum twice */
        {0, 1, 2, 3, 0, 4}, /* a term twice */
    };
    char name[CUMSUM_ORDER_TEXT];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tree = (noted_tree){.terms = 4, .count = 3};
        memcpy(tree.sums, wrong[i], sizeof wrong[i]);
        assert_false(name_tree(&tree, name));
    }
    cumsum_sum_order order;
    assert_false(cumsum_sum_order_find(0, tree.sums, NULL, &order));
}

CHECK_GROUP(test_sum_orders, T(trees_have_names), T(names_are_those_of_the_trees),
            T(last_outputs_have_the_names_of_scans), T(no_trees_have_no_names));
