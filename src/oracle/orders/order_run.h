/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_RUN_H
#define CUMSUM_ORACLE_ORDER_RUN_H

/*
 * Comparing a line with a named order. orders.c chooses the orders, and follows each over the lines
 * of the tensor. order_float.c and order_binary16.c compare a line by vectors; where they cannot
 * tell, order_each.c decides, which looks at one output after the other.
 *
 * Invariant: all of them have the same rule. Every output of the line has the bits that the order
 * gives, but two NaNs are equal, two zeros are unless strict_zero is set, and an output that a
 * later line overwrites does not count.
 */

#include "fast_paths.h"
#include "judge_state.h"

/* Orders that need a line in memory are not tried on lines longer than this, which bounds the
 * scratch to little more than 2 GiB, or four times that where a composed order is looked for. */
#define ORDER_LONGEST_LINE (UINT64_C(1) << 28)

/* An attempt at a named order. */
typedef struct order_run {
    const judge_state *state;
    cumsum_order_match match;    /* the order and the arithmetic that are being tried */
    const binary_format *format; /* of the elements */
    double *line;                /* room for a line, or NULL where the lines are too long */
    double *scratch;             /* of cumsum_order_scan */
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
bool cumsum_order_each(order_run *r);

/* How many of the first n outputs of the current line, without a gap from the first one on, does an
 * order give that scans the line in memory? */
uint64_t cumsum_order_begins(order_run *r, uint64_t n);

/* The same, where outputs [0, from) are known to be right: they are one unit of the last level, and
 * have the total *first. */
uint64_t cumsum_order_goes_on(order_run *r, uint64_t from, const double *first, uint64_t n);

/* Writes into r->line the totals of cumsum_order_totals, of the first n terms. */
uint64_t cumsum_order_unit_totals(order_run *r, const cumsum_composed_order *order, uint64_t n);

typedef enum fast_answer {
    FAST_NO,
    FAST_YES,
    FAST_UNKNOWN /* cumsum_order_each decides */
} fast_answer;

/* The same for a line of FLOAT32, and of FLOAT16. */
fast_answer cumsum_order_float(const order_run *r);
fast_answer cumsum_order_binary16(const order_run *r);

/* Compares FLOAT16 lines of [line, end) side by side. Returns how many lines from `line` on the
 * order surely gives. Changes the current line of s, the state of r. */
uint64_t cumsum_order_binary16_lines(const order_run *r, judge_state *s, line_spacing *spacing,
                                     uint64_t line, uint64_t end);

static inline bool order_is_zero(const order_run *r, uint64_t bits) {
    return (bits & ~r->format->sign) == 0;
}

/* Asks `begins` of the first terms, and then of all, whether the order gives the outputs that they
 * complete. An output depends on no element behind it, and another order seldom gives a few. */
static inline fast_answer order_in_steps(const order_run *r,
                                         fast_answer (*begins)(const order_run *r, uint64_t n)) {
    const bool exclusive = r->state->problem.exclusive;
    const uint64_t length = r->state->problem.line_length - exclusive;
    if (exclusive && !order_is_zero(r, judge_actual(r->state, 0)))
        return FAST_NO;
    for (uint64_t n = 64; n < length / 4; n *= 32) {
        const fast_answer answer = begins(r, n);
        if (answer != FAST_YES)
            return answer;
    }
    return begins(r, length);
}

#endif
