/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NAMED_ORDER_H
#define CUMSUM_TOOLS_NAMED_ORDER_H

/*
 * The orders that have a name:
 *   Hillis, Steele: "Data parallel algorithms", CACM 29 (1986)
 *   Kogge, Stone: "A parallel algorithm for the efficient solution of a general class of recurrence
 *     equations", IEEE Trans. Computers (1973)
 *   Sklansky: "Conditional-sum addition logic", IRE Trans. Electronic Computers (1960)
 *   Blelloch: "Prefix sums and their applications", CMU-CS-90-190 (1990)
 *   Brent, Kung: "A regular layout for parallel adders", IEEE Trans. Computers (1982)
 */

#include <stdbool.h>
#include <stddef.h>

#include "order_graph.h"

typedef enum order_kind {
    ORDER_SEQUENTIAL,
    ORDER_BLOCKED,       /* this project's: blocks of 16 in tiles of 1024, docs/numerics.md */
    ORDER_HILLIS_STEELE, /* and Kogge-Stone, which adds the same pairs */
    ORDER_SKLANSKY,
    ORDER_BLELLOCH,          /* and Brent-Kung, which adds the same pairs */
    ORDER_RIGHT_TO_LEFT,     /* each output on its own, from its last term to the first */
    ORDER_BLOCKS_SEQUENTIAL, /* blocks of any size; a sequential carry over their totals */
    ORDER_BLOCKS_SKLANSKY,
    ORDER_BLOCKS_HILLIS_STEELE,
    ORDER_KIND_COUNT,
    ORDER_UNNAMED = ORDER_KIND_COUNT,
    ORDER_EXACT /* only the result is rounded: the order does not matter */
} order_kind;

typedef struct named_order {
    order_kind kind;
    uint32_t block; /* elements, for the kinds ORDER_BLOCKS_...; otherwise 0 */
} named_order;

/* "sequential", "blocked-16", "blocked-16-sklansky"; "unnamed", "exact". */
#define ORDER_NAME_TEXT 48
void order_name_text(char text[ORDER_NAME_TEXT], named_order name);

/* The order that a text names; false if it names none. */
bool order_name_read(const char *text, named_order *name);

/* Builds the order: roots[k] receives the tree of the first k + 1 of g's terms. */
void order_build(order_graph *g, named_order name, uint32_t *roots);

/* Finds the named orders that have the first `count` roots. Returns how many there are, at most
 * room; the best known comes first. */
size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, named_order *list,
                        size_t room);

#endif
