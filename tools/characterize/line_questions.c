/* SPDX-License-Identifier: MIT */
/* Questions about the bits of lines. The same elements run again: in other lines, numbers of lines,
 * lengths and layouts. The outputs are compared. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fingerprint.h"
#include "lines.h"
#include "memory.h"

/* Runs the lines. False if that is not available, which the answer then says, or has failed. */
static bool inquiry_run(inquiry *q, answer *a, line_trial *t) {
    tool_error reason = {""};
    if (q->status != TOOL_OK)
        return false;
    const tool_status status = line_trial_run(q->runner, t, &reason);
    if (status == TOOL_SKIPPED)
        answer_give(a, ANSWER_UNAVAILABLE, "not available", "%s", reason.message);
    else if (status != TOOL_OK)
        q->status = tool_fail(q->error, status, "question '%s': %s", q->asked, reason.message);
    return status == TOOL_OK;
}

void answer_give(answer *a, answer_outcome outcome, const char *words, const char *format, ...) {
    va_list values;
    va_start(values, format);
    a->outcome = outcome;
    snprintf(a->words, sizeof a->words, "%s", words);
    vsnprintf(a->text, sizeof a->text, format, values);
    va_end(values);
}

static const char *const layout_names[LINES_LAYOUT_COUNT] = {
    [LINES_PACKED] = "packed",
    [LINES_ACROSS] = "along the first axis",
    [LINES_MIDDLE] = "along the middle of three dimensions",
    [LINES_FOLDED] = "in eight dimensions",
    [LINES_WITH_GAPS] = "with gaps",
    [LINES_PADDED] = "padded",
    [LINES_TRANSPOSED] = "with a transposed output"};

/* Enters a difference; `what` tells where it was found. The first one of the worst kind stays. */
static void enter_difference(answer *a, const char *what, cumsum_data_type type,
                             const line_difference *d) {
    char text[LINE_DIFFERENCE_TEXT];
    if (d->kind == LINES_EQUAL || a->outcome == ANSWER_DIFFERS ||
        (d->kind == ZEROS_DIFFER && a->outcome == ANSWER_ZEROS))
        return;
    line_difference_text(text, type, d);
    answer_give(a, d->kind == ZEROS_DIFFER ? ANSWER_ZEROS : ANSWER_DIFFERS,
                d->kind == ZEROS_DIFFER ? "same bits but for zeros" : "OTHER BITS", "%s: %s", what,
                text);
}

/* Runs the lines of a trial that ran before, and compares all outputs. Bits that differ between
 * runs, of zeros too, depend on the run. */
static void run_again(inquiry *q, const line_trial *t) {
    answer *a = &q->answers[QUESTION_RUNS];
    line_trial again = *t;
    char what[100];
    again.output =
        tool_calloc((size_t)t->block.lines * t->block.length, cumsum_data_type_size(t->block.type));
    if (inquiry_run(q, a, &again)) {
        line_difference d = line_trial_compare(&again, t);
        d.kind = d.kind == ZEROS_DIFFER ? BITS_DIFFER : d.kind;
        snprintf(what, sizeof what, "another run of %u line%s of %u element%s", t->block.lines,
                 t->block.lines == 1 ? "" : "s", t->block.length, t->block.length == 1 ? "" : "s");
        enter_difference(a, what, t->block.type, &d);
    }
    free(again.output);
}

/* In changing order, so that what happens in every other run meets both. */
void ask_runs_again(inquiry *q) {
    const line_trial *trials[] = {&q->lines, &q->longs};
    q->repeated++;
    for (uint32_t i = 0; i < 2; i++) {
        const line_trial *t = trials[(i + q->repeated) % 2];
        if (t->output)
            run_again(q, t);
    }
}

void ask_runs(inquiry *q, answer *a) {
    char longs[60] = "";
    if (q->longs.output)
        snprintf(longs, sizeof longs, ", and of %u of %u", q->longs.block.lines,
                 q->longs.block.length);
    answer_give(a, ANSWER_SAME, "same bits in every run", "%u runs of %u lines of %u elements%s",
                q->runs, q->lines.block.lines, q->lines.block.length, longs);
    for (uint32_t i = 1; i < q->runs; i++)
        ask_runs_again(q);
}

void ask_line(inquiry *q, answer *a) {
    char what[80];
    const line_difference d = line_trial_compare_lines(&q->lines);
    answer_give(a, ANSWER_SAME, "same bits wherever a line stands among others",
                "lines with the same elements, among %u", q->lines.block.lines);
    snprintf(what, sizeof what, "the same elements as in line %u", d.line % q->lines.distinct);
    enter_difference(a, what, q->lines.block.type, &d);
}

