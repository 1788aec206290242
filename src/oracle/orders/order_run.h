/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_RUN_H
#define CUMSUM_ORACLE_ORDER_RUN_H

/*
 * Comparing a line with an order. orders.c chooses the orders, and follows each over the lines of
 * the tensor.
 *
 * Invariant: an output is that of the order if it has the bits that the order gives; but two NaNs
 * are equal, two zeros are unless strict_zero is set, and an output that a later line overwrites
 * does not count.
 */

#include "judge_state.h"

/* Orders that need a line in memory are not tried on lines longer than this, which bounds the
 * scratch to little more than 2 GiB, or four times that where a composed order is looked for. */
#define ORDER_LONGEST_LINE (UINT64_C(1) << 28)

/* An attempt at an order. */
typedef struct order_run {
    const judge_state *state;
    cumsum_order_match match;    /* the order and the arithmetic that are being tried */
    const binary_format *format; /* of the elements */
    double *line;                /* room for a line, or NULL where the lines are too long */
    double *scratch;             /* of cumsum_order_scan */
    bool gave_line;              /* the order gave the line that was compared before */
    double sum;                  /* sequential orders: the running sum behind what was compared */
    cumsum_near_order
        *near;            /* counts the outputs that differ; NULL: the first one ends the attempt */
    uint64_t most;        /* how many may differ */
    uint64_t first_index; /* the row-major index of the first of them */
} order_run;

/* Of the outputs so far at most a tenth may differ, so that most orders end soon. The first outputs
 * of a line are the same in many orders, and the others may begin with a few that differ. */
#define ORDER_TENTH  10
#define ORDER_LEEWAY 64

/* Does the order give the current line? Outputs that differ are counted in r->near. */
bool cumsum_order_gives_line(order_run *r);

/* A sequential order: does it give the piece of the current line behind r->sum, too? */
bool cumsum_order_gives_piece(order_run *r);

/* How many of the first n outputs of the current line, without a gap from the first one on, does an
 * order give that scans the line in memory? */
uint64_t cumsum_order_begins(order_run *r, uint64_t n);

#endif
