/* SPDX-License-Identifier: MIT */
/*
 * Finds trees of addition by asking about pairs of terms, in waves. The answer about a pair is the
 * size of the smallest subtree that holds both.
 *
 * In a line of equal units, term i is replaced by M and term j by -M, where M is so large that
 * M + units rounds to M. Units that are added to M or -M before the two meet are lost. Where M and
 * -M meet they cancel, and units that are added later stay. So an output counts the units outside
 * the smallest subtree that holds both i and j, and these counts determine the tree. The method is
 * FPRev (Xie, Gao, Xue: "FPRev: Revealing the Order of Floating-Point Summation",
 * arXiv:2411.00442). Here one line gives the counts of all outputs after i and j.
 *
 * In each set of terms that is known to be a subtree one term, the pivot, is asked about together
 * with every other. The others fall into groups with equal answers: the subtrees that hang, in
 * ascending order, on the path from the pivot to the root of the set. Each group is a set of the
 * next wave. The outputs of a line have trees of their own, and one line answers for all of them.
 */
#include "fingerprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "memory.h"

/* What is left to ask about a set. One wave resolves a chain of additions that starts at the pivot;
 * a chain that ends at the pivot takes a wave for each term. So if a set had one group only, the
 * pivot of that group is at the other end. */
typedef enum set_state {
    SET_KNOWN,
    SET_LOWEST, /* ask, with the lowest term as the pivot */
    SET_HIGHEST /* ask, with the highest term as the pivot */
} set_state;

/* A term, and the set that starts at its place. */
typedef struct set_place {
    uint16_t term;
    uint16_t length;
    set_state state;
} set_place;

/* What is asked about a term in this wave. */
#define NO_PIVOT UINT16_MAX
typedef struct term_answer {
    uint16_t pivot; /* of its set, or NO_PIVOT: nothing */
    uint16_t size;  /* the answer about it and its pivot */
} term_answer;

/*
 * The tree of one output as far as it is known. The terms are in such an order that each set is
 * contiguous, begins with its pivot, and continues with its groups in ascending order of their
 * answers. Every place is then the start of exactly one set, and the lengths of the sets are the
 * whole tree.
 */
typedef struct output_tree {
    set_place *places;
    term_answer *answers; /* by term */
} output_tree;

typedef struct order_search {
    const line_runner *runner;
    const line_format *format;
    line_block block;
    unsigned char *input;
    unsigned char *output;
    output_tree *trees;   /* by output */
    unsigned char *asked; /* a bit for each pair: is it one of this wave? */
    uint16_t (*pairs)[2]; /* of this wave, the lower term first */
    size_t pair_count;
    uint32_t *keys; /* for sorting */
    uint32_t first; /* the first output that is examined: of totals the last one */
    known_order *found;
} order_search;

/* Each output begins as one set of all its terms. */
static void search_init(order_search *s) {
    const uint32_t n = s->found->outputs;
    const size_t elements = (size_t)s->block.lines * s->block.length;
    const size_t size = cumsum_data_type_size(s->block.type);
    s->input = tool_calloc(elements, size);
    s->output = tool_calloc(elements, size);
    s->trees = tool_calloc(n, sizeof *s->trees);
    s->asked = tool_calloc(((size_t)n * n + 7) / 8, 1);
    s->pairs = tool_calloc((size_t)n * n / 2 + 1, sizeof *s->pairs);
    s->keys = tool_calloc(n, sizeof *s->keys);
    for (uint32_t k = s->first; k < n; k++) {
        output_tree *tree = &s->trees[k];
        tree->places = tool_calloc((size_t)k + 1, sizeof *tree->places);
        tree->answers = tool_calloc((size_t)k + 1, sizeof *tree->answers);
        for (uint32_t i = 0; i <= k; i++)
            tree->places[i].term = (uint16_t)i;
        tree->places[0].length = (uint16_t)(k + 1);
        tree->places[0].state = k > 0 ? SET_LOWEST : SET_KNOWN;
    }
}

static void search_free(order_search *s) {
    for (uint32_t k = 0; k < s->found->outputs; k++) {
        free(s->trees[k].places);
        free(s->trees[k].answers);
    }
    free(s->keys);
    free(s->pairs);
    free(s->asked);
    free(s->trees);
    free(s->output);
    free(s->input);
}

/* ---- questions and answers ---- */

static void choose_pivot(set_place *set) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < set->length; i++)
        if (set->state == SET_LOWEST ? set[i].term < set[best].term : set[i].term > set[best].term)
            best = i;
    const uint16_t pivot = set[best].term;
    set[best].term = set[0].term;
    set[0].term = pivot;
}

