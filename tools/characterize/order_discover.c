/* SPDX-License-Identifier: MIT */
/*
 * Finds trees of addition by asking about pairs of terms, in waves. The answer about a pair is the
 * size of the smallest subtree that holds both (order_discover.h says how an output tells it).
 *
 * In each set of terms that is known to be a subtree one term, the pivot, is asked about together
 * with every other. The others fall into groups with equal answers: the subtrees that hang, in
 * ascending order, on the path from the pivot to the root of the set. Each group is a set of the
 * next wave. The outputs of a line have trees of their own, and one line answers for all of them.
 */
#include "order_discover.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "line_format.h"
#include "memory.h"

/* What is left to ask about a set. One wave resolves a chain of additions that starts at the pivot;
 * a chain that ends at the pivot takes a wave for each term. So if a set had one group only, the
 * pivot of that group is at the other end. */
typedef enum set_state {
    SET_KNOWN,
    SET_LOWEST, /* ask, with the lowest term as the pivot */
    SET_HIGHEST /* ask, with the highest term as the pivot */
} set_state;

/*
 * The tree of one output as far as it is known. The terms are in such an order that each set is
 * contiguous, begins with its pivot, and continues with its groups in ascending order of their
 * answers. Every place is then the start of exactly one set, and the lengths of the sets are the
 * whole tree.
 */
typedef struct output_sets {
    uint16_t *terms;      /* by place */
    uint16_t *length;     /* by place: of the set that starts there */
    uint16_t *pivot;      /* by term: the pivot of its set; UINT16_MAX: not asked in this wave */
    uint16_t *answer;     /* by term: the answer about it and its pivot */
    unsigned char *state; /* by place: the set_state of the set that starts there */
} output_sets;

typedef struct order_waves {
    uint32_t outputs;
    uint32_t wave;
    output_sets *sets;    /* by output */
    unsigned char *asked; /* a bit for each pair of this wave */
} order_waves;

static size_t bit_of(const order_waves *w, uint32_t i, uint32_t j) {
    return i < j ? (size_t)i * w->outputs + j : (size_t)j * w->outputs + i;
}

/* Each output begins as one set of all its terms. */
static order_waves *new_waves(uint32_t outputs) {
    order_waves *w = tool_calloc(1, sizeof *w);
    w->outputs = outputs;
    w->sets = tool_calloc(outputs, sizeof *w->sets);
    w->asked = tool_calloc(((size_t)outputs * outputs + 7) / 8, 1);
    for (uint32_t k = 0; k < outputs; k++) {
        output_sets *s = &w->sets[k];
        s->terms = tool_calloc(4 * ((size_t)k + 1), sizeof *s->terms);
        s->length = s->terms + k + 1;
        s->pivot = s->length + k + 1;
        s->answer = s->pivot + k + 1;
        s->state = tool_calloc((size_t)k + 1, sizeof *s->state);
        for (uint32_t i = 0; i <= k; i++)
            s->terms[i] = (uint16_t)i;
        s->length[0] = (uint16_t)(k + 1);
        s->state[0] = k > 0 ? SET_LOWEST : SET_KNOWN;
    }
    return w;
}

static void free_waves(order_waves *w) {
    for (uint32_t k = 0; k < w->outputs; k++) {
        free(w->sets[k].terms);
        free(w->sets[k].state);
    }
    free(w->sets);
    free(w->asked);
    free(w);
}

static void choose_pivot(output_sets *s, uint32_t start) {
    uint16_t *terms = s->terms + start;
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->length[start]; i++)
        if (s->state[start] == SET_LOWEST ? terms[i] < terms[best] : terms[i] > terms[best])
            best = i;
    const uint16_t pivot = terms[best];
    terms[best] = terms[0];
    terms[0] = pivot;
}

static bool ask(order_waves *w, uint32_t k) {
    output_sets *s = &w->sets[k];
    bool any = false;
    memset(s->pivot, 0xFF, ((size_t)k + 1) * sizeof *s->pivot);
    for (uint32_t start = 0; start <= k; start++) {
        if (!s->state[start])
            continue;
        choose_pivot(s, start);
        any = true;
        for (uint32_t i = start + 1; i < start + s->length[start]; i++) {
            const size_t bit = bit_of(w, s->terms[start], s->terms[i]);
            w->asked[bit / 8] |= (unsigned char)(1u << bit % 8);
            s->pivot[s->terms[i]] = s->terms[start];
            s->answer[s->terms[i]] = 0;
        }
    }
    return any;
}

/* Starts a wave; false if nothing is left to ask. */
static bool begin_wave(order_waves *w) {
    bool any = false;
    w->wave++;
    memset(w->asked, 0, ((size_t)w->outputs * w->outputs + 7) / 8);
    for (uint32_t k = 0; k < w->outputs; k++)
        any = ask(w, k) || any;
    return any;
}

