/* SPDX-License-Identifier: MIT */
/* The table of element types, elements as doubles, test data, and comparisons of their outputs. */
#include "lines.h"

#include <cumsum/oracle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"
#include "random_bits.h"
#include "words.h"

/* In FLOAT16 the unit is the smallest number, because M has to absorb it in a binary32 accumulator
 * too. */
static const line_format formats[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, 24, -126, 127, 1, 0x1p127, 1u << 24},
    {CUMSUM_DATA_TYPE_FLOAT16, 11, -14, 15, 0x1p-24, 0x1p15, 1u << 11},
    {CUMSUM_DATA_TYPE_FLOAT64, 53, -1022, 1023, 1, 0x1p1023, 1u << 24},
    {CUMSUM_DATA_TYPE_BFLOAT16, 8, -126, 127, 1, 0x1p127, 1u << 8},
};

const line_format *line_format_of(cumsum_data_type type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].type == type)
            return &formats[i];
    return NULL;
}

double line_load(cumsum_data_type type, const void *elements, size_t at) {
    const unsigned char *bytes = elements;
    return element_value(type, element_load(bytes + at * cumsum_data_type_size(type), type));
}

void line_store(cumsum_data_type type, void *elements, size_t at, double value) {
    unsigned char *bytes = elements;
    element_store(bytes + at * cumsum_data_type_size(type), type, element_nearest(type, value));
}

double line_rounded(cumsum_data_type type, double value) {
    return element_value(type, element_nearest(type, value));
}

/* In [1, 2), of either sign. */
static double wide_number(uint64_t bits) {
    const double value = 1 + ldexp((double)(bits >> 11), -53);
    return bits & 1 ? -value : value;
}

/* Around the smallest normal number, where sums become subnormal. */
static double tiny(const line_format *f, uint64_t bits) {
    return ldexp(wide_number(bits), f->least + 1 - (int)(bits >> 1 & 7));
}

/* Close to the largest numbers, where sums overflow. */
static double huge(const line_format *f, uint32_t at, uint64_t bits) {
    if (f->type == CUMSUM_DATA_TYPE_FLOAT16)
        return at ? fabs(wide_number(bits)) * (bits & 8 ? 2 : -2.25) : 65496;
    return ldexp(wide_number(bits), f->greatest - 1 - (int)(bits >> 1 & 3) - (at > 2 ? 2 : 0));
}

/* A large number that waits for its negative. */
typedef struct cancelling_pair {
    double large;
    uint32_t end; /* where the negative comes */
} cancelling_pair;

/* Large numbers with their negatives behind them, at distances of up to 2^8, 2^12 or 2^16, and
 * small numbers. What the large one absorbs shows after the negative, so these lines tell orders
 * apart whose sums otherwise agree after the store. The large numbers are of many sizes, to lose
 * digits in any accumulator. */
static double cancelling(const line_format *f, uint32_t line, uint32_t at, uint64_t bits,
                         cancelling_pair *pair) {
    const int reach = 8 + (int)(line / LINE_KINDS % 3) * 4;
    const bool half = f->type == CUMSUM_DATA_TYPE_FLOAT16;
    const bool ends = pair->large != 0 && at == pair->end;
    const bool starts = pair->large == 0 && bits >> 60 == 0;
    if (ends) {
        const double large = pair->large;
        pair->large = 0;
        return -large;
    }
    if (starts) {
        const int exponent = half ? 10 + (int)((bits >> 8 & 255) % 5) : 12 + (int)(bits >> 8 & 63);
        pair->large = ldexp(1 + (double)(bits >> 16 & 15) / 16, exponent);
        pair->end = at + 1 + (uint32_t)((bits >> 24 & 0xFFFF) >> (16 - reach) >> (bits >> 40 & 7));
        return pair->large;
    }
    return ldexp(wide_number(bits), (half ? -12 : -4) + (int)(bits >> 1 & 7));
}

/* Sums very close to the middle between two numbers of the type, where a second rounding shows:
 * they are 2^digits + 1 or 3, and a few parts too small for the first one. */
static double halfway(const line_format *f, uint32_t at, uint64_t bits) {
    static const int parts[8] = {0, 1, 0, 2, 0, -3, 0, 0};
    const double large = ldexp(1, f->digits);
    const double part = f->unit < 1 ? f->unit * (1 + (double)(bits >> 1 & 3))
                                    : ldexp(1, -f->digits - 8 - (int)(bits >> 1 & 7));
    if (at % 8 == 0 || at % 8 == 6)
        return at % 8 ? -large : large;
    return parts[at % 8] ? parts[at % 8] : bits & 1 ? -part : part;
}

static uint64_t hash(uint64_t seed, uint64_t number) {
    uint64_t state = seed + number;
    return random_bits(&state);
}

/* Full significands with mixed exponents, cancelling, of one sign, tiny, huge, halfway, zeros with
 * a few numbers among them, and zeros alone. */
static double element(const line_format *f, uint32_t line, uint32_t at, uint64_t of_line,
                      cancelling_pair *pair) {
    const uint64_t bits = hash(of_line, at);
    switch (line % LINE_KINDS) {
    case 0:
        return ldexp(wide_number(bits), (int)(bits >> 1 & 7) - 4);
    case 1:
        return cancelling(f, line, at, bits, pair);
    case 2:
        return fabs(wide_number(bits));
    case 3:
        return tiny(f, bits);
    case 4:
        return huge(f, at, bits);
    case 5:
        return halfway(f, at, bits);
    case 6:
        return at % 64 == 63 ? wide_number(bits) : -0.0;
    default:
        return -0.0;
    }
}

