/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPORTED_ORDER_TOOLS_H
#define CUMSUM_EXPORTED_ORDER_TOOLS_H

/*
 * Orders of addition for this project's own programs: additions in such an order, the search for
 * one, and the orders of sums (reductions). The library exports these functions, but its interface
 * does not have them: the header is not installed, and any version may change them.
 *
 * Every function may be called from any thread at any time. None allocates memory or prints.
 */

#include <cumsum/order.h>

#ifdef __cplusplus
extern "C" {
#endif

/* a + b as the caller defines it: rounded to some format, or noted down. */
typedef double cumsum_addition(void *context, double a, double b);

/* The elements of scratch that cumsum_order_scan needs for n elements: at most 2 n + 128. */
CUMSUM_API uint64_t cumsum_order_scratch(const cumsum_composed_order *order, uint64_t n);

/*
 * Replaces values[0..n) by their scan in this order. Every sum is made by add(context, ...).
 * exclusive: values[k] becomes the sum of the k elements before it, and values[0] becomes 0; a
 * level gives to the next element what it has before it, without another addition.
 * scratch: room that cumsum_order_scratch asks for; it may be NULL if that is 0.
 * The time is some n log2(n) additions; of right-to-left n^2 / 2.
 * Stack: the calls nest once for each level and parenthesis, and for each power of 1,024 in n if
 * blocked is last.
 */
CUMSUM_API void cumsum_order_scan(const cumsum_composed_order *order, double *values, uint64_t n,
                                  bool exclusive, double *scratch, cumsum_addition *add,
                                  void *context);

/* How many of the first n outputs, without a gap from the first one on, has the order right? n may
 * be a part of them. Of an order with three levels or more, or two of which the first is not
 * coarse, the outputs of the first unit of the last level are known to be right: they are those of
 * the order that ends before that level, which was asked for before. */
typedef uint64_t cumsum_order_trial(void *context, const cumsum_composed_order *order, uint64_t n);

/*
 * Looks for an order that has the first n outputs right, by trying levels from the elements
 * outwards: threads with up to 32 elements, and blocks whose size is a power of two or ends shortly
 * before the first output that is wrong without them.
 * effort: the search ends when all calls of `right` together returned so much; 64 n is enough for
 * outputs of binary32 that show roundings.
 * found: receives an order if true is returned. An order of fewer levels is found first.
 */
CUMSUM_API bool cumsum_order_find(uint64_t n, uint64_t effort, cumsum_order_trial *right,
                                  void *context, cumsum_composed_order *found);

/*
 * The order of one sum of n terms. A name lists levels from the terms outwards, too: each adds up
 * blocks of its units, and the totals are the units of the next one.
 *
 *     order = { level " of " } kind
 *     level = kind "-" N | "strided-" LANES [ "-" N ]
 *     kind  = "sequential" | "pairwise" | "halving" | "right-to-left" | "hillis-steele" |
 *             "blelloch"
 *
 * pairwise adds neighbours in rounds, and an odd unit waits for the next round. halving adds in
 * each round unit i + h to unit i, where h is half of the units, rounded up: a loop over a group's
 * memory, whose stride is halved. hillis-steele and blelloch are the last outputs of these scans;
 * of a power of 2 they are pairwise, and are called that. A strided level has LANES totals for each
 * block of N units, or of all: with 8 lanes, each adds in sequence every eighth unit.
 * `strided-8 of pairwise` is numpy.sum of 128 terms.
 */
typedef enum cumsum_sum_kind {
    CUMSUM_SUM_SEQUENTIAL = 0,
    CUMSUM_SUM_PAIRWISE = 1,
    CUMSUM_SUM_HALVING = 2,
    CUMSUM_SUM_RIGHT_TO_LEFT = 3,
    CUMSUM_SUM_HILLIS_STEELE = 4,
    CUMSUM_SUM_BLELLOCH = 5,
    CUMSUM_SUM_STRIDED = 6, /* not the last level */
    CUMSUM_SUM_KIND_COUNT = 7
} cumsum_sum_kind;

typedef struct cumsum_sum_level {
    cumsum_sum_kind kind;
    uint32_t size;  /* units of a block, from 2 on; 0: all, of the last level and of strided ones */
    uint32_t lanes; /* of a strided level, from 2 on, fewer than the units of a block; else 0 */
} cumsum_sum_level;

/* An order by its levels. All zero except count = 1: sequential. */
typedef struct cumsum_sum_order {
    uint32_t count; /* levels that are filled in: 1 to CUMSUM_ORDER_LEVELS */
    cumsum_sum_level levels[CUMSUM_ORDER_LEVELS];
} cumsum_sum_order;

/* Reads a name. Numbers are written as in names of scans. The product of the levels' sizes, or of
 * lanes where there is no size, is less than 2^31. Returns false, and leaves the order as it was,
 * if no order of a sum has this name. */
CUMSUM_API bool cumsum_sum_order_read(const char *name, cumsum_sum_order *order);

/* Writes the name of an order that cumsum_sum_order_read could have read. */
CUMSUM_API void cumsum_sum_order_write(const cumsum_sum_order *order, char name[CUMSUM_ORDER_TEXT]);

/* The sum of values[0..n), n >= 1, in this order. Every addition is made by add(context, ...). The
 * values are overwritten. */
CUMSUM_API double cumsum_sum_order_total(const cumsum_sum_order *order, double *values, uint64_t n,
                                         cumsum_addition *add, void *context);

/* The elements of scratch that cumsum_sum_order_find needs for each term. */
#define CUMSUM_SUM_ORDER_SCRATCH 8

/*
 * Names a tree of additions of n terms.
 *
 * n        at least 1. The time grows with n^2, and is less than a second up to 2,048 terms.
 * sums     [2 * (n - 1)]: addition k adds the nodes sums[2 k] and sums[2 k + 1], and its result is
 *          the node n + k. Nodes below n are the terms. The last addition is the root.
 * scratch  [CUMSUM_SUM_ORDER_SCRATCH * n]
 * found    receives an order with the fewest levels if true is returned
 * Returns false if no name is found, or if the additions are no tree: every node but the root is
 * added once, behind the addition that made it.
 */
CUMSUM_API bool cumsum_sum_order_find(uint32_t n, const uint32_t *sums, double *scratch,
                                      cumsum_sum_order *found);

#ifdef __cplusplus
}
#endif

#endif