static void ask_pair(order_search *s, uint16_t i, uint16_t j) {
    const uint16_t low = i < j ? i : j;
    const uint16_t high = i < j ? j : i;
    const size_t bit = (size_t)low * s->found->outputs + high;
    if (s->asked[bit / 8] >> bit % 8 & 1)
        return;
    s->asked[bit / 8] |= (unsigned char)(1u << bit % 8);
    s->pairs[s->pair_count][0] = low;
    s->pairs[s->pair_count++][1] = high;
}

static void ask_tree(order_search *s, uint32_t k) {
    output_tree *tree = &s->trees[k];
    memset(tree->answers, 0xFF, ((size_t)k + 1) * sizeof *tree->answers);
    for (uint32_t start = 0; start <= k; start++) {
        set_place *set = &tree->places[start];
        if (!set->state)
            continue;
        choose_pivot(set);
        for (uint32_t i = 1; i < set->length; i++) {
            ask_pair(s, set[0].term, set[i].term);
            tree->answers[set[i].term] = (term_answer){set[0].term, 0};
        }
    }
}

/* Collects the pairs of a wave; false if nothing is left to ask. */
static bool start_wave(order_search *s) {
    const size_t n = s->found->outputs;
    memset(s->asked, 0, (n * n + 7) / 8);
    s->pair_count = 0;
    for (uint32_t k = s->first; k < n; k++)
        ask_tree(s, k);
    return s->pair_count > 0;
}

/* Was every answer 2, although there are more terms? Then M lost no unit: the additions do not
 * round. Of the first wave, which asks about all terms. */
static bool nothing_is_lost(const order_search *s) {
    for (uint32_t k = s->first > 2 ? s->first : 2; k < s->found->outputs; k++) {
        for (uint32_t i = 1; i <= k; i++)
            if (s->trees[k].answers[i].size != 2)
                return false;
    }
    return s->found->outputs > 2;
}