/* The next pair of this wave, the lower term first; starts after {0, 0}. */
static bool next_pair(const order_waves *w, uint32_t pair[2]) {
    for (uint32_t i = pair[0], j = pair[1] + 1; i < w->outputs; i++, j = 0) {
        for (; j < w->outputs; j++) {
            const size_t bit = (size_t)i * w->outputs + j;
            if (bit % 8 == 0 && !w->asked[bit / 8]) {
                j += 7;
            } else if (w->asked[bit / 8] & (1u << bit % 8)) {
                pair[0] = i;
                pair[1] = j;
                return true;
            }
        }
    }
    return false;
}

/* In output k the smallest subtree with the terms i and j has `size` terms. */
static void take_answer(order_waves *w, uint32_t k, uint32_t i, uint32_t j, uint32_t size) {
    output_sets *s = &w->sets[k];
    if (s->pivot[j] == i)
        s->answer[j] = (uint16_t)size;
    if (s->pivot[i] == j)
        s->answer[i] = (uint16_t)size;
}

/* Was every answer of the first wave 2, although there are more terms? Then M lost no unit: the
 * additions do not round. */
static bool nothing_is_lost(const order_waves *w) {
    if (w->wave != 1 || w->outputs < 3)
        return false;
    for (uint32_t k = 2; k < w->outputs; k++) {
        for (uint32_t i = 1; i <= k; i++)
            if (w->sets[k].answer[i] != 2)
                return false;
    }
    return true;
}

/* A key is an answer and its term in one number. */
static int compare_keys(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_by_answer(output_sets *s, uint32_t start, uint32_t *keys) {
    const uint32_t others = s->length[start] - 1u;
    uint16_t *terms = s->terms + start + 1;
    for (uint32_t i = 0; i < others; i++)
        keys[i] = (uint32_t)s->answer[terms[i]] << 16 | terms[i];
    qsort(keys, others, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < others; i++)
        terms[i] = (uint16_t)keys[i];
}

/* Makes each group of a set a set. In a tree the path from the pivot to the root has passed as many
 * terms after a group as the group's answer says. */
static bool split_set(output_sets *s, uint32_t start, uint32_t *keys) {
    const uint32_t end = start + s->length[start];
    sort_by_answer(s, start, keys);
    const set_state other_end = s->state[start] == SET_LOWEST ? SET_HIGHEST : SET_LOWEST;
    s->state[start] = SET_KNOWN;
    for (uint32_t i = start + 1, next; i < end; i = next) {
        const uint32_t size = s->answer[s->terms[i]];
        for (next = i + 1; next < end && s->answer[s->terms[next]] == size; next++) {
        }
        if (size != next - start)
            return false;
        s->length[i] = (uint16_t)(next - i);
        const bool only = i == start + 1 && next == end;
        s->state[i] = (unsigned char)(next - i == 1 ? SET_KNOWN : only ? other_end : SET_LOWEST);
    }
    return true;
}

/* Splits the sets of this wave, and skips those that a split makes. */
static bool split_output(output_sets *s, uint32_t k, uint32_t *keys) {
    for (uint32_t start = 0; start <= k;) {
        const uint32_t length = s->state[start] ? s->length[start] : 1;
        if (s->state[start] && !split_set(s, start, keys))
            return false;
        start += length;
    }
    return true;
}

static tool_status split_sets(order_waves *w, tool_error *error) {
    uint32_t *keys = tool_calloc(w->outputs, sizeof *keys);
    tool_status status = TOOL_OK;
    for (uint32_t k = 0; k < w->outputs && status == TOOL_OK; k++) {
        if (!split_output(&w->sets[k], k, keys)) {
            status =
                tool_fail(error, TOOL_NOT_FOUND,
                          "the answers of the output of %u terms fit no tree of additions of two "
                          "(sums of more than two at once, or bits that differ between runs)",
                          k + 1);
        }
    }
    free(keys);
    return status;
}

/* From the last place to the first, so that the groups of a set are built before the set. */
static uint32_t build_output(const output_sets *s, uint32_t k, order_graph *g, uint32_t *nodes) {
    for (uint32_t start = k + 1; start-- > 0;) {
        const uint32_t end = start + s->length[start];
        nodes[start] = s->terms[start];
        for (uint32_t i = start + 1; i < end; i += s->length[i])
            nodes[start] = order_graph_add(g, nodes[start], nodes[i]);
    }
    return nodes[0];
}

static void build_trees(const order_waves *w, order_graph *g, uint32_t *roots) {
    uint32_t *nodes = tool_calloc(w->outputs, sizeof *nodes);
    for (uint32_t k = 0; k < w->outputs; k++)
        roots[k] = build_output(&w->sets[k], k, g, nodes);
    free(nodes);
}

typedef struct line_prober {
    const line_runner *runner;
    const line_format *format;
    line_block block;
    order_waves *waves;
    void *input;
    void *output;
    uint32_t (*pairs)[2]; /* of the lines of this run */
    uint32_t pending;
    order_found *found;
} line_prober;

/* How many units an output holds; -1 if it is not a whole number of them. */
static int units_of(const line_prober *p, size_t at) {
    const double units = line_load(p->block.type, p->output, at) / p->format->unit;
    return units >= 0 && units <= ORDER_MOST_TERMS && units == floor(units) ? (int)units : -1;
}

static void fill_line(line_prober *p, uint32_t line, const uint32_t *pair) {
    const line_format *f = p->format;
    const size_t start = (size_t)line * p->block.length;
    for (uint32_t i = 0; i < p->block.length; i++)
        line_store(f->type, p->input, start + i, f->unit);
    if (pair) {
        line_store(f->type, p->input, start + pair[0], f->mask);
        line_store(f->type, p->input, start + pair[1], -f->mask);
    }
}

static tool_status not_a_tree(uint32_t output, const uint32_t *pair, tool_error *error) {
    return tool_fail(error, TOOL_NOT_FOUND,
                     "output %u of a line with M at %u and -M at %u does not count its units: no "
                     "tree of additions that round to nearest gives it",
                     output, pair[0], pair[1]);
}

/* A line answers for each output that has both terms. */
static tool_status read_line(line_prober *p, uint32_t line, tool_error *error) {
    const uint32_t *pair = p->pairs[line];
    const uint32_t last = pair[0] > pair[1] ? pair[0] : pair[1];
    const uint32_t shift = p->block.exclusive;
    for (uint32_t k = last; k < p->found->outputs; k++) {
        const size_t at = (size_t)line * p->block.length + k + shift;
        const int units = units_of(p, at);
        if (units < 0 || (uint32_t)units + 2 > k + 1)
            return not_a_tree(k + shift, pair, error);
        take_answer(p->waves, k, pair[0], pair[1], k + 1 - (uint32_t)units);
    }
    return TOOL_OK;
}

/* Always runs the same number of lines, because an implementation may choose its order by it. */
static tool_status run_pending(line_prober *p, tool_error *error) {
    for (uint32_t line = 0; line < p->block.lines; line++)
        fill_line(p, line, line < p->pending ? p->pairs[line] : NULL);
    tool_status status = p->runner->run(p->runner->state, &p->block, p->input, p->output, error);
    for (uint32_t line = 0; line < p->pending && status == TOOL_OK; line++)
        status = read_line(p, line, error);
    p->found->runs++;
    p->found->probes += p->pending;
    p->pending = 0;
    return status;
}

static tool_status run_wave(line_prober *p, tool_error *error) {
    tool_status status = TOOL_OK;
    uint32_t pair[2] = {0, 0};
    while (status == TOOL_OK && next_pair(p->waves, pair)) {
        memcpy(p->pairs[p->pending++], pair, sizeof pair);
        if (p->pending == p->block.lines)
            status = run_pending(p, error);
    }
    return status == TOOL_OK && p->pending ? run_pending(p, error) : status;
}

static tool_status run_waves(line_prober *p, tool_error *error) {
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && begin_wave(p->waves)) {
        status = run_wave(p, error);
        if (status == TOOL_OK && nothing_is_lost(p->waves)) {
            p->found->exact = true;
            return TOOL_OK;
        }
        if (status == TOOL_OK)
            status = split_sets(p->waves, error);
    }
    if (status == TOOL_OK)
        build_trees(p->waves, &p->found->graph, p->found->roots);
    return status;
}

