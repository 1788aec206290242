/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_EXPECT_H
#define CUMSUM_TOOLS_ORDER_EXPECT_H

/* The outputs that a saved order of additions gives: verify --order FILE and judge
 * --require-order FILE. */

#include <stddef.h>

#include "layout.h"
#include "saved_order.h"

/* The saved order of verify --order or judge --require-order, if the option is given. */
typedef struct expected_order {
    const char *path; /* NULL: the option is not given */
    saved_order order;
} expected_order;

/* Reads the file, unless path is NULL. expected_order_free frees the order. */
tool_status expected_order_read(expected_order *e, const char *path, tool_error *error);
void expected_order_free(expected_order *e);

/* Does the order apply to the operator's type and length? If not, `reason` receives why. */
bool order_applies(expected_order *e, const cumsum_operator_desc *desc, char *reason, size_t room);

/* Computes the operator in an order that applies, and writes the outputs in this layout. input and
 * first point to the elements whose indices are all 0. */
void order_expect(const expected_order *e, const cumsum_operator_desc *desc,
                  const unsigned char *input, const layout *output, unsigned char *first);

/* If the order does not define the sign of a zero, the expected zero gets the sign of the actual
 * one. */
void order_settle_zeros(const expected_order *e, const layout *output, unsigned char *expected,
                        const unsigned char *actual);

#endif
