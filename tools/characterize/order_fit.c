/* SPDX-License-Identifier: MIT */
/* Finds an order's arithmetic and its name for long lines: those that give the bits of test data.
 */
#include "order_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "line_format.h"
#include "memory.h"

static const void *elements_of(const line_trial *t, uint32_t line) {
    const size_t size = cumsum_data_type_size(t->block.type);
    return t->input + (size_t)line * t->block.length * size;
}

/* The lines whose elements no line before them has. */
static uint32_t lines_of(const line_trial *t) {
    return t->block.lines < t->distinct ? t->block.lines : t->distinct;
}

/* The first of a line's `length` outputs that the order does not give. */
static uint32_t first_difference(const saved_order *order, const line_trial *t, uint32_t line,
                                 uint32_t length, void *expected) {
    const cumsum_data_type type = t->block.type;
    const size_t size = cumsum_data_type_size(type);
    order_evaluate(order, t->block.exclusive, elements_of(t, line), length, expected);
    uint32_t i = 0;
    while (i < length &&
           order_same_bits(order, line_trial_output(t, line, i),
                           element_load((const unsigned char *)expected + i * size, type)))
        i++;
    return i;
}

static uint32_t known_length(const saved_order *order, const line_trial *t) {
    const uint32_t most = order->name.kind == ORDER_EXACT ? UINT32_MAX : order->outputs;
    const uint32_t shorter = most < t->block.length ? most : t->block.length;
    return shorter < t->block.length ? shorter + t->block.exclusive : shorter;
}

uint32_t order_compare(const saved_order *order, const line_trial *t,
                       char text[LINE_DIFFERENCE_TEXT]) {
    const cumsum_data_type type = t->block.type;
    const size_t size = cumsum_data_type_size(type);
    const uint32_t length = known_length(order, t);
    unsigned char *expected = tool_calloc(length, size);
    uint32_t least = length;
    text[0] = '\0';
    for (uint32_t line = 0; line < lines_of(t) && least; line++) {
        const uint32_t at = first_difference(order, t, line, length, expected);
        if (at < least) {
            const line_difference d = {BITS_DIFFER, line, at, line_trial_output(t, line, at),
                                       element_load(expected + at * size, type)};
            line_difference_text(text, type, &d);
            least = at;
        }
    }
    free(expected);
    return least < length ? least : t->block.length;
}

void order_fit_zeros(order_arithmetic *how, const line_trial *t) {
    const uint32_t outputs = t->block.length - t->block.exclusive;
    const size_t first = (size_t)LINE_MINUS_ZEROS * t->block.length + t->block.exclusive;
    uint32_t kept = 0;
    uint32_t in_front = 0; /* without another output before them */
    how->minus_zeros = 0;
    if (lines_of(t) <= LINE_MINUS_ZEROS)
        return;
    for (uint32_t k = 0; k < outputs; k++) {
        const bool keeps = signbit(line_load(t->block.type, t->output, first + k)) != 0;
        in_front += keeps && kept == k;
        kept += keeps;
    }
    how->any_zero = how->any_zero || kept != in_front;
    how->minus_zeros = kept == outputs    ? ORDER_ALL_OUTPUTS
                       : kept == in_front ? kept
                                          : ORDER_SOME_OUTPUTS;
}

#define NEAREST   CUMSUM_HALF_STORE_NEAREST_EVEN
#define TRUNCATES CUMSUM_HALF_STORE_TOWARD_ZERO

/* The arithmetics that are tried, the most common ones first. Sums of FLOAT16 in binary64 are not
 * rounded. */
static const struct {
    cumsum_data_type type;
    bool exact;
    order_tally tally;
    cumsum_half_store store;
} arithmetics[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, false, TALLY_BINARY32, 0},
    {CUMSUM_DATA_TYPE_FLOAT32, false, TALLY_BINARY64, 0},
    {CUMSUM_DATA_TYPE_FLOAT32, true, TALLY_EXACT, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, false, TALLY_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_FLOAT16, false, TALLY_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_FLOAT16, false, TALLY_BINARY32, CUMSUM_HALF_STORE_IEEE},
    {CUMSUM_DATA_TYPE_FLOAT16, false, TALLY_BINARY16, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, true, TALLY_EXACT, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, true, TALLY_BINARY64_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_FLOAT16, true, TALLY_BINARY64_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_FLOAT16, true, TALLY_BINARY64_BINARY32, CUMSUM_HALF_STORE_IEEE},
    {CUMSUM_DATA_TYPE_FLOAT64, false, TALLY_BINARY64, 0},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BFLOAT16, 0},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BINARY64, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BINARY64_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, TALLY_BINARY64_BINARY32, TRUNCATES},
};
#define ARITHMETICS (sizeof arithmetics / sizeof arithmetics[0])

