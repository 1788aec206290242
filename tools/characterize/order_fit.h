/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_FIT_H
#define CUMSUM_TOOLS_ORDER_FIT_H

/* Compares orders of addition with the outputs of test data. */

#include "line_trial.h"
#include "saved_order.h"

/* Finds the arithmetic with which the order gives every bit of the trial, and stores it in
 * order->arithmetic. False if there is none: the order is not the one that was computed. *d is then
 * the first output that differs in the most common arithmetic. */
bool order_fit(saved_order *order, const line_trial *t, line_difference *d);

/* Compares the outputs that the order knows, of all lines. */
line_difference order_compare(const saved_order *order, const line_trial *t);

/* What a trial of long lines makes of the names that fit the trees of short ones. */
typedef struct names_held {
    size_t count;      /* names that give all outputs; they stand first in the list */
    uint32_t compared; /* outputs of each line that could be compared */
    line_difference
        first; /* if there are none: the first output that the best name does not give */
} names_held;

/* Keeps the names that give all outputs of the trial, in the arithmetic of `order`. If there are
 * none, names of blocks that are too long for the short lines are looked for; and if there are none
 * of these, the list keeps the one that gives the most outputs. */
names_held order_hold_names(const saved_order *order, const line_trial *t, named_order *names,
                            size_t count);

/* Reads from the trial's line of -0 which outputs keep it. Sets any_zero if they are some, but not
 * the first ones. */
void order_fit_zeros(order_arithmetic *how, const line_trial *t);

#endif
