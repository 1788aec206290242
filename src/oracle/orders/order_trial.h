/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_TRIAL_H
#define CUMSUM_ORACLE_ORDER_TRIAL_H

/* Trials of composed orders on one line: docs/oracle.md, "Verdict 3". */

#include "order_run.h"
#include "order_tools.h"

/* What trials of other orders on the same line, in the same arithmetic, have shown. All zero: there
 * were none. */
typedef struct order_trial {
    order_run *run;
    double *totals;             /* room for one of each element of the line that is tried */
    cumsum_composed_order unit; /* the order of the totals */
    uint64_t count;
    cumsum_composed_order order; /* the last one that was tried from its second unit on */
    uint64_t right;
    bool wrong; /* the output behind those that are right is not */
} order_trial;

/* For cumsum_order_find: its guarantee about first units is needed. `trial` is an order_trial. */
cumsum_order_trial cumsum_order_try;

/* Have two orders the same levels? */
bool cumsum_order_same(const cumsum_composed_order *a, const cumsum_composed_order *b);

#endif
