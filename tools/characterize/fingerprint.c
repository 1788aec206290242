/* SPDX-License-Identifier: MIT */
/* Asks first on what the bits depend, because an order can be looked for only if they are those of
 * the elements; then for the trees, the arithmetic, and the names that hold in long lines too. */
#include "fingerprint.h"

#include <stdio.h>
#include <string.h>

/* Of long lines a few run. */
#define FEW_LINES ((uint32_t)3 * LINE_KINDS)

static void no_order(fingerprint *f, const char *reason) {
    f->state = FINGERPRINT_NONE;
    snprintf(f->reason, sizeof f->reason, "%s", reason);
}

/* ---- the order ---- */

/* The trees of the lines. False if there are none, which `reason` tells, or if a run fails. */
static bool discover(const fingerprint *f, inquiry *q, known_order *found, tool_error *reason) {
    const tool_status status =
        q->status == TOOL_OK ? order_discover(q->runner, &f->block, found, reason) : q->status;
    if (status != TOOL_OK && status != TOOL_NOT_FOUND && q->status == TOOL_OK)
        q->status = tool_fail(q->error, status, "question 'order': %s", reason->message);
    return status == TOOL_OK;
}

/* The trees of the lines, and all names that fit them. */
static void find_trees(fingerprint *f, inquiry *q) {
    known_order *order = &f->order;
    tool_error reason;
    if (!discover(f, q, order, &reason)) {
        no_order(f, reason.message);
        return;
    }
    f->state = FINGERPRINT_ORDER;
    f->names[0] = order->name;
    f->name_count = 1;
    if (f->block.total && order->name.kind != ORDER_EXACT)
        f->names[0] = order_name_total(&order->graph);
    else if (order->name.kind != ORDER_EXACT)
        f->name_count = order_find_names(&order->graph, order->roots, order->outputs,
                                         f->block.exclusive, f->names, FINGERPRINT_NAMES);
    order->name = f->names[0];
}

/* The signs of zeros have no rule if they depend on anything but the place in the line. */
static bool zeros_depend(const fingerprint *f) {
    bool any = false;
    for (int i = 0; i < QUESTION_PLACE; i++)
        any = any || f->answers[i].outcome == ANSWER_ZEROS;
    return any;
}

static void fit_arithmetic(fingerprint *f, inquiry *q) {
    line_difference d;
    char text[LINE_DIFFERENCE_TEXT];
    char reason[400];
    f->order.arithmetic.any_zero = zeros_depend(f);
    if (order_fit(&f->order, &q->lines, &d))
        return;
    line_difference_text(text, f->block.type, &d);
    snprintf(reason, sizeof reason,
             "the order that was found does not give the bits of other data in any known "
             "arithmetic: with the first one, %s",
             text);
    no_order(f, reason);
}

/* The long lines may be used if they continue the lines that were examined. */
static bool long_lines_continue(const inquiry *q) {
    const answer *answers = q->answers;
    return q->longs.output && answers[QUESTION_LENGTH].outcome != ANSWER_DIFFERS &&
           answers[QUESTION_LINES].outcome != ANSWER_DIFFERS;
}

/* What the trees do not tell, the bits of the long lines do: which of the names continue, and which
 * zeros. */
static void continue_names(fingerprint *f, inquiry *q, answer *a) {
    const uint32_t length = q->longs.block.length;
    char text[LINE_DIFFERENCE_TEXT];
    uint32_t compared;
    if (f->answers[QUESTION_LENGTH].outcome == ANSWER_SAME)
        order_fit_zeros(&f->order.arithmetic, &q->longs);
    const line_difference first =
        order_keep_names(&f->order, &q->longs, f->names, &f->name_count, &compared);
    f->order.name = f->names[0];
    if (first.kind == LINES_EQUAL && compared == length) {
        answer_give(a, ANSWER_SAME, "the order gives all outputs of long lines", "%u outputs",
                    length);
    } else if (first.kind == LINES_EQUAL) {
        answer_give(a, ANSWER_SAME, "the order gives the first outputs of long lines",
                    "the first %u of %u; the others were not compared", compared, length);
    } else {
        f->order.limit = first.at - f->block.exclusive;
        line_difference_text(text, f->block.type, &first);
        answer_give(a, ANSWER_DIFFERS, "OTHER BITS", "of %u elements from output %u on: %s", length,
                    first.at, text);
    }
}

static void ask_place(fingerprint *f, inquiry *q, answer *a) {
    const bool named = f->order.name.kind != ORDER_UNNAMED;
    if (named && long_lines_continue(q)) {
        continue_names(f, q, a);
        return;
    }
    answer_give(a, ANSWER_SAME, "the order gives the outputs of the examined lines",
                "the first %u, %s", f->order.outputs + f->block.exclusive,
                named ? "and was not tried on longer lines" : "whose trees were found");
    if (named)
        f->order.limit = f->order.outputs;
}

/* The same search makes the same graph. */
static bool same_trees(const known_order *found, const known_order *order) {
    const order_graph *g = &order->graph;
    return found->outputs == order->outputs && found->graph.count == g->count &&
           memcmp(found->roots, order->roots, order->outputs * sizeof *order->roots) == 0 &&
           memcmp(found->graph.sums, g->sums, (g->count - g->terms) * sizeof *g->sums) == 0;
}

