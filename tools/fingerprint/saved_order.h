/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SAVED_ORDER_H
#define CUMSUM_TOOLS_SAVED_ORDER_H

#include <cumsum/oracle.h>

#include "error.h"
#include "named_order.h"
#include "order_graph.h"

/* An order of addition with the arithmetic that belongs to it: enough to say every bit of an
 * output. docs/command-line.md describes the file. */

/* What sums are kept in. */
typedef enum order_tally {
    TALLY_BINARY32,
    TALLY_BINARY16,
    TALLY_BINARY64
} order_tally;

typedef struct order_arithmetic {
    order_tally tally;
    cumsum_half_store store;    /* FLOAT16 from a binary32 tally */
    cumsum_denormals denormals; /* FLOAT32; where they are flushed, the signs of zeros are open */
    bool keeps_minus_zero;      /* -0 alone gives -0: nothing is added to the first term */
} order_arithmetic;

typedef struct saved_order {
    cumsum_data_type type;
    order_arithmetic arithmetic;
    named_order name;
    order_graph graph; /* of the lines that were seen */
    uint32_t *roots;   /* for each of graph.terms prefixes; of an exact order, nothing */
    uint32_t outputs;  /* roots that are known */
} saved_order;

void saved_order_free(saved_order *order);

/* The outputs of a line, both in traversal order, of the order's type. The line has at most
 * order->graph.terms terms. False where memory is out. */
bool order_evaluate(const saved_order *order, bool exclusive, const void *input, uint32_t length,
                    void *output);

/* Are these two outputs the same, as far as the order says? */
bool order_same_bits(const saved_order *order, uint64_t a, uint64_t b);

/* Makes the order good for lines of this length. False where it is not known: it has no name, and
 * no such lines were seen. */
bool order_reach(saved_order *order, uint32_t length, bool exclusive);

/* The words of the arithmetic, in files and in reports; each list ends with NULL. */
extern const char *const order_tally_words[];     /* by order_tally */
extern const char *const order_store_words[];     /* by cumsum_half_store */
extern const char *const order_denormals_words[]; /* by cumsum_denormals */

tool_status order_file_write(const char *path, const saved_order *order, const char *device,
                             tool_error *error);

/* On TOOL_OK saved_order_free frees the order. */
tool_status order_file_read(const char *path, saved_order *order, tool_error *error);

#endif