void line_trial_init_zeros(line_trial *t, const line_block *block) {
    const size_t size = cumsum_data_type_size(block->type);
    const size_t count = (size_t)block->lines * block->length;
    *t = (line_trial){.block = *block, .distinct = block->lines};
    t->input = tool_calloc(count, size);
    t->output = tool_calloc(count, size);
}

void line_trial_init(line_trial *t, const line_block *block, uint32_t distinct, uint64_t seed) {
    const line_format *f = line_format_of(block->type);
    line_trial_init_zeros(t, block);
    t->distinct = distinct;
    for (uint32_t line = 0; line < block->lines && line < distinct; line++) {
        const uint64_t of_line = hash(seed, line);
        cancelling_pair pair = {0, 0};
        for (uint32_t at = 0; at < block->length; at++)
            line_store(block->type, t->input, (size_t)line * block->length + at,
                       element(f, line, at, of_line, &pair));
    }
    const size_t bytes = (size_t)block->length * cumsum_data_type_size(block->type);
    for (size_t line = distinct; line < block->lines; line++)
        memcpy(t->input + line * bytes, t->input + (line - distinct) * bytes, bytes);
}

void line_trial_free(line_trial *t) {
    free(t->input);
    free(t->output);
    *t = (line_trial){.distinct = 0};
}

line_trial line_trial_line(const line_trial *t, uint32_t line) {
    const size_t start = (size_t)line * t->block.length * cumsum_data_type_size(t->block.type);
    line_trial one = {t->block, 1, t->input + start, t->output + start};
    one.block.lines = 1;
    return one;
}

tool_status line_trial_run(const line_runner *runner, line_trial *t, tool_error *error) {
    return runner->run(runner->state, &t->block, t->input, t->output, error);
}

/* The bits of an output. */
static uint64_t line_trial_output(const line_trial *t, uint32_t line, uint32_t at) {
    const size_t place = (size_t)line * t->block.length + at;
    return element_load(t->output + place * cumsum_data_type_size(t->block.type), t->block.type);
}

/* Enters the output `at` of a line into a difference, which keeps the worst kind, and of these the
 * least place. */
static void compare_output(line_difference *d, const line_trial *t, uint32_t line, uint32_t at,
                           uint64_t expected) {
    const uint64_t actual = line_trial_output(t, line, at);
    if (cumsum_same_bits(t->block.type, actual, expected))
        return;
    const bool zeros = ((actual | expected) & ~element_sign(t->block.type)) == 0;
    const line_difference one = {zeros ? ZEROS_DIFFER : BITS_DIFFER, line, at, actual, expected};
    if (one.kind > d->kind || (one.kind == d->kind && at < d->at))
        *d = one;
}

/* The outputs of lines with the same elements, as far as both lines have them. */
static void compare_line(line_difference *d, const line_trial *t, uint32_t line,
                         const line_trial *from, uint32_t from_line) {
    const uint32_t late = t->block.exclusive && !from->block.exclusive;
    const uint32_t early = !t->block.exclusive && from->block.exclusive;
    const uint32_t ours = t->block.length - late;
    const uint32_t theirs = from->block.length - early;
    const uint32_t both = ours < theirs ? ours : theirs;
    const size_t size = cumsum_data_type_size(t->block.type);
    const bool equal =
        memcmp(t->output + ((size_t)line * t->block.length + late) * size,
               from->output + ((size_t)from_line * from->block.length + early) * size,
               both * size) == 0;
    for (uint32_t i = 0; i < both && !equal; i++)
        compare_output(d, t, line, i + late, line_trial_output(from, from_line, i + early));
    if (late)
        compare_output(d, t, line, 0, 0); /* the sum of nothing is 0 */
}

line_difference line_trial_compare(const line_trial *t, const line_trial *from) {
    const uint32_t same = t->distinct == from->distinct  ? UINT32_MAX
                          : t->distinct < from->distinct ? t->distinct
                                                         : from->distinct;
    line_difference d = {.kind = LINES_EQUAL};
    for (uint32_t line = 0; line < t->block.lines && line < from->block.lines && line < same;
         line++)
        compare_line(&d, t, line, from, line);
    return d;
}

line_difference line_trial_compare_lines(const line_trial *t) {
    line_difference d = {.kind = LINES_EQUAL};
    for (uint32_t line = t->distinct; line < t->block.lines; line++)
        compare_line(&d, t, line, t, line % t->distinct);
    return d;
}

void line_difference_text(char text[LINE_DIFFERENCE_TEXT], cumsum_data_type type,
                          const line_difference *d) {
    char actual[CUMSUM_ELEMENT_TEXT];
    char expected[CUMSUM_ELEMENT_TEXT];
    cumsum_element_decimal(actual, type, d->actual);
    cumsum_element_decimal(expected, type, d->expected);
    snprintf(text, LINE_DIFFERENCE_TEXT, "line %u, output %u is %s and not %s", d->line, d->at,
             actual, expected);
}
