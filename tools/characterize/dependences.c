/* SPDX-License-Identifier: MIT */
/* Runs the same elements again, in other lines, numbers of lines, lengths, layouts and directions,
 * and compares the outputs. */
#include "dependences.h"

#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

#define SEED 1

/* Of long lines a few run. If they cannot, shorter ones do. */
#define FEW_LINES ((uint32_t)3 * LINE_KINDS)
static const uint32_t shorter_lengths[] = {16411, 4099, 1031, 0};

const char *dependence_name(dependence_kind kind) {
    static const char *const names[DEPENDENCE_COUNT] = {[ON_RUN] = "runs",
                                                        [ON_LINE] = "line",
                                                        [ON_LINES] = "lines",
                                                        [ON_LENGTH] = "length",
                                                        [ON_PLACE] = "place",
                                                        [ON_LAYOUT] = "layout",
                                                        [ON_DIRECTION] = "direction",
                                                        [ON_SUM] = "sum"};
    return names[kind];
}

/* How many lines have elements of their own; the others repeat them. A prime number, so that lines
 * with the same elements differ in every property that a line's number may have. */
static uint32_t distinct_lines(uint32_t lines) {
    static const uint32_t primes[] = {509, 251, 127, 61, 31, 13, 7};
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++)
        if (2 * primes[i] <= lines)
            return primes[i];
    return lines;
}

static void begin(dependence *d, const char *text) {
    d->outcome = DEPENDENCE_NONE;
    snprintf(d->text, sizeof d->text, "%s", text);
}

/* Enters a difference, of which `what` tells where it was found. */
static void enter(dependence *d, const char *what, cumsum_data_type type,
                  const line_difference *difference) {
    char text[LINE_DIFFERENCE_TEXT];
    if (difference->kind == LINES_EQUAL || d->outcome == DEPENDENCE_FOUND ||
        (difference->kind == ZEROS_DIFFER && d->outcome == DEPENDENCE_ZEROS))
        return;
    line_difference_text(text, type, difference);
    d->outcome = difference->kind == ZEROS_DIFFER ? DEPENDENCE_ZEROS : DEPENDENCE_FOUND;
    snprintf(d->text, sizeof d->text, "%s%s%s", what, *what ? ": " : "", text);
}

/* Runs the lines of a trial that ran before, and compares all outputs. Bits that differ between
 * runs, of zeros too, depend on the run. */
static tool_status run_again(dependence_checks *c, const line_trial *t, tool_error *error) {
    line_trial again = *t;
    char what[100];
    again.output =
        tool_calloc((size_t)t->block.lines * t->block.length, cumsum_data_type_size(t->block.type));
    const tool_status status = line_trial_run(c->runner, &again, error);
    if (status == TOOL_OK) {
        line_difference d = line_trial_compare(&again, t);
        d.kind = d.kind == ZEROS_DIFFER ? BITS_DIFFER : d.kind;
        snprintf(what, sizeof what, "another run of %u line%s of %u elements", t->block.lines,
                 t->block.lines == 1 ? "" : "s", t->block.length);
        enter(&c->found[ON_RUN], what, t->block.type, &d);
    }
    free(again.output);
    return status;
}

/* In changing order, so that what happens in every other run meets both. */
tool_status dependences_run_again(dependence_checks *c, tool_error *error) {
    const line_trial *trials[] = {&c->lines, &c->longs};
    tool_status status = TOOL_OK;
    c->repeated++;
    for (uint32_t i = 0; i < 2 && status == TOOL_OK; i++) {
        const line_trial *t = trials[(i + c->repeated) % 2];
        status = t->output ? run_again(c, t, error) : TOOL_OK;
    }
    return status;
}

/* Compares lines of another shape with `from`; `what` names the shape. What differs is run again:
 * if it differs from itself, it depends on the run. False ends the check. */
