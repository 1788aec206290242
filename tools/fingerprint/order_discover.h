/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_DISCOVER_H
#define CUMSUM_TOOLS_ORDER_DISCOVER_H

#include "line_runner.h"
#include "order_graph.h"

/*
 * The trees of addition of all outputs of a line, from outputs alone.
 *
 * In a line of equal units, term i is replaced by M and term j by -M, where M is so large that
 * M + units is M again. What is added to M or -M before the two meet is lost; where they meet they
 * cancel, and what is added afterwards stays. So an output counts the units outside the smallest
 * subtree that holds both i and j. From these sizes the tree follows. The method is that of FPRev
 * (Xie, Gao, Xue: "FPRev: Revealing the Order of Floating-Point Summation", arXiv:2411.00442); one
 * line here asks all outputs behind i and j at once.
 */

/* Counts are exact in binary16 up to here. */
#define ORDER_MOST_TERMS 2048u

typedef struct order_found {
    order_graph graph;
    uint32_t *roots;  /* of graph.terms outputs: the tree of the first k + 1 terms */
    uint32_t outputs; /* how many of them were seen: one less than the terms where exclusive */
    bool exact;       /* nothing is lost: the additions do not round, and there are no trees */
    uint64_t probes;  /* lines asked */
    uint64_t runs;
} order_found;

/* Finds the trees of the lines of a block; its lines are asked at once, as often as needed.
 * TOOL_MISMATCH where the outputs come from no trees of additions of two. On TOOL_OK
 * order_found_end frees what was found. */
tool_status order_discover(const line_runner *runner, const line_block *block, order_found *found,
                           tool_error *error);
void order_found_end(order_found *found);

#endif
