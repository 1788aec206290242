/* SPDX-License-Identifier: MIT */
/* Questions that short lines of special numbers answer: how sums are accumulated and rounded, what
 * becomes of subnormals, zeros, NaN, infinities and sums that are too large, and whether integers
 * wrap. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "fingerprint.h"
#include "lines.h"
#include "words.h"

/* Short lines of numbers and their inclusive sums. */
#define FEW 24
typedef struct few_lines {
    uint32_t lines;
    uint32_t length;
    double in[FEW];
    double out[FEW];
} few_lines;

/* Appends "1 2 -> 1 3" for each line. */
static void show_lines(answer *a, cumsum_data_type type, const few_lines *few) {
    a->text[0] = '\0';
    for (uint32_t i = 0; i < 2 * few->lines * few->length; i++) {
        const uint32_t line = i / few->length / 2;
        const uint32_t at = i % few->length;
        const bool is_sum = i / few->length % 2;
        const size_t used = strlen(a->text);
        uint64_t bytes = 0;
        char value[CUMSUM_ELEMENT_TEXT];
        line_store(type, &bytes, 0, (is_sum ? few->out : few->in)[line * few->length + at]);
        cumsum_element_decimal(value, type, element_load((unsigned char *)&bytes, type));
        snprintf(a->text + used, sizeof a->text - used, "%s%s",
                 at       ? " "
                 : is_sum ? " -> "
                 : line   ? "; "
                          : "",
                 value);
    }
}

/* A trial of few lines; of exclusive sums one element more is in a line. */
static line_trial few_trial(const inquiry *q, cumsum_data_type type, uint32_t lines,
                            uint32_t length) {
    line_block block = q->lines.block;
    line_trial t;
    block.type = type;
    block.lines = lines;
    block.length = length + block.exclusive;
    line_trial_init_zeros(&t, &block);
    return t;
}

/* Sums the lines, and shows them as the answer's text. False as of inquiry_run. */
static bool sum_few(inquiry *q, answer *a, few_lines *few) {
    const cumsum_data_type type = q->lines.block.type;
    line_trial t = few_trial(q, type, few->lines, few->length);
    const uint32_t shift = t.block.exclusive;
    for (uint32_t i = 0; i < few->lines * few->length; i++)
        line_store(type, t.input, i + i / few->length * shift, few->in[i]);
    const bool ran = inquiry_run(q, a, &t);
    for (uint32_t i = 0; i < few->lines * few->length && ran; i++)
        few->out[i] = line_load(type, t.output, i + (i / few->length + 1) * shift);
    if (ran)
        show_lines(a, type, few);
    line_trial_free(&t);
    return ran;
}

static void answer_words(answer *a, answer_outcome outcome, const char *words) {
    a->outcome = outcome;
    snprintf(a->words, sizeof a->words, "%s", words);
}

/* 2^digits + 1 is halfway between two numbers of the type: an accumulator of the type stays. */
void ask_accumulator(inquiry *q, answer *a) {
    const cumsum_data_type type = q->lines.block.type;
    const double large = ldexp(1, line_format_of(type)->digits);
    few_lines few = {1, 3, {large, 1, 1}, {0}};
    char words[80];
    if (!sum_few(q, a, &few))
        return;
    snprintf(words, sizeof words, "%s%s",
             few.out[2] == large       ? ""
             : few.out[2] == large + 2 ? "more digits than "
                                       : "neither more nor the digits of ",
             cumsum_data_type_name(type));
    answer_words(a, ANSWER_GIVEN, words);
}

/* Sums of two numbers where the type has the whole numbers only, and what each way to round makes
 * of them, above or below the first addend. */
#define ROUNDED 5
static const double addends[ROUNDED][2] = {{0, 0.75}, {0, -0.75}, {0, 0.5}, {1, 0.5}, {1, -0.25}};
static const struct {
    const char *name;
    int steps[ROUNDED]; /* away from 0, from the first addend */
} roundings[] = {
    {"to nearest even", {1, 1, 0, 1, 0}},
    {"toward zero", {0, 0, 0, 0, 0}},
    {"to nearest, ties away from zero", {1, 1, 1, 1, 0}},
    {"up", {1, 0, 1, 1, 0}},
    {"down", {0, 1, 0, 0, 1}},
    {"away from zero", {1, 1, 1, 1, 1}},
};

