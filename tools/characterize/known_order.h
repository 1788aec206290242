/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_KNOWN_ORDER_H
#define CUMSUM_TOOLS_KNOWN_ORDER_H

/* An order of addition together with its arithmetic: enough to compute every bit of an output. */

#include <cumsum/oracle.h>
#include <stdint.h>

#include "order_tools.h"
#include "word_table.h"

/*
 * Orders of addition as a graph. Nodes below `terms` are the terms of a line, every other node is
 * the sum of two nodes before it. Equal sums have equal numbers: a sum is added once, and its terms
 * commute. So the outputs of a line share their common subtrees, and two trees are equal if their
 * numbers are.
 */

typedef struct order_graph {
    uint32_t terms;
    uint32_t count;      /* nodes, the terms included */
    uint32_t room;       /* sums that fit into the memory */
    uint32_t (*sums)[2]; /* of node terms + i: its two terms, the smaller number first */
    uint32_t *slots;     /* hash table of sums: their number in `sums` plus 1, or 0 */
    uint32_t slot_count; /* a power of 2 */
} order_graph;

/* order_graph_free frees what the graph holds. */
void order_graph_init(order_graph *g, uint32_t terms);
void order_graph_free(order_graph *g);

/* The sum of a and b. */
uint32_t order_graph_add(order_graph *g, uint32_t a, uint32_t b);

/* What an order is called: by its levels (cumsum/order.h), if they are known. */

typedef enum order_kind {
    ORDER_LEVELS,
    ORDER_SUM, /* of totals */
    ORDER_UNNAMED,
    ORDER_EXACT /* only the result is rounded: the order does not matter */
} order_kind;

typedef struct named_order {
    order_kind kind;
    cumsum_composed_order levels; /* of ORDER_LEVELS */
    cumsum_sum_order sum;         /* of ORDER_SUM */
} named_order;

/* "sequential", "sklansky-16 of sequential"; "unnamed", "exact". */
void order_name_text(char text[CUMSUM_ORDER_TEXT], const named_order *name);

/* Finds orders of one level that have the first `count` roots: roots[k] is the sum of the first
 * k + 1 of g's terms, which an exclusive output comes one place behind. If there is none, looks for
 * one of several levels. Returns how many were found, at most room. */
size_t order_find_names(order_graph *g, const uint32_t *roots, uint32_t count, bool exclusive,
                        named_order *list, size_t room);

/* The name of the graph, which is one tree: that of a total. */
named_order order_name_total(const order_graph *g);

/* The type of the accumulator. */
typedef enum order_accumulator {
    ACCUMULATOR_BINARY32,
    ACCUMULATOR_BINARY16,
    ACCUMULATOR_BINARY64,
    ACCUMULATOR_BINARY64_BINARY32, /* binary64, rounded to binary32 and then stored: two roundings
                                    */
    ACCUMULATOR_BFLOAT16,
    ACCUMULATOR_EXACT /* of an exact order: the store is the only rounding */
} order_accumulator;

#define ORDER_ALL_OUTPUTS  UINT32_MAX
#define ORDER_SOME_OUTPUTS (UINT32_MAX - 1)

typedef struct order_arithmetic {
    order_accumulator accumulator;
    cumsum_half_store store;    /* FLOAT16 and BFLOAT16 from a wider accumulator */
    cumsum_denormals denormals; /* not of FLOAT16; if they are flushed, zeros may have any sign */
    uint32_t minus_zeros;       /* how many prefixes, from the shortest on, give -0 if all their
                                   terms are -0; the others give +0, because +0 is added */
    bool any_zero;              /* there is no such rule: zeros may have any sign */
} order_arithmetic;

typedef struct known_order {
    cumsum_data_type type;
    order_arithmetic arithmetic;
    named_order name;
    order_graph graph; /* of the longest line whose trees are known */
    uint32_t *roots;   /* of each of graph.terms prefixes; NULL: there is a name instead */
    uint32_t outputs;  /* how many roots are known, or, without roots, were examined */
    bool total;        /* of totals: only the last output is known, and the others are +0 */
    uint32_t limit;    /* other outputs than the first `limit` have another order; 0: none has */
    uint64_t probes;   /* lines with M and -M that found the trees, in ... */
    uint64_t runs;
} known_order;

/* The longest lines that are probed. A format may count less (lines.h). */
#define ORDER_MOST_TERMS 2048u

void known_order_free(known_order *order);

/* Computes the outputs of a line, both of the order's type and in traversal order. The line has at
 * most order->graph.terms terms. False if memory is out. */
bool order_evaluate(const known_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output);

/* May zeros have any sign? */
bool order_any_zero(const known_order *order);

/* The most terms for which order_reach can extend the order. */
uint32_t order_most_terms(const known_order *order);

/* Extends the order to lines of this length. False if it is unknown for them: it has no name, and
 * they are longer than the lines that were seen. */
bool order_reach(known_order *order, uint32_t length, bool exclusive);

/* Words for an order_accumulator, in reports. */
extern const word_row order_accumulator_words[];

#endif
