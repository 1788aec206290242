/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SAVED_ORDER_H
#define CUMSUM_TOOLS_SAVED_ORDER_H

/* An order of addition together with its arithmetic: enough to compute every bit of an output. */

#include <cumsum/oracle.h>

#include "error.h"
#include "named_order.h"
#include "order_graph.h"
#include "word_table.h"

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

typedef struct saved_order {
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
} saved_order;

void saved_order_free(saved_order *order);

/* Computes the outputs of a line, both of the order's type and in traversal order. The line has at
 * most order->graph.terms terms. False if memory is out. */
bool order_evaluate(const saved_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output);

/* May zeros have any sign? */
bool order_any_zero(const saved_order *order);

/* The most terms for which order_reach can extend the order. */
uint32_t order_most_terms(const saved_order *order);

/* Extends the order to lines of this length. False if it is unknown for them: it has no name, and
 * they are longer than the lines that were seen. */
bool order_reach(saved_order *order, uint32_t length, bool exclusive);

/* Words for an order_accumulator, in files and in reports. */
extern const word_row order_accumulator_words[];

tool_status order_file_write(const char *path, const saved_order *order, const char *device,
                             tool_error *error);

/* On TOOL_OK saved_order_free frees the order. One with a name has no graph before order_reach. */
tool_status order_file_read(const char *path, saved_order *order, tool_error *error);

/* The same for a text. name: for messages. */
tool_status order_read_text(const char *text, size_t size, const char *name, saved_order *order,
                            tool_error *error);

#endif