/* Number `number` of them, with and without subnormals; false if it is not one for this order. */
static bool choose_arithmetic(saved_order *order, size_t number) {
    const size_t row = number / 2;
    order->arithmetic.tally = arithmetics[row].tally;
    order->arithmetic.store = arithmetics[row].store;
    order->arithmetic.denormals = number % 2 ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE;
    return arithmetics[row].type == order->type &&
           arithmetics[row].exact == (order->name.kind == ORDER_EXACT) &&
           (number % 2 == 0 || order->type != CUMSUM_DATA_TYPE_FLOAT16);
}

bool order_fit(saved_order *order, const line_trial *t, char text[LINE_DIFFERENCE_TEXT]) {
    char other[LINE_DIFFERENCE_TEXT];
    text[0] = '\0';
    order_fit_zeros(&order->arithmetic, t);
    for (size_t i = 0; i < 2 * ARITHMETICS; i++) {
        if (!choose_arithmetic(order, i))
            continue;
        if (order_compare(order, t, text[0] ? other : text) == t->block.length)
            return true;
    }
    return false;
}

/* ---- names ---- */

/* Builds the order of a name for the trial's lines, or for the longest that it can be built for. */
static saved_order named(const saved_order *order, named_order name, const line_trial *t) {
    saved_order o = {.type = order->type, .arithmetic = order->arithmetic, .name = name};
    const uint32_t most = order_most_terms(&o);
    const uint32_t terms = t->block.length - t->block.exclusive;
    order_reach(&o, terms < most ? terms : most, false);
    return o;
}

/* How many outputs the name gives; *compared receives how many there are to compare. */
static uint32_t hold_name(const saved_order *order, named_order name, const line_trial *t,
                          uint32_t *compared, char text[LINE_DIFFERENCE_TEXT]) {
    saved_order o = named(order, name, t);
    const uint32_t first = order_compare(&o, t, text);
    *compared = known_length(&o, t);
    saved_order_free(&o);
    return first;
}

/* Blocks are recognized by the outputs that come after the first block: its total, and the scan of
 * the elements behind it. A few of them are looked at, then more, and then the whole order is
 * built. */
#define GLANCES 2
static const uint32_t glances[GLANCES] = {48, 1024};

typedef struct block_search {
    const saved_order *order; /* the arithmetic, and the order inside of blocks, without blocks */
    const line_trial *t;
    saved_order within[GLANCES]; /* ... for so many terms */
    double **tallies;            /* by line: of all prefixes, as far as the first block reaches */
    uint32_t terms;
} block_search;

static bool equal_but_zeros(const block_search *s, double tally, uint32_t line, uint32_t at) {
    unsigned char bytes[8];
    order_store(s->order, bytes, 0, tally);
    const line_trial *t = s->t;
    const double actual = line_load(t->block.type, t->output, (size_t)line * t->block.length + at);
    const double expected = line_load(t->block.type, bytes, 0);
    return actual == expected || (isnan(actual) && isnan(expected));
}

static bool glance_at_line(const block_search *s, int number, uint32_t block, uint32_t line) {
    const saved_order *within = &s->within[number];
    const size_t size = cumsum_data_type_size(s->t->block.type);
    const uint32_t second = block < s->terms - block ? block : s->terms - block;
    const uint32_t count = second < glances[number] ? second : glances[number];
    const unsigned char *elements = elements_of(s->t, line);
    const double carry = s->tallies[line][block - 1];
    double *local = order_tallies(within, elements + block * size, count);
    bool same = true;
    for (uint32_t i = 0; i < count && same; i++)
        same = equal_but_zeros(s, order_add(within, carry, local[within->roots[i]]), line,
                               block + i + s->t->block.exclusive);
    free(local);
    return same;
}

static bool glance(const block_search *s, uint32_t block) {
    bool same = true;
    for (int number = 0; number < GLANCES && same; number++)
        for (uint32_t line = 0; line < lines_of(s->t) && same; line++)
            same = glance_at_line(s, number, block, line);
    return same;
}