void ask_rounding(inquiry *q, answer *a) {
    const double large = ldexp(1, line_format_of(q->lines.block.type)->digits - 1);
    const char *name = "in no way that has a name";
    few_lines few = {.lines = ROUNDED, .length = 2};
    for (size_t i = 0; i < ROUNDED; i++) {
        few.in[2 * i] = copysign(large + addends[i][0], addends[i][1]);
        few.in[2 * i + 1] = addends[i][1];
    }
    if (!sum_few(q, a, &few))
        return;
    for (size_t r = sizeof roundings / sizeof roundings[0]; r-- > 0;) {
        bool fits = true;
        for (size_t i = 0; i < ROUNDED; i++)
            fits = fits && few.out[2 * i + 1] ==
                               few.in[2 * i] + copysign(roundings[r].steps[i], few.in[2 * i]);
        name = fits ? roundings[r].name : name;
    }
    answer_words(a, ANSWER_GIVEN, name);
}

/* What becomes of a subnormal and of its negative. `zero`: what both become if they are flushed. */
static const char *name_flushing(bool positive, bool negative, bool flushed, const char *zero) {
    return positive && negative ? "kept"
           : flushed            ? zero
           : positive           ? "kept if positive, lost if negative"
           : negative           ? "kept if negative, lost if positive"
                                : "neither kept nor flushed";
}

/* A subnormal can be lost in three places: as an element, as an output, and as a sum that is added
 * to. The first two lines have one as an element, and a normal sum. In the others the first sum is
 * one, and so an output; with a normal number it makes a normal sum, and with -0 it shows the sign
 * of a zero that it was flushed to. */
void ask_subnormals(inquiry *q, answer *a) {
    const double m = ldexp(1, line_format_of(q->lines.block.type)->least);
    few_lines few = {
        5,
        3,
        {m, m / 2, 0, -m, -m / 2, 0, 1.5 * m, -m, m, -1.5 * m, m, -m, -1.5 * m, m, -0.0},
        {0}};
    const double *out = few.out;
    if (!sum_few(q, a, &few))
        return;
    const char *inputs = name_flushing(out[1] == 1.5 * m, out[4] == -1.5 * m,
                                       out[1] == m && out[4] == -m, "flushed");
    const char *outputs =
        name_flushing(out[7] == m / 2, out[10] == -m / 2, out[7] == 0 && out[10] == 0,
                      signbit(out[10]) ? "flushed to a zero of their sign" : "flushed to +0");
    const char *sums =
        name_flushing(out[8] == 1.5 * m, out[11] == -1.5 * m, out[8] == m && out[11] == -m,
                      signbit(out[14]) ? "flushed to a zero of their sign" : "flushed to +0");
    char words[sizeof a->words];
    if (!strcmp(inputs, sums) && !strcmp(inputs, outputs))
        snprintf(words, sizeof words, "%s", inputs);
    else
        snprintf(words, sizeof words, "inputs %s, sums %s, outputs %s", inputs, sums, outputs);
    answer_words(a, ANSWER_GIVEN, words);
}

/* From the line of -0 among the examined ones. */
void ask_zeros(inquiry *q, answer *a) {
    const line_trial *t = &q->lines;
    order_arithmetic how = {.minus_zeros = 0};
    char words[80];
    bool zeros = true;
    order_fit_zeros(&how, t);
    for (uint32_t at = 0; at < t->block.length; at++)
        zeros = zeros && line_load(t->block.type, t->output,
                                   (size_t)LINE_MINUS_ZEROS * t->block.length + at) == 0;
    if (!zeros)
        snprintf(words, sizeof words, "-0 alone gives other numbers");
    else if (how.minus_zeros == ORDER_SOME_OUTPUTS)
        snprintf(words, sizeof words, "-0 stays in some outputs");
    else if (how.minus_zeros == 0 || how.minus_zeros == ORDER_ALL_OUTPUTS)
        snprintf(words, sizeof words, "-0 alone gives %s", how.minus_zeros ? "-0" : "+0");
    else if (how.minus_zeros == 1)
        snprintf(words, sizeof words, "-0 stays in the first output only");
    else
        snprintf(words, sizeof words, "-0 stays in the first %u outputs only", how.minus_zeros);
    answer_give(a, zeros ? ANSWER_GIVEN : ANSWER_WRONG, words, "a line of %u elements of -0",
                t->block.length);
}

void ask_nan(inquiry *q, answer *a) {
    few_lines few = {1, 4, {1, (double)NAN, 1, (double)INFINITY}, {0}};
    if (!sum_few(q, a, &few))
        return;
    const bool right =
        few.out[0] == 1 && isnan(few.out[1]) && isnan(few.out[2]) && isnan(few.out[3]);
    answer_words(a, right ? ANSWER_GIVEN : ANSWER_WRONG,
                 right ? "stays, and changes nothing before it"
                       : "it does not stay, or changes what is before it");
}

