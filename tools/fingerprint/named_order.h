/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NAMED_ORDER_H
#define CUMSUM_TOOLS_NAMED_ORDER_H

#include <stddef.h>

#include "order_graph.h"

/* The orders that have a name. */

typedef enum order_kind {
    ORDER_SEQUENTIAL,
    ORDER_BLOCKED,       /* this project's: blocks of 16 in tiles of 1024, docs/numerics.md */
    ORDER_HILLIS_STEELE, /* and Kogge-Stone, which adds the same pairs */
    ORDER_SKLANSKY,
    ORDER_BLELLOCH,          /* and Brent-Kung: aligned blocks, added from the left */
    ORDER_RIGHT_TO_LEFT,     /* each output by itself, from its last term to the first */
    ORDER_BLOCKS_SEQUENTIAL, /* blocks of any size, with a carry that runs over their totals */
    ORDER_BLOCKS_SKLANSKY,
    ORDER_BLOCKS_HILLIS_STEELE,
    ORDER_KIND_COUNT,
    ORDER_UNNAMED = ORDER_KIND_COUNT,
    ORDER_EXACT /* nothing is rounded before the last: there is no order */
} order_kind;

typedef struct named_order {
    order_kind kind;
    uint32_t block; /* elements, of the kinds ORDER_BLOCKS_...; otherwise 0 */
} named_order;

/* "sequential", "blocked-16", "blocked-16-sklansky"; "unnamed", "exact". */
#define ORDER_NAME_TEXT 48
void order_name_text(char text[ORDER_NAME_TEXT], named_order name);

/* The other way round; false for what is not such a text. */
bool order_name_read(const char *text, named_order *name);

/* What the names mean: roots[k] receives the tree of the first k + 1 of g's terms. */
void order_build(order_graph *g, named_order name, uint32_t *roots);

/* The names of which the first `count` roots are, into list; returns how many there are. The first
 * is the best known. */
size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, named_order *list,
                        size_t room);

#endif