/* So many blocks that pass the glance are built. */
#define MOST_BUILT 32

/* Looks for blocks of `least` to `most` elements. */
static bool search_blocks(const block_search *s, order_kind kind, uint32_t least, uint32_t most,
                          named_order *name) {
    char text[LINE_DIFFERENCE_TEXT];
    uint32_t compared;
    int built = 0;
    for (uint32_t block = least; block <= most && built < MOST_BUILT; block++) {
        if (!glance(s, block))
            continue;
        built++;
        const named_order blocks = {kind, block};
        if (hold_name(s->order, blocks, s->t, &compared, text) == s->t->block.length) {
            *name = blocks;
            return true;
        }
    }
    return false;
}

/* Looks for blocks inside of which the order is `plain`. The first block, and perhaps some after
 * it, are no different from a line that is not cut: `first` is the first output that is. */
static bool find_blocks(const saved_order *order, const line_trial *t, order_kind plain,
                        order_kind kind, uint32_t first, named_order *name) {
    const uint32_t lines = lines_of(t);
    const uint32_t least = order->outputs > 3 ? order->outputs - 1 : 2;
    saved_order whole = named(order, (named_order){plain, 0}, t);
    block_search s = {.order = order,
                      .t = t,
                      .tallies = tool_calloc(lines, sizeof *s.tallies),
                      .terms = t->block.length - t->block.exclusive};
    for (int i = 0; i < GLANCES; i++) {
        s.within[i] =
            (saved_order){.type = order->type, .arithmetic = order->arithmetic, .name = {plain, 0}};
        order_reach(&s.within[i], glances[i], false);
    }
    for (uint32_t line = 0; line < lines; line++) {
        double *all = order_tallies(&whole, elements_of(t, line), t->block.length);
        s.tallies[line] = tool_calloc(whole.outputs, sizeof *s.tallies[line]);
        for (uint32_t k = 0; k < whole.outputs; k++)
            s.tallies[line][k] = all[whole.roots[k]];
        free(all);
    }
    const uint32_t most = first < s.terms - 2 ? first : s.terms - 2;
    const bool found = search_blocks(&s, kind, least, most, name);
    for (uint32_t line = 0; line < lines; line++)
        free(s.tallies[line]);
    free(s.tallies);
    for (int i = 0; i < GLANCES; i++)
        saved_order_free(&s.within[i]);
    saved_order_free(&whole);
    return found;
}

static bool find_longer_blocks(const saved_order *order, const line_trial *t, named_order plain,
                               uint32_t first, named_order *name) {
    static const order_kind kinds[][2] = {{ORDER_SEQUENTIAL, ORDER_BLOCKS_SEQUENTIAL},
                                          {ORDER_SKLANSKY, ORDER_BLOCKS_SKLANSKY},
                                          {ORDER_HILLIS_STEELE, ORDER_BLOCKS_HILLIS_STEELE}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (plain.kind == kinds[i][0])
            return find_blocks(order, t, kinds[i][0], kinds[i][1], first, name);
    return false;
}

/* Moves the names that give all outputs to the front. */
static void keep_names(const saved_order *order, const line_trial *t, named_order *names,
                       size_t count, uint32_t *first, names_held *held) {
    named_order best = names[0];
    for (size_t i = 0; i < count; i++) {
        char text[LINE_DIFFERENCE_TEXT];
        uint32_t compared;
        first[i] = hold_name(order, names[i], t, &compared, text);
        if (first[i] == t->block.length) {
            held->compared = held->compared < compared ? compared : held->compared;
            names[held->count++] = names[i];
        } else if (first[i] > held->first || !held->text[0]) {
            held->first = first[i];
            best = names[i];
            memcpy(held->text, text, sizeof text);
        }
    }
    if (!held->count)
        names[0] = best;
}

names_held order_hold_names(const saved_order *order, const line_trial *t, named_order *names,
                            size_t count) {
    names_held held = {.count = 0};
    named_order *short_names = tool_calloc(count, sizeof *short_names);
    uint32_t *first = tool_calloc(count, sizeof *first);
    memcpy(short_names, names, count * sizeof *names);
    keep_names(order, t, names, count, first, &held);
    for (size_t i = 0; i < count && !held.count; i++) {
        if (find_longer_blocks(order, t, short_names[i], first[i], &names[0])) {
            held.count = 1;
            held.compared = t->block.length;
        }
    }
    free(first);
    free(short_names);
    return held;
}
