/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_EXPECT_H
#define CUMSUM_TOOLS_ORDER_EXPECT_H

/* Outputs held to a saved order of addition: --order FILE. */

#include <stddef.h>

#include "layout.h"
#include "saved_order.h"

/* The file of --order, or nothing. */
typedef struct held_order {
    const char *path; /* NULL: none */
    saved_order order;
} held_order;

/* path may be NULL. held_order_end frees what was read. */
tool_status held_order_begin(held_order *h, const char *path, tool_error *error);
void held_order_end(held_order *h);

/* Does the order say something of such sums? Otherwise `reason` says why not. */
bool order_applies(held_order *h, const cumsum_operator_desc *desc, char *reason, size_t room);

/* Writes what an order that applies makes of an operator's input into an output of this layout.
 * input, first: the elements with all indices 0. */
void order_expect(const held_order *h, const cumsum_operator_desc *desc, const unsigned char *input,
                  const layout *output, unsigned char *first);

/* Where the order leaves the sign of a zero open, the expected zeros take that of the actual ones.
 */
void order_settle_zeros(const held_order *h, const layout *output, unsigned char *expected,
                        const unsigned char *actual);

#endif