static bool compare_with(dependence_checks *c, dependence_kind kind, const line_trial *from,
                         const line_block *block, const char *what, tool_status *status,
                         tool_error *error) {
    dependence *to = &c->found[kind];
    line_trial t;
    line_trial_begin(&t, block, from->distinct, SEED);
    tool_error reason;
    *status = line_trial_run(c->runner, &t, &reason);
    if (*status == TOOL_SKIPPED) {
        to->outcome = DEPENDENCE_UNAVAILABLE;
        snprintf(to->text, sizeof to->text, "%s", reason.message);
        *status = TOOL_OK;
    } else if (*status != TOOL_OK) {
        *error = reason;
    } else {
        const line_difference d = line_trial_compare(&t, from);
        for (uint32_t i = 1; i < c->runs && d.kind != LINES_EQUAL && *status == TOOL_OK; i++)
            *status = run_again(c, &t, error);
        if (c->found[ON_RUN].outcome != DEPENDENCE_FOUND)
            enter(to, what, block->type, &d);
    }
    line_trial_end(&t);
    return *status == TOOL_OK && c->found[ON_RUN].outcome != DEPENDENCE_FOUND &&
           (to->outcome == DEPENDENCE_NONE || to->outcome == DEPENDENCE_ZEROS);
}

static tool_status check_runs(dependence_checks *c, tool_error *error) {
    char what[120];
    tool_status status = TOOL_OK;
    const line_block *longs = c->longs.output ? &c->longs.block : NULL;
    int used = snprintf(what, sizeof what, "of %u runs of %u lines of %u elements", c->runs,
                        c->lines.block.lines, c->lines.block.length);
    if (longs)
        snprintf(what + used, sizeof what - (size_t)used, ", and of %u of %u", longs->lines,
                 longs->length);
    begin(&c->found[ON_RUN], what);
    for (uint32_t i = 1; i < c->runs && status == TOOL_OK; i++)
        status = dependences_run_again(c, error);
    return status;
}

static tool_status check_line(dependence_checks *c, tool_error *error) {
    (void)error;
    char what[80];
    const line_difference d = line_trial_compare_lines(&c->lines);
    snprintf(what, sizeof what, "of lines with the same elements, among %u", c->lines.block.lines);
    begin(&c->found[ON_LINE], what);
    snprintf(what, sizeof what, "the same elements as in line %u", d.line % c->lines.distinct);
    enter(&c->found[ON_LINE], what, c->lines.block.type, &d);
    return TOOL_OK;
}

static tool_status check_lines(dependence_checks *c, tool_error *error) {
    const uint32_t counts[] = {1, 2, 7, c->lines.block.lines + 1};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[60];
    snprintf(what, sizeof what, "of 1, 2, 7 and %u lines at once", counts[3]);
    begin(&c->found[ON_LINES], what);
    for (int i = 0; i < 4 && same; i++) {
        line_block block = c->lines.block;
        block.lines = counts[i];
        snprintf(what, sizeof what, "%u at once", counts[i]);
        same = compare_with(c, ON_LINES, &c->lines, &block, what, &status, error);
    }
    return status;
}

/* Compares the sums of shorter lines with the first ones of the long lines. */
static tool_status check_length(dependence_checks *c, tool_error *error) {
    const uint32_t n = c->lines.block.length;
    const uint32_t lengths[] = {n,         n + 1,     2 * n, 4 * n + 3, n - 1,
                                n / 2 + 1, n / 3 + 1, 1031,  4099,      16411};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[80];
    if (!c->longs.output) /* its text tells why */
        return TOOL_OK;
    snprintf(what, sizeof what, "of %u to %u elements", n / 3 + 1, c->longs.block.length);
    begin(&c->found[ON_LENGTH], what);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && same; i++) {
        line_block block = c->longs.block;
        block.length = lengths[i];
        if (block.length >= c->longs.block.length)
            continue;
        snprintf(what, sizeof what, "of %u elements, in place of %u", lengths[i],
                 c->longs.block.length);
        same = compare_with(c, ON_LENGTH, &c->longs, &block, what, &status, error);
    }
    return status;
}

