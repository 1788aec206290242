/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_FIT_H
#define CUMSUM_TOOLS_ORDER_FIT_H

/* Finds the arithmetic of an order, and checks on what the order depends. */

#include "line_runner.h"
#include "saved_order.h"

/* Finds the arithmetic with which the order gives every bit of lines of the block's shape, and
 * stores it in order->arithmetic. TOOL_MISMATCH if there is none: the order is not the one that was
 * computed. The message names an element that shows it. */
tool_status order_fit(const line_runner *runner, const line_block *block, saved_order *order,
                      tool_error *error);

typedef enum check_outcome {
    CHECK_SAME,
    CHECK_DIFFERS,
    CHECK_UNAVAILABLE
} check_outcome;

typedef struct order_check {
    const char *name; /* "runs", "lines", ... */
    check_outcome outcome;
    char text[1100]; /* what was compared, what differs, or why it could not run */
} order_check;

#define ORDER_CHECKS 6

/* Checks whether the order's bits are also those of other runs, numbers of lines, lengths and
 * layouts, and of the other direction and sum. TOOL_OK whatever the answers; otherwise a run
 * failed.
 */
tool_status order_checks_run(const line_runner *runner, const line_block *block,
                             const saved_order *order, order_check checks[ORDER_CHECKS],
                             tool_error *error);

/* Runs a block of test data and compares its first order->outputs outputs with the order's. text
 * receives the first that differs, or "". */
tool_status order_compare(const line_runner *runner, const line_block *block,
                          const saved_order *order, uint64_t seed, char text[160],
                          tool_error *error);

#endif
