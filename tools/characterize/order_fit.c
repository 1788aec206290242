/* SPDX-License-Identifier: MIT */
/* Finds an order's arithmetic and its name for long lines: those that give the bits of test data.
 */
#include "fingerprint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "lines.h"
#include "memory.h"

static const void *elements_of(const line_trial *t, uint32_t line) {
    const size_t size = cumsum_data_type_size(t->block.type);
    return t->input + (size_t)line * t->block.length * size;
}

/* The lines whose elements no line before them has. */
static uint32_t lines_of(const line_trial *t) {
    return t->block.lines < t->distinct ? t->block.lines : t->distinct;
}

static uint32_t known_length(const known_order *order, const line_trial *t) {
    const uint32_t most = order->name.kind == ORDER_EXACT ? UINT32_MAX : order->outputs;
    return most < t->block.length ? most + t->block.exclusive : t->block.length;
}

line_difference order_compare(const known_order *order, const line_trial *t) {
    const size_t size = cumsum_data_type_size(t->block.type);
    const uint32_t length = known_length(order, t);
    line_trial expected = *t;
    expected.block.lines = lines_of(t);
    expected.block.length = length;
    expected.output = tool_calloc((size_t)expected.block.lines * length, size);
    for (uint32_t line = 0; line < expected.block.lines; line++)
        order_evaluate(order, t->block.exclusive, elements_of(t, line), length,
                       expected.output + (size_t)line * length * size);
    line_difference d = line_trial_compare(t, &expected);
    if (d.kind == ZEROS_DIFFER && order_any_zero(order))
        d.kind = LINES_EQUAL;
    free(expected.output);
    return d;
}

void order_fit_zeros(order_arithmetic *how, const line_trial *t) {
    const uint32_t outputs = t->block.length - t->block.exclusive;
    const size_t first = (size_t)LINE_MINUS_ZEROS * t->block.length + t->block.exclusive;
    const uint32_t start = t->block.total ? outputs - 1 : 0;
    uint32_t kept = 0;
    uint32_t in_front = 0; /* without another output before them */
    how->minus_zeros = 0;
    if (lines_of(t) <= LINE_MINUS_ZEROS)
        return;
    for (uint32_t k = start; k < outputs; k++) {
        const bool keeps = signbit(line_load(t->block.type, t->output, first + k)) != 0;
        in_front += keeps && kept == k - start;
        kept += keeps;
    }
    how->any_zero = how->any_zero || kept != in_front;
    how->minus_zeros = kept == outputs - start ? ORDER_ALL_OUTPUTS
                       : kept == in_front      ? kept
                                               : ORDER_SOME_OUTPUTS;
}

#define NEAREST   CUMSUM_HALF_STORE_NEAREST_EVEN
#define TRUNCATES CUMSUM_HALF_STORE_TOWARD_ZERO

/* The arithmetics that are tried, the most common ones first. Sums of FLOAT16 in binary64 are not
 * rounded. */
static const struct {
    cumsum_data_type type;
    bool exact;
    order_accumulator accumulator;
    cumsum_half_store store;
} arithmetics[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, false, ACCUMULATOR_BINARY32, 0},
    {CUMSUM_DATA_TYPE_FLOAT32, false, ACCUMULATOR_BINARY64, 0},
    {CUMSUM_DATA_TYPE_FLOAT32, true, ACCUMULATOR_EXACT, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, false, ACCUMULATOR_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_FLOAT16, false, ACCUMULATOR_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_FLOAT16, false, ACCUMULATOR_BINARY32, CUMSUM_HALF_STORE_IEEE},
    {CUMSUM_DATA_TYPE_FLOAT16, false, ACCUMULATOR_BINARY16, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, true, ACCUMULATOR_EXACT, 0},
    {CUMSUM_DATA_TYPE_FLOAT16, true, ACCUMULATOR_BINARY64_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_FLOAT16, true, ACCUMULATOR_BINARY64_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_FLOAT16, true, ACCUMULATOR_BINARY64_BINARY32, CUMSUM_HALF_STORE_IEEE},
    {CUMSUM_DATA_TYPE_FLOAT64, false, ACCUMULATOR_BINARY64, 0},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BINARY32, TRUNCATES},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BFLOAT16, 0},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BINARY64, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BINARY64_BINARY32, NEAREST},
    {CUMSUM_DATA_TYPE_BFLOAT16, false, ACCUMULATOR_BINARY64_BINARY32, TRUNCATES},
};
#define ARITHMETICS (sizeof arithmetics / sizeof arithmetics[0])