static tool_status check_layout(dependence_checks *c, tool_error *error) {
    static const char *const names[] = {"packed", "along the first axis", "with gaps"};
    tool_status status = TOOL_OK;
    bool same = true;
    begin(&c->found[ON_LAYOUT], "along the first axis, and with gaps");
    for (int layout = LINES_ACROSS; layout < LINES_LAYOUT_COUNT && same; layout++) {
        line_block block = c->lines.block;
        block.layout = (line_layout)layout;
        same = compare_with(c, ON_LAYOUT, &c->lines, &block, names[layout], &status, error);
    }
    return status;
}

static tool_status check_one(dependence_checks *c, dependence_kind kind, const line_block *block,
                             const char *what, tool_error *error) {
    tool_status status;
    begin(&c->found[kind], what);
    compare_with(c, kind, &c->lines, block, what, &status, error);
    return status;
}

static tool_status check_direction(dependence_checks *c, tool_error *error) {
    line_block block = c->lines.block;
    block.decreasing = !block.decreasing;
    return check_one(c, ON_DIRECTION, &block, block.decreasing ? "decreasing" : "increasing",
                     error);
}

static tool_status check_sum(dependence_checks *c, tool_error *error) {
    line_block block = c->lines.block;
    block.exclusive = !block.exclusive;
    return check_one(c, ON_SUM, &block, block.exclusive ? "exclusive" : "inclusive", error);
}

/* Long lines that are not supported are the subject of no more than a check. */
static tool_status run_long_lines(dependence_checks *c, uint32_t longest, tool_error *error) {
    dependence *length = &c->found[ON_LENGTH];
    tool_error reason = {"the lines that are examined are the longest"};
    tool_status status = TOOL_SKIPPED;
    uint32_t tried = longest;
    for (size_t i = 0; status == TOOL_SKIPPED && tried > c->lines.block.length; i++) {
        line_block block = c->lines.block;
        block.lines = FEW_LINES;
        block.length = tried;
        line_trial_begin(&c->longs, &block, FEW_LINES, SEED);
        status = line_trial_run(c->runner, &c->longs, &reason);
        if (status != TOOL_OK)
            line_trial_end(&c->longs);
        if (status != TOOL_OK && status != TOOL_SKIPPED)
            return tool_fail(error, status, "%s (in lines of %u elements; --longest N has fewer)",
                             reason.message, tried);
        while (shorter_lengths[i] >= tried)
            i++;
        tried = shorter_lengths[i];
    }
    if (status != TOOL_OK) {
        length->outcome = DEPENDENCE_UNAVAILABLE;
        snprintf(length->text, sizeof length->text, "%s", reason.message);
    }
    return TOOL_OK;
}

tool_status dependences_begin(dependence_checks *c, const line_runner *runner,
                              const line_block *block, uint32_t runs, uint32_t longest,
                              tool_error *error) {
    static tool_status (*const checks[])(dependence_checks *, tool_error *) = {
        check_runs,   check_line,      check_lines, check_length,
        check_layout, check_direction, check_sum};
    *c = (dependence_checks){.runner = runner, .runs = runs};
    line_trial_begin(&c->lines, block, distinct_lines(block->lines), SEED);
    tool_status status = line_trial_run(runner, &c->lines, error);
    if (status == TOOL_OK)
        status = run_long_lines(c, longest, error);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (status == TOOL_OK && dependences_stable(c))
            status = checks[i](c, error);
    return status;
}

void dependences_end(dependence_checks *c) {
    line_trial_end(&c->lines);
    line_trial_end(&c->longs);
}

bool dependences_stable(const dependence_checks *c) {
    return c->found[ON_RUN].outcome != DEPENDENCE_FOUND &&
           c->found[ON_LINE].outcome != DEPENDENCE_FOUND;
}
