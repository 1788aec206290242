/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_FIT_H
#define CUMSUM_TOOLS_ORDER_FIT_H

/* Compares orders of addition with the outputs of test data. */

#include "lines.h"
#include "saved_order.h"

/* Finds the arithmetic with which the order gives every bit of the trial, and stores it in
 * order->arithmetic. False if there is none: the order is not the one that was computed. *d is then
 * the first output that differs in the most common arithmetic. */
bool order_fit(saved_order *order, const line_trial *t, line_difference *d);

/* Compares the outputs that the order knows, of all lines. */
line_difference order_compare(const saved_order *order, const line_trial *t);

/* Keeps those of *count names that give all outputs of a trial of long lines, in the arithmetic of
 * `order`; *compared receives how many outputs of each line could be compared. If there are none,
 * names of blocks that are too long for the short lines are looked for. If there are none of these,
 * the list keeps the one that gives the most outputs, and the first one that it does not give is
 * returned. */
line_difference order_keep_names(const saved_order *order, const line_trial *t, named_order *names,
                                 size_t *count, uint32_t *compared);

/* Reads from the trial's line of -0 which outputs keep it. Sets any_zero if they are some, but not
 * the first ones. */
void order_fit_zeros(order_arithmetic *how, const line_trial *t);

#endif