bool inquiry_stable(const inquiry *q) {
    return q->answers[QUESTION_RUNS].outcome != ANSWER_DIFFERS &&
           q->answers[QUESTION_LINE].outcome != ANSWER_DIFFERS;
}

/* Runs lines that differ from others again: if they differ from themselves, they depend on the run,
 * and nothing else is said of them. */
static bool confirm(inquiry *q, const line_trial *t) {
    for (uint32_t i = 1; i < q->runs; i++)
        run_again(q, t);
    return inquiry_stable(q);
}

/* Compares lines of another shape with `from`; `what` names the shape. False ends the question. */
static bool compare(inquiry *q, answer *a, const line_trial *from, const line_block *block,
                    const char *what) {
    line_trial t;
    line_trial_init(&t, block, from->distinct, QUESTION_SEED);
    if (inquiry_run(q, a, &t)) {
        const line_difference d = line_trial_compare(&t, from);
        if (d.kind != LINES_EQUAL && confirm(q, &t))
            enter_difference(a, what, block->type, &d);
    }
    line_trial_free(&t);
    return q->status == TOOL_OK && inquiry_stable(q) &&
           (a->outcome == ANSWER_SAME || a->outcome == ANSWER_ZEROS);
}

void ask_lines(inquiry *q, answer *a) {
    const uint32_t counts[] = {1, 2, 7, q->lines.block.lines + 1};
    line_block block = q->lines.block;
    char what[60];
    bool same = true;
    answer_give(a, ANSWER_SAME, "same bits for any number of lines at once",
                "1, 2, 7 and %u lines at once", counts[3]);
    for (int i = 0; i < 4 && same; i++) {
        block.lines = counts[i];
        snprintf(what, sizeof what, "%u at once", counts[i]);
        same = compare(q, a, &q->lines, &block, what);
    }
}

/* Compares the sums of shorter lines with the first ones of the long lines. */
void ask_length(inquiry *q, answer *a) {
    const uint32_t n = q->lines.block.length;
    const uint32_t lengths[] = {n,    n + 1, 2 * n, 4 * n + 3, n - 1, n / 2 + 1, n / 3 + 1,
                                1000, 1024,  1031,  2048,      4099,  16411};
    line_block block = q->longs.block;
    char what[80];
    bool same = q->longs.output != NULL; /* if not, the answer tells why */
    if (same)
        answer_give(a, ANSWER_SAME, "same bits however many elements follow", "%u to %u elements",
                    n / 3 + 1, q->longs.block.length);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && same; i++) {
        block.length = lengths[i];
        snprintf(what, sizeof what, "%u element%s, in place of %u", lengths[i],
                 lengths[i] == 1 ? "" : "s", q->longs.block.length);
        if (block.length < q->longs.block.length)
            same = compare(q, a, &q->longs, &block, what);
    }
}

void ask_layout(inquiry *q, answer *a) {
    line_block block = q->lines.block;
    bool same = true;
    block.lines -= block.lines % 4; /* to be divided into dimensions */
    answer_give(a, ANSWER_SAME, "same bits in every layout",
                "along the first axis, in 3 and 8 dimensions, with gaps, padded, transposed");
    for (int kind = LINES_ACROSS; kind < LINES_LAYOUT_COUNT && same; kind++) {
        block.layout = (line_layout)kind;
        same = compare(q, a, &q->lines, &block, layout_names[kind]);
    }
}

/* 2^digits + 1 is halfway between two numbers of the type: an accumulator of the type stays. */
void ask_accumulator(inquiry *q, answer *a) {
    const cumsum_data_type type = q->lines.block.type;
    const double large = ldexp(1, line_format_of(type)->digits);
    line_block block = q->lines.block;
    line_trial t;
    char words[80];
    block.lines = 1;
    block.length = 3 + block.exclusive;
    line_trial_init_zeros(&t, &block);
    for (uint32_t i = 0; i < 3; i++)
        line_store(type, t.input, i, i ? 1 : large);
    if (inquiry_run(q, a, &t)) {
        const double sum = line_load(type, t.output, 2 + block.exclusive);
        snprintf(words, sizeof words, "%s%s",
                 sum == large       ? ""
                 : sum == large + 2 ? "more digits than "
                                    : "neither more nor the digits of ",
                 cumsum_data_type_name(type));
        answer_give(a, ANSWER_GIVEN, words, "%.17g + 1 + 1 is %.17g", large, sum);
    }
    line_trial_free(&t);
}
