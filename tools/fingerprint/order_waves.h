/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_WAVES_H
#define CUMSUM_TOOLS_ORDER_WAVES_H

/*
 * Which pairs of terms to ask about, and the trees that follow from the answers.
 *
 * Of each set of terms that is known to be a subtree, one term, the pivot, is asked about with all
 * others. The answer is the size of the smallest subtree with both, so the others fall into groups
 * of equal answers: the subtrees that hang, in rising order, along the way from the pivot up. Each
 * group is a set of the next wave.
 */

#include "error.h"
#include "order_graph.h"

typedef struct order_waves order_waves;

/* For the outputs of the first 1, 2, ... `outputs` terms. */
order_waves *order_waves_new(uint32_t outputs);
void order_waves_free(order_waves *w);

/* Starts a wave; false where nothing is left to be asked. */
bool order_waves_begin(order_waves *w);

/* The next pair of this wave, the lower term first; start with {0, 0}. */
bool order_waves_next_pair(const order_waves *w, uint32_t pair[2]);

/* The answer: in output k, the smallest subtree with terms i and j has `size` terms. */
void order_waves_tell(order_waves *w, uint32_t k, uint32_t i, uint32_t j, uint32_t size);

/* Was every answer of the first wave 2, of more than two terms? Then M was there all the time, and
 * nothing was lost. */
bool order_waves_all_two(const order_waves *w);

/* Ends a wave. TOOL_MISMATCH where the answers fit no tree. */
tool_status order_waves_split(order_waves *w, tool_error *error);

/* After the last wave: roots[k] receives the tree of output k. */
void order_waves_build(const order_waves *w, order_graph *g, uint32_t *roots);

#endif