void ask_infinity(inquiry *q, answer *a) {
    const double inf = (double)INFINITY;
    few_lines few = {1, 5, {1, inf, 1, -inf, 1}, {0}};
    const double *out = few.out;
    if (!sum_few(q, a, &few))
        return;
    const bool right =
        out[0] == 1 && out[1] == inf && out[2] == inf && isnan(out[3]) && isnan(out[4]);
    answer_words(a, right ? ANSWER_GIVEN : ANSWER_WRONG,
                 right ? "stays, and inf - inf is NaN"
                       : "it does not stay, or inf - inf is not NaN");
}

/* IEEE 754 rounds a sum to the largest number if it is less than half a step above it. DirectML's
 * shaders make every FLOAT16 sum above it infinite. The last line's exact sum is the largest number
 * again: an accumulator with larger numbers recovers. */
#define EDGES 5
void ask_overflow(inquiry *q, answer *a) {
    static const double steps[EDGES] = {0, 0.25, 0.484375, 0.5, 1};
    const line_format *f = line_format_of(q->lines.block.type);
    const double step = ldexp(1, f->greatest + 1 - f->digits);
    const double most = ldexp(1, f->greatest) - step + ldexp(1, f->greatest);
    few_lines few = {.lines = EDGES + 1, .length = 3};
    int infinite = 0;
    bool in_order = true;
    char words[sizeof a->words];
    for (size_t i = 0; i <= EDGES; i++) {
        few.in[3 * i] = most;
        few.in[3 * i + 1] = i < EDGES ? steps[i] * step : most;
        few.in[3 * i + 2] = i < EDGES ? 0 : -most;
    }
    if (!sum_few(q, a, &few))
        return;
    for (int i = 0; i < EDGES; i++) {
        const double sum = few.out[3 * i + 1];
        infinite += sum == (double)INFINITY;
        in_order = in_order && (sum == (double)INFINITY ? i > 0 : sum == most && infinite == 0);
    }
    const double after = few.out[3 * EDGES + 2];
    const bool recovers = after == most;
    const bool right = recovers || infinite == 0 || after == (double)INFINITY;
    snprintf(words, sizeof words, "%s%s",
             !in_order       ? "infinite in no way that has a name"
             : infinite == 4 ? "infinite above the largest number"
             : infinite == 2 ? "infinite from half a step above the largest number on"
             : infinite == 0 ? "never infinite, but the largest number"
                             : "infinite elsewhere above the largest number",
             recovers ? "; later sums are right again"
             : right  ? "; later sums stay so"
                      : "; later sums are wrong");
    answer_words(a, right ? ANSWER_GIVEN : ANSWER_WRONG, words);
}

/* Carries out of the low 32 bits, and out of the word. */
static void sum_integers(inquiry *q, answer *a, cumsum_data_type type) {
    const uint32_t size = cumsum_data_type_size(type);
    const uint64_t mask = size == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t terms[] = {mask, 1, UINT32_MAX >> 1, 1, mask >> 1, mask >> 1, UINT32_MAX, 3};
    line_trial t = few_trial(q, type, 1, 8);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 8; i++)
        element_store(t.input + (size_t)i * size, type, terms[i] & mask);
    a->outcome = ANSWER_GIVEN;
    const bool ran = inquiry_run(q, a, &t);
    for (uint32_t i = 0; i < 8 && ran; i++) {
        sum = (sum + terms[i]) & mask;
        if (line_trial_output(&t, 0, i + t.block.exclusive) != sum)
            answer_give(a, ANSWER_WRONG, "they do not wrap", "%s: output %u",
                        cumsum_data_type_name(type), i + t.block.exclusive);
    }
    line_trial_free(&t);
}

/* Of those types that are available. */
void ask_integers(inquiry *q, answer *a) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_UINT32,
                                             CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64};
    char words[80] = "wrap:";
    for (int i = 0; i < 4 && a->outcome != ANSWER_WRONG; i++) {
        answer one;
        sum_integers(q, &one, types[i]);
        if (i == 0 || a->outcome == ANSWER_UNAVAILABLE || one.outcome == ANSWER_WRONG)
            *a = one;
        if (one.outcome == ANSWER_GIVEN)
            snprintf(words + strlen(words), sizeof words - strlen(words), " %s",
                     cumsum_data_type_name(types[i]));
    }
    if (a->outcome == ANSWER_GIVEN)
        answer_give(a, ANSWER_GIVEN, words, "carries out of 32 bits, and out of the word");
}
