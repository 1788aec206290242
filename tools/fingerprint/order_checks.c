/* SPDX-License-Identifier: MIT */
/* What the order of addition depends on, beside the place in the line. */
#include <stdio.h>
#include <string.h>

#include "order_fit.h"

typedef struct checking {
    const line_runner *runner;
    const line_block *block;
    const saved_order *order;
    uint64_t seed;
} checking;

/* One more block of a check; `what` names it where its bits are others. False ends the check. */
static bool check_block(checking *c, const line_block *block, const char *what, order_check *to,
                        tool_status *status, tool_error *error) {
    char text[160];
    tool_error reason;
    *status = order_compare(c->runner, block, c->order, c->seed++, text, &reason);
    if (*status == TOOL_OK && !text[0])
        return true;
    if (*status == TOOL_OK) {
        to->outcome = CHECK_DIFFERS;
        snprintf(to->text, sizeof to->text, "%s: %s", what, text);
    } else if (*status == TOOL_NOTHING_RAN) {
        to->outcome = CHECK_UNAVAILABLE;
        snprintf(to->text, sizeof to->text, "%s", reason.message);
        *status = TOOL_OK;
    } else {
        *error = reason;
    }
    return false;
}

static void begin(order_check *to, const char *name, const char *text) {
    *to = (order_check){.name = name, .outcome = CHECK_SAME};
    snprintf(to->text, sizeof to->text, "%s", text);
}

static tool_status check_runs(checking *c, order_check *to, tool_error *error) {
    tool_status status = TOOL_OK;
    bool same = true;
    begin(to, "runs", "of 4 runs");
    for (int i = 0; i < 4 && same; i++) {
        c->seed = 1;
        same = check_block(c, c->block, "another run", to, &status, error);
    }
    c->seed = 2;
    return status;
}

static tool_status check_lines(checking *c, order_check *to, tool_error *error) {
    const uint32_t counts[] = {1, 2, 7, c->block->lines + 1};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[60];
    snprintf(what, sizeof what, "of 1, 2, 7 and %u lines at once", counts[3]);
    begin(to, "lines", what);
    for (int i = 0; i < 4 && same; i++) {
        line_block block = *c->block;
        block.lines = counts[i];
        snprintf(what, sizeof what, "%u at once", counts[i]);
        same = check_block(c, &block, what, to, &status, error);
    }
    return status;
}

/* The first outputs of longer lines, and all of shorter ones. */
static tool_status check_length(checking *c, order_check *to, tool_error *error) {
    const uint32_t n = c->block->length;
    const uint32_t lengths[] = {n + 1, 2 * n, 4 * n + 3, n - 1, n / 2 + 1, n / 3 + 1};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[80];
    snprintf(what, sizeof what, "of %u to %u elements", n / 3 + 1, 4 * n + 3);
    begin(to, "length", what);
    for (int i = 0; i < 6 && same; i++) {
        line_block block = *c->block;
        block.length = lengths[i];
        block.lines = 12;
        snprintf(what, sizeof what, "of %u elements", lengths[i]);
        same = check_block(c, &block, what, to, &status, error);
    }
    return status;
}

static tool_status check_layout(checking *c, order_check *to, tool_error *error) {
    static const char *const names[] = {"packed", "along the first axis", "with gaps"};
    tool_status status = TOOL_OK;
    bool same = true;
    begin(to, "layout", "along the first axis, and with gaps");
    for (int layout = LINES_ACROSS; layout < LINES_LAYOUT_COUNT && same; layout++) {
        line_block block = *c->block;
        block.layout = (line_layout)layout;
        same = check_block(c, &block, names[layout], to, &status, error);
    }
    return status;
}

/* The same lines the other way, which `what` says. */
static tool_status check_other(checking *c, const line_block *block, const char *name,
                               const char *what, order_check *to, tool_error *error) {
    tool_status status;
    begin(to, name, what);
    check_block(c, block, what, to, &status, error);
    return status;
}

static tool_status check_direction(checking *c, order_check *to, tool_error *error) {
    line_block block = *c->block;
    block.decreasing = !block.decreasing;
    return check_other(c, &block, "direction", block.decreasing ? "decreasing" : "increasing", to,
                       error);
}

static tool_status check_sum(checking *c, order_check *to, tool_error *error) {
    line_block block = *c->block;
    block.exclusive = !block.exclusive;
    return check_other(c, &block, "sum", block.exclusive ? "exclusive" : "inclusive", to, error);
}

tool_status order_checks_run(const line_runner *runner, const line_block *block,
                             const saved_order *order, order_check checks[ORDER_CHECKS],
                             tool_error *error) {
    static tool_status (*const all[ORDER_CHECKS])(checking *, order_check *, tool_error *) = {
        check_runs, check_lines, check_length, check_layout, check_direction, check_sum};
    checking c = {runner, block, order, 1};
    tool_status status = TOOL_OK;
    for (int i = 0; i < ORDER_CHECKS && status == TOOL_OK; i++)
        status = all[i](&c, &checks[i], error);
    return status;
}