/* Number `number` of them, with and without subnormals; false if it is not one for this order. */
static bool choose_arithmetic(known_order *order, size_t number) {
    const size_t row = number / 2;
    order->arithmetic.accumulator = arithmetics[row].accumulator;
    order->arithmetic.store = arithmetics[row].store;
    order->arithmetic.denormals = number % 2 ? CUMSUM_DENORMALS_FLUSH : CUMSUM_DENORMALS_PRESERVE;
    return arithmetics[row].type == order->type &&
           arithmetics[row].exact == (order->name.kind == ORDER_EXACT) &&
           (number % 2 == 0 || order->type != CUMSUM_DATA_TYPE_FLOAT16);
}

bool order_fit(known_order *order, const line_trial *t, line_difference *d) {
    bool first = true;
    order_fit_zeros(&order->arithmetic, t);
    for (size_t i = 0; i < 2 * ARITHMETICS; i++) {
        if (!choose_arithmetic(order, i))
            continue;
        const line_difference found = order_compare(order, t);
        if (found.kind == LINES_EQUAL)
            return true;
        *d = first ? found : *d;
        first = false;
    }
    return false;
}

/* ---- names ---- */

/* The first output of the trial that the name does not give. *compared receives how many there are
 * to compare: all of the lines, or of the longest ones that the order can be built for. */
static line_difference compare_name(const known_order *order, named_order name, const line_trial *t,
                                    uint32_t *compared) {
    known_order o = {.type = order->type, .arithmetic = order->arithmetic, .name = name};
    const uint32_t most = order_most_terms(&o);
    const uint32_t terms = t->block.length - t->block.exclusive;
    order_reach(&o, terms < most ? terms : most, false);
    const line_difference d = order_compare(&o, t);
    *compared = known_length(&o, t);
    known_order_free(&o);
    return d;
}

/* Of cumsum_order_find: seconds. */
#define FIND_EFFORT (UINT64_C(1) << 22)

/* An order whose levels are looked for. */
typedef struct level_search {
    const known_order *order;
    const line_trial *trial;
    uint32_t lines; /* of the trial that are looked at */
} level_search;

static uint64_t outputs_right(void *search, const cumsum_composed_order *levels, uint64_t n) {
    const level_search *s = search;
    const named_order name = {.kind = ORDER_LEVELS, .levels = *levels};
    for (uint32_t i = 0; i < s->lines; i++) {
        line_trial line = line_trial_line(s->trial, i);
        uint32_t compared;
        line.block.length = (uint32_t)n;
        const line_difference d = compare_name(s->order, name, &line, &compared);
        n = d.kind == BITS_DIFFER ? d.at : n;
    }
    return n;
}

/* Two lines tell most orders apart. Lines of FLOAT16 tell less, because the store hides most
 * roundings: if no order is found, or one that other lines do not have, all lines are looked at. */
static bool find_levels(const known_order *order, const line_trial *t, named_order *name,
                        uint32_t *compared) {
    const uint32_t lines[] = {lines_of(t) < 2 ? 1 : 2, lines_of(t)};
    for (size_t i = 0; i < 2; i++) {
        level_search s = {order, t, lines[i]};
        name->kind = ORDER_LEVELS;
        if (cumsum_order_find(t->block.length, FIND_EFFORT, outputs_right, &s, &name->levels) &&
            compare_name(order, *name, t, compared).kind == LINES_EQUAL &&
            *compared == t->block.length)
            return true;
    }
    return false;
}

line_difference order_keep_names(const known_order *order, const line_trial *t, named_order *names,
                                 size_t *count, uint32_t *compared) {
    named_order *fitting = tool_calloc(*count, sizeof *fitting);
    line_difference best = {.kind = LINES_EQUAL};
    size_t kept = 0;
    memcpy(fitting, names, *count * sizeof *names);
    *compared = 0;
    for (size_t i = 0; i < *count; i++) {
        uint32_t outputs;
        const line_difference first = compare_name(order, fitting[i], t, &outputs);
        if (first.kind == LINES_EQUAL) {
            *compared = *compared < outputs ? outputs : *compared;
            names[kept++] = fitting[i];
        } else if (!kept && (best.kind == LINES_EQUAL || first.at > best.at)) {
            best = first;
            names[0] = fitting[i];
        }
    }
    if (!kept && find_levels(order, t, &fitting[0], compared))
        names[kept++] = fitting[0];
    *count = kept ? kept : 1;
    free(fitting);
    return kept ? (line_difference){.kind = LINES_EQUAL} : best;
}
