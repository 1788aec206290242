/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_DISCOVER_H
#define CUMSUM_TOOLS_ORDER_DISCOVER_H

/*
 * Finds the trees of addition of all outputs of a line, from outputs alone.
 *
 * In a line of equal units, term i is replaced by M and term j by -M, where M is so large that
 * M + units rounds to M. Units that are added to M or -M before the two meet are lost. Where M and
 * -M meet they cancel, and units that are added later stay. So an output counts the units outside
 * the smallest subtree that holds both i and j, and these counts determine the tree. The method is
 * FPRev (Xie, Gao, Xue: "FPRev: Revealing the Order of Floating-Point Summation",
 * arXiv:2411.00442). Here one line gives the counts of all outputs after i and j.
 */

#include "lines.h"
#include "order_graph.h"

/* The longest lines that are probed. A format may count less (lines.h). */
#define ORDER_MOST_TERMS 2048u

typedef struct order_found {
    order_graph graph;
    uint32_t *roots;  /* of graph.terms outputs: the tree of the first k + 1 terms */
    uint32_t outputs; /* that were seen: one less than the terms if the sum is exclusive */
    bool exact;       /* the additions do not round: there are no trees to find */
    uint64_t probes;  /* lines with M and -M */
    uint64_t runs;
} order_found;

/* Finds the trees of lines of the block's shape, with as many runs of the block as it takes.
 * TOOL_NOT_FOUND if no trees of additions of two give the outputs. On TOOL_OK order_found_free
 * frees what was found. */
tool_status order_discover(const line_runner *runner, const line_block *block, order_found *found,
                           tool_error *error);
void order_found_free(order_found *found);

#endif