/* Runs lines of units only: if their sums are wrong, nothing can be concluded from others. */
static tool_status count_units(line_prober *p, tool_error *error) {
    const uint32_t shift = p->block.exclusive;
    const tool_status status = run_pending(p, error);
    for (uint32_t k = 0; k < p->found->outputs && status == TOOL_OK; k++) {
        const int units = units_of(p, k + shift);
        if (units != (int)k + 1) {
            return tool_fail(error, TOOL_NOT_FOUND,
                             "output %u of a line of units, each %s, is not %u of them: these are "
                             "other sums, or they lose small numbers",
                             k + shift, p->format->unit < 1 ? "2^-24" : "1", k + 1);
        }
    }
    return status;
}

tool_status order_discover(const line_runner *runner, const line_block *block, order_found *found,
                           tool_error *error) {
    const size_t elements = (size_t)block->lines * block->length;
    line_prober p = {
        .runner = runner, .format = line_format_of(block->type), .block = *block, .found = found};
    *found = (order_found){.outputs = block->length - block->exclusive};
    found->roots = tool_calloc(block->length, sizeof *found->roots);
    order_graph_begin(&found->graph, block->length);
    p.input = tool_calloc(elements, cumsum_data_type_size(block->type));
    p.output = tool_calloc(elements, cumsum_data_type_size(block->type));
    p.pairs = tool_calloc(block->lines, sizeof *p.pairs);
    p.waves = new_waves(found->outputs);
    tool_status status = count_units(&p, error);
    if (status == TOOL_OK)
        status = run_waves(&p, error);
    free_waves(p.waves);
    free(p.pairs);
    free(p.output);
    free(p.input);
    if (status != TOOL_OK)
        order_found_end(found);
    return status;
}

void order_found_end(order_found *found) {
    order_graph_end(&found->graph);
    free(found->roots);
    found->roots = NULL;
}
