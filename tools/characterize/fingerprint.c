/* SPDX-License-Identifier: MIT */
/* Asks first on what the bits depend, because an order can be looked for only if they are those of
 * the elements; then for the trees, the arithmetic, and the names that hold in long lines too. */
#include "fingerprint.h"

#include <stdio.h>
#include <string.h>

#include "order_discover.h"
#include "order_fit.h"

static void no_order(fingerprint *f, const char *reason) {
    f->state = FINGERPRINT_NONE;
    snprintf(f->reason, sizeof f->reason, "%s", reason);
}

/* The trees of the lines, and all names that fit them. */
static tool_status find_trees(fingerprint *f, const line_runner *runner, tool_error *error) {
    order_found found;
    const tool_status status = order_discover(runner, &f->block, &found, error);
    if (status == TOOL_NOT_FOUND)
        no_order(f, error->message);
    if (status != TOOL_OK)
        return status == TOOL_NOT_FOUND ? TOOL_OK : status;
    f->probes = found.probes;
    f->runs = found.runs;
    f->names[0] = (named_order){found.exact ? ORDER_EXACT : ORDER_UNNAMED, 0};
    f->name_count = found.exact ? 1
                                : order_find_names(&found.graph, found.roots, found.outputs,
                                                   f->names, FINGERPRINT_NAMES);
    f->order = (saved_order){.type = f->block.type,
                             .name = f->names[0],
                             .graph = found.graph,
                             .roots = found.roots,
                             .outputs = found.outputs};
    return TOOL_OK;
}

/* The signs of zeros have no rule if they depend on anything but the place in the line. */
static bool zeros_depend(const fingerprint *f) {
    bool any = false;
    for (int i = 0; i < DEPENDENCE_COUNT; i++)
        any = any || f->depends[i].outcome == DEPENDENCE_ZEROS;
    return any;
}

static void fit_arithmetic(fingerprint *f, const line_trial *lines) {
    char text[LINE_DIFFERENCE_TEXT];
    char reason[400];
    f->order.arithmetic.any_zero = zeros_depend(f);
    if (order_fit(&f->order, lines, text))
        return;
    snprintf(reason, sizeof reason,
             "the order that was found does not give the bits of other data in any known "
             "arithmetic: with the first one, %s",
             text);
    no_order(f, reason);
}

/* The long lines may be used if they continue the lines that were examined. */
static bool long_lines_continue(const fingerprint *f, const dependence_checks *c) {
    return c->longs.output && f->depends[ON_LENGTH].outcome != DEPENDENCE_FOUND &&
           f->depends[ON_LINES].outcome != DEPENDENCE_FOUND;
}

/* What the trees do not tell, the bits of the long lines do: which of the names continue, and which
 * zeros. */
static void continue_names(fingerprint *f, const line_trial *longs) {
    dependence *place = &f->depends[ON_PLACE];
    order_arithmetic how = f->order.arithmetic;
    if (f->depends[ON_LENGTH].outcome == DEPENDENCE_NONE) {
        order_fit_zeros(&how, longs);
        f->order.arithmetic = how;
    }
    const names_held held = order_hold_names(&f->order, longs, f->names, f->name_count);
    const uint32_t length = longs->block.length;
    f->order.name = f->names[0];
    if (held.count) {
        f->name_count = held.count;
        place->outcome = DEPENDENCE_NONE;
        if (held.compared == length)
            snprintf(place->text, sizeof place->text, "the order gives all outputs of %u elements",
                     length);
        else
            snprintf(place->text, sizeof place->text,
                     "the order gives the first %u outputs of %u elements, and the others were "
                     "not compared",
                     held.compared, length);
        return;
    }
    f->name_count = 1;
    f->order.limit = held.first - f->block.exclusive;
    place->outcome = DEPENDENCE_FOUND;
    snprintf(place->text, sizeof place->text, "of %u elements from output %u on: %s", length,
             held.first, held.text);
}

