/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORDER_H
#define CUMSUM_ORDER_H

/*
 * Orders of addition by name, for scans that add in levels, as those of most devices do: items of a
 * thread, threads of a warp, warps of a group, groups of the grid. A name lists the levels from the
 * elements outwards:
 *
 *     order = { block " of " } kind
 *     block = kind "-" N | "(" block { " of " block } ")"
 *     kind  = "sequential" | "blocked" | "hillis-steele" | "sklansky" | "blelloch" |
 *             "right-to-left" | "coarse"
 *
 * The carry-in of a block is the sum of the elements before it.
 * `hillis-steele-256 of sequential`: blocks of 256 elements are scanned by Hillis and Steele's
 * network, and their totals in sequence; the carry-in of a block is added to each of its elements.
 * `hillis-steele-32 of hillis-steele-8 of sequential`: the carry-in of a warp of 32 within its
 * group of 8 warps is added to the carry-in of the group, and the sum to each element.
 * `(hillis-steele-32 of hillis-steele-8) of sequential`: a group is finished first. The carry-in of
 * a warp within its group is added to each element, and then the carry-in of the group.
 *
 * `coarse-4 of hillis-steele`: each thread has 4 elements and adds them up in sequence; the totals
 * are scanned; then the thread starts from its carry-in and adds its elements one by one.
 * `coarse-1 of blelloch` is Blelloch's exclusive scan, to which each element is added.
 *
 * Only the first level may be coarse, and only the last one, which has no N, blocked or
 * right-to-left. Parentheses enclose two blocks at least, of which the last is a level; others
 * would change nothing. docs/oracle.md, "Verdict 3", defines the kinds and names their sources.
 *
 * Every function may be called from any thread at any time. None allocates memory or prints.
 */

#include <cumsum/cumsum.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cumsum_order_kind {
    CUMSUM_KIND_SEQUENTIAL = 0,
    CUMSUM_KIND_BLOCKED = 1,       /* this project's: docs/numerics.md */
    CUMSUM_KIND_HILLIS_STEELE = 2, /* and Kogge-Stone, which adds the same pairs */
    CUMSUM_KIND_SKLANSKY = 3,
    CUMSUM_KIND_BLELLOCH = 4,      /* and Brent-Kung, which adds the same pairs */
    CUMSUM_KIND_RIGHT_TO_LEFT = 5, /* each output on its own, from its last term to the first */
    CUMSUM_KIND_COARSE = 6,
    CUMSUM_KIND_COUNT = 7
} cumsum_order_kind;

typedef struct cumsum_order_level {
    cumsum_order_kind kind;
    uint32_t size; /* units of the level before, of the first level elements; 0: all, of the last */
    uint16_t open; /* parentheses in front of it */
    uint16_t close; /* parentheses behind it: 0 or 1 */
} cumsum_order_level;

/* The most levels, and the bytes of the longest name with its final zero. */
#define CUMSUM_ORDER_LEVELS 5
#define CUMSUM_ORDER_TEXT   128

/* An order by its levels. All zero except count = 1: sequential. */
typedef struct cumsum_composed_order {
    uint32_t count; /* levels that are filled in: 1 to CUMSUM_ORDER_LEVELS */
    cumsum_order_level levels[CUMSUM_ORDER_LEVELS];
} cumsum_composed_order;

/* Reads a name. Sizes are decimal numbers without leading zeros, from 2 (coarse: 1) on, and their
 * product is less than 2^31. Returns false, and leaves the order as it was, if no order has this
 * name. */
CUMSUM_API bool cumsum_order_read(const char *name, cumsum_composed_order *order);

/* Writes the name of an order that cumsum_order_read could have read. */
CUMSUM_API void cumsum_order_write(const cumsum_composed_order *order,
                                   char name[CUMSUM_ORDER_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
