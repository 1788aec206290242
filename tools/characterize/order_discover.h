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
#include "saved_order.h"

/* The longest lines that are probed. A format may count less (lines.h). */
#define ORDER_MOST_TERMS 2048u

/* Finds the trees of lines of the block's shape, with as many runs of the block as it takes. The
 * order has no name yet, or that of ORDER_EXACT, if the additions do not round: there are no trees
 * to find. TOOL_NOT_FOUND if no trees of additions of two give the outputs. On TOOL_OK
 * saved_order_free frees what was found. */
tool_status order_discover(const line_runner *runner, const line_block *block, saved_order *found,
                           tool_error *error);

#endif