/* A key is an answer and its term in one number. */
static int compare_keys(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Makes each group of a set a set. In a tree the path from the pivot to the root has passed as many
 * terms after a group as the group's answer says. */
static bool split_set(const output_tree *tree, set_place *set, uint32_t *keys) {
    const set_state other_end = set->state == SET_LOWEST ? SET_HIGHEST : SET_LOWEST;
    for (uint32_t i = 1; i < set->length; i++)
        keys[i] = (uint32_t)tree->answers[set[i].term].size << 16 | set[i].term;
    qsort(keys + 1, set->length - 1u, sizeof *keys, compare_keys);
    set->state = SET_KNOWN;
    for (uint32_t i = 1, next; i < set->length; i = next) {
        const uint32_t size = keys[i] >> 16;
        for (next = i; next < set->length && keys[next] >> 16 == size; next++)
            set[next].term = (uint16_t)keys[next];
        if (size != next)
            return false;
        const bool only = i == 1 && next == set->length;
        set[i].length = (uint16_t)(next - i);
        set[i].state = next - i == 1 ? SET_KNOWN : only ? other_end : SET_LOWEST;
    }
    return true;
}

/* Splits the sets of this wave, and skips those that a split makes. */
static tool_status split_sets(order_search *s, tool_error *error) {
    for (uint32_t k = s->first; k < s->found->outputs; k++) {
        for (uint32_t start = 0, next; start <= k; start = next) {
            set_place *set = &s->trees[k].places[start];
            next = start + (set->state ? set->length : 1);
            if (set->state && !split_set(&s->trees[k], set, s->keys))
                return tool_fail(error, TOOL_NOT_FOUND,
                                 "the answers of the output of %u terms fit no tree of additions "
                                 "of two (sums of more than two at once, or bits that differ "
                                 "between runs)",
                                 k + 1);
        }
    }
    return TOOL_OK;
}

/* From the last place to the first, so that the groups of a set are built before the set. */
static uint32_t build_tree(const output_tree *tree, uint32_t k, order_graph *g, uint32_t *nodes) {
    for (uint32_t start = k + 1; start-- > 0;) {
        const uint32_t end = start + tree->places[start].length;
        nodes[start] = tree->places[start].term;
        for (uint32_t i = start + 1; i < end; i += tree->places[i].length)
            nodes[start] = order_graph_add(g, nodes[start], nodes[i]);
    }
    return nodes[0];
}

/* ---- lines ---- */

/* How many units an output holds; -1 if it is not a whole number of them. */
static int units_of(const order_search *s, size_t at) {
    const double units = line_load(s->block.type, s->output, at) / s->format->unit;
    return units >= 0 && units <= ORDER_MOST_TERMS && units == floor(units) ? (int)units : -1;
}

/* A line answers for each output that has both terms. */
static tool_status take_answers(order_search *s, uint32_t line, const uint16_t *pair,
                                tool_error *error) {
    const uint32_t shift = s->block.exclusive;
    for (uint32_t k = pair[1] > s->first ? pair[1] : s->first; k < s->found->outputs; k++) {
        const int units = units_of(s, (size_t)line * s->block.length + k + shift);
        if (units < 0 || (uint32_t)units + 2 > k + 1)
            return tool_fail(error, TOOL_NOT_FOUND,
                             "output %u of a line with M at %u and -M at %u does not count its "
                             "units: no tree of additions that round to nearest gives it",
                             k + shift, pair[0], pair[1]);
        for (int i = 0; i < 2; i++)
            if (s->trees[k].answers[pair[i]].pivot == pair[!i])
                s->trees[k].answers[pair[i]].size = (uint16_t)(k + 1 - (uint32_t)units);
    }
    return TOOL_OK;
}

/* Runs lines for the pairs from number `first` on. It is always the same number of lines, because
 * an implementation may choose its order by it. */
static tool_status run_pairs(order_search *s, size_t first, tool_error *error) {
    const line_format *f = s->format;
    const size_t left = s->pair_count - first;
    const uint32_t count = left < s->block.lines ? (uint32_t)left : s->block.lines;
    for (uint32_t line = 0; line < s->block.lines; line++) {
        const size_t start = (size_t)line * s->block.length;
        for (uint32_t i = 0; i < s->block.length; i++)
            line_store(f->type, s->input, start + i, f->unit);
        for (int i = 0; i < 2 && line < count; i++)
            line_store(f->type, s->input, start + s->pairs[first + line][i],
                       i ? -f->mask : f->mask);
    }
    tool_status status = s->runner->run(s->runner->state, &s->block, s->input, s->output, error);
    for (uint32_t line = 0; line < count && status == TOOL_OK; line++)
        status = take_answers(s, line, s->pairs[first + line], error);
    s->found->runs++;
    s->found->probes += count;
    return status;
}

static tool_status run_waves(order_search *s, tool_error *error) {
    tool_status status = TOOL_OK;
    for (uint32_t wave = 0; status == TOOL_OK && start_wave(s); wave++) {
        for (size_t first = 0; first < s->pair_count && status == TOOL_OK; first += s->block.lines)
            status = run_pairs(s, first, error);
        if (status == TOOL_OK && wave == 0 && nothing_is_lost(s)) {
            s->found->name.kind = ORDER_EXACT;
            return TOOL_OK;
        }
        if (status == TOOL_OK)
            status = split_sets(s, error);
    }
    for (uint32_t k = s->first; k < s->found->outputs && status == TOOL_OK; k++)
        s->found->roots[k] = build_tree(&s->trees[k], k, &s->found->graph, s->keys);
    return status;
}

/* Runs lines of units only: if their sums are wrong, nothing can be concluded from others. */
static tool_status count_units(order_search *s, tool_error *error) {
    const uint32_t shift = s->block.exclusive;
    const tool_status status = run_pairs(s, 0, error);
    for (uint32_t k = s->first; k < s->found->outputs && status == TOOL_OK; k++)
        if (units_of(s, k + shift) != (int)k + 1)
            return tool_fail(error, TOOL_NOT_FOUND,
                             "output %u of a line of units, each %s, is not %u of them: these are "
                             "other sums, or they lose small numbers",
                             k + shift, s->format->unit < 1 ? "2^-24" : "1", k + 1);
    return status;
}

tool_status order_discover(const line_runner *runner, const line_block *block, known_order *found,
                           tool_error *error) {
    order_search s = {
        .runner = runner, .format = line_format_of(block->type), .block = *block, .found = found};
    *found = (known_order){.type = block->type,
                           .name.kind = ORDER_UNNAMED,
                           .total = block->total,
                           .outputs = block->length - block->exclusive};
    s.first = block->total ? found->outputs - 1 : 0;
    found->roots = tool_calloc(block->length, sizeof *found->roots);
    order_graph_init(&found->graph, block->length);
    search_init(&s);
    tool_status status = count_units(&s, error);
    if (status == TOOL_OK)
        status = run_waves(&s, error);
    search_free(&s);
    if (status != TOOL_OK) {
        known_order_free(found);
        *found = (known_order){.outputs = 0};
    }
    return status;
}