/* If another search finds other trees, there is no order because runs differ. */
static void search_again(fingerprint *f, inquiry *q) {
    answer *runs = &q->answers[QUESTION_RUNS];
    known_order found;
    tool_error reason;
    const bool before = f->order.roots != NULL;
    const bool now = discover(f, q, &found, &reason);
    if (q->status == TOOL_OK && runs->outcome != ANSWER_DIFFERS &&
        (now != before || (now && !same_trees(&found, &f->order))))
        answer_give(runs, ANSWER_DIFFERS, "OTHER BITS", "other trees in another run");
    if (now)
        known_order_free(&found);
}

static void find_order(fingerprint *f, inquiry *q, answer *a) {
    q->asked = "order";
    find_trees(f, q);
    if (f->state == FINGERPRINT_ORDER)
        fit_arithmetic(f, q);
    if (f->state == FINGERPRINT_ORDER && !f->block.total)
        ask_place(f, q, a);
    /* One more run: one that differs rarely may be the reason for what was found. */
    ask_runs_again(q);
    if (f->state == FINGERPRINT_NONE)
        search_again(f, q);
    if (q->status != TOOL_OK)
        f->state = FINGERPRINT_UNKNOWN;
}

/* ---- all questions; find_order answers that without a function ---- */

static const struct {
    const char *name;
    ask_question *ask;
} questions[QUESTION_COUNT] = {[QUESTION_RUNS] = {"runs", ask_runs},
                               [QUESTION_LINE] = {"line", ask_line},
                               [QUESTION_LINES] = {"lines", ask_lines},
                               [QUESTION_LENGTH] = {"length", ask_length},
                               [QUESTION_LAYOUT] = {"layout", ask_layout},
                               [QUESTION_PLACE] = {"place", NULL},
                               [QUESTION_ACCUMULATOR] = {"accumulator", ask_accumulator}};

const char *question_name(question asked) {
    return questions[asked].name;
}

/* If the bits depend on the run or the line's number, comparisons of lines say nothing. */
static bool is_asked(const fingerprint *f, const inquiry *q, question asked) {
    if (f->block.total && asked > QUESTION_LINES && asked != QUESTION_PLACE)
        return false; /* they look at outputs that a total does not have */
    if (asked == QUESTION_ACCUMULATOR)
        return f->state != FINGERPRINT_ORDER;
    return asked == QUESTION_RUNS || inquiry_stable(q);
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

/* Long lines that are not supported are the subject of no more than a question. */
static void run_long_lines(inquiry *q, uint32_t longest) {
    const uint32_t lengths[] = {longest, 16411, 4099, 1031};
    answer *a = &q->answers[QUESTION_LENGTH];
    tool_error reason = {"the lines that are examined are the longest"};
    tool_status status = TOOL_SKIPPED;
    for (int i = 0; i < 4 && status == TOOL_SKIPPED; i++) {
        line_block block = q->lines.block;
        if (lengths[i] <= block.length || (i > 0 && lengths[i] >= longest))
            continue;
        block.lines = FEW_LINES;
        block.length = lengths[i];
        line_trial_init(&q->longs, &block, FEW_LINES, QUESTION_SEED);
        status = line_trial_run(q->runner, &q->longs, &reason);
        if (status == TOOL_OK)
            return;
        line_trial_free(&q->longs);
    }
    if (status == TOOL_SKIPPED)
        answer_give(a, ANSWER_UNAVAILABLE, "not available", "%s", reason.message);
    else
        q->status = tool_fail(q->error, status,
                              "question 'length': %s (in long lines; --longest N has fewer "
                              "elements)",
                              reason.message);
}

static uint32_t adapted_by(const line_runner *runner) {
    return runner->adapted ? runner->adapted(runner->state) : 0;
}

/* Bits that depend on the run explain everything else that was found. */
static void settle_stability(fingerprint *f) {
    for (int i = QUESTION_RUNS; i <= QUESTION_LINE && f->state != FINGERPRINT_UNSTABLE; i++) {
        if (f->answers[i].outcome != ANSWER_DIFFERS)
            continue;
        f->state = FINGERPRINT_UNSTABLE;
        snprintf(f->reason, sizeof f->reason, "the bits depend on the %s",
                 i == QUESTION_RUNS ? "run" : "line's number");
    }
}

tool_status fingerprint_take(fingerprint *f, const line_runner *runner, const line_block *block,
                             uint32_t runs, uint32_t longest, tool_error *error) {
    inquiry q = {.runner = runner, .answers = f->answers, .runs = runs, .error = error};
    *f = (fingerprint){.block = *block};
    line_trial_init(&q.lines, block, distinct_lines(block->lines), QUESTION_SEED);
    q.status = line_trial_run(runner, &q.lines, error);
    f->adapted = adapted_by(runner);
    if (q.status == TOOL_OK && !block->total)
        run_long_lines(&q, longest);
    for (int i = 0; i < QUESTION_COUNT && q.status == TOOL_OK; i++) {
        q.asked = questions[i].name;
        if (!is_asked(f, &q, (question)i))
            continue;
        adapted_by(runner);
        if (i == QUESTION_PLACE)
            find_order(f, &q, &f->answers[i]);
        else
            questions[i].ask(&q, &f->answers[i]);
        f->answers[i].adapted = adapted_by(runner);
        if (q.status != TOOL_OK)
            f->answers[i].outcome = ANSWER_NOT_ASKED;
        settle_stability(f);
    }
    line_trial_free(&q.lines);
    line_trial_free(&q.longs);
    return q.status;
}

void fingerprint_free(fingerprint *f) {
    known_order_free(&f->order);
}

bool fingerprint_holds(const fingerprint *f) {
    bool holds = f->state == FINGERPRINT_ORDER;
    for (int i = 0; i < QUESTION_COUNT; i++)
        holds = holds && f->answers[i].outcome != ANSWER_DIFFERS;
    return holds;
}