static void examine_places(fingerprint *f, const dependence_checks *c) {
    dependence *place = &f->depends[ON_PLACE];
    if (f->order.name.kind != ORDER_UNNAMED && long_lines_continue(f, c)) {
        continue_names(f, &c->longs);
        return;
    }
    place->outcome = DEPENDENCE_NONE;
    snprintf(place->text, sizeof place->text, "the order gives the first %u outputs, %s",
             f->order.outputs + f->block.exclusive,
             f->order.name.kind == ORDER_UNNAMED ? "whose trees were found"
                                                 : "and was not tried on longer lines");
    if (f->order.name.kind != ORDER_UNNAMED)
        f->order.limit = f->order.outputs;
}

static void depends_on_run(fingerprint *f, const char *text) {
    dependence *d = &f->depends[ON_RUN];
    if (d->outcome != DEPENDENCE_FOUND)
        snprintf(d->text, sizeof d->text, "%s", text);
    d->outcome = DEPENDENCE_FOUND;
}

/* The same search makes the same graph. */
static bool same_trees(const order_found *found, const saved_order *order) {
    const order_graph *g = &order->graph;
    return found->outputs == order->outputs && found->graph.count == g->count &&
           memcmp(found->roots, order->roots, order->outputs * sizeof *order->roots) == 0 &&
           memcmp(found->graph.sums, g->sums, (g->count - g->terms) * sizeof *g->sums) == 0;
}

/* If another search finds other trees, there is no order because runs differ. */
static tool_status search_again(fingerprint *f, const line_runner *runner, tool_error *error) {
    order_found found;
    tool_status status = order_discover(runner, &f->block, &found, error);
    const bool now = status == TOOL_OK;
    const bool before = f->order.roots != NULL;
    if (!now && status != TOOL_NOT_FOUND)
        return status;
    if (now != before || (now && !same_trees(&found, &f->order)))
        depends_on_run(f, "other trees in another run");
    if (now)
        order_found_end(&found);
    return TOOL_OK;
}

/* Bits that depend on the run explain everything else that was found. */
static void settle_stability(fingerprint *f) {
    const dependence_kind kinds[] = {ON_RUN, ON_LINE};
    for (size_t i = 0; i < 2 && f->state != FINGERPRINT_UNSTABLE; i++) {
        if (f->depends[kinds[i]].outcome != DEPENDENCE_FOUND)
            continue;
        f->state = FINGERPRINT_UNSTABLE;
        snprintf(f->reason, sizeof f->reason, "the bits depend on the %s",
                 kinds[i] == ON_RUN ? "run" : "line's number");
    }
}

static tool_status find_order(fingerprint *f, dependence_checks *c, tool_error *error) {
    tool_status status = find_trees(f, c->runner, error);
    if (status == TOOL_OK && f->state == FINGERPRINT_ORDER) {
        fit_arithmetic(f, &c->lines);
        if (f->state == FINGERPRINT_ORDER)
            examine_places(f, c);
    }
    /* One more run: one that differs rarely may be the reason for what was found. */
    if (status == TOOL_OK)
        status = dependences_run_again(c, error);
    f->depends[ON_RUN] = c->found[ON_RUN];
    if (status == TOOL_OK && f->state == FINGERPRINT_NONE)
        status = search_again(f, c->runner, error);
    return status;
}

tool_status fingerprint_take(fingerprint *f, const line_runner *runner, const line_block *block,
                             uint32_t runs, uint32_t longest, tool_error *error) {
    dependence_checks c;
    *f = (fingerprint){.block = *block};
    tool_status status = dependences_begin(&c, runner, block, runs, longest, error);
    memcpy(f->depends, c.found, sizeof f->depends);
    if (status == TOOL_OK && dependences_stable(&c))
        status = find_order(f, &c, error);
    if (status == TOOL_OK)
        settle_stability(f);
    dependences_end(&c);
    return status;
}

void fingerprint_end(fingerprint *f) {
    saved_order_free(&f->order);
}

bool fingerprint_holds(const fingerprint *f) {
    bool holds = f->state == FINGERPRINT_ORDER;
    for (int i = 0; i < DEPENDENCE_COUNT; i++)
        holds = holds && f->depends[i].outcome != DEPENDENCE_FOUND;
    return holds;
}
