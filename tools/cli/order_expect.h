/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ORDER_EXPECT_H
#define CUMSUM_TOOLS_ORDER_EXPECT_H

/* The outputs that a saved order of additions gives: verify --order FILE and judge
 * --require-order FILE. */

#include <stddef.h>

#include "layout.h"
#include "saved_order.h"

/* Does the order of this file apply to the operator's type and length? If not, `reason` receives
 * why. */
bool order_applies(saved_order *order, const char *path, const cumsum_operator_desc *desc,
                   char *reason, size_t room);

/* Computes the operator in an order that applies, and writes the outputs in this layout. input and
 * first point to the elements whose indices are all 0. */
void order_expect(const saved_order *order, const cumsum_operator_desc *desc,
                  const unsigned char *input, const layout *output, unsigned char *first);

/* If the order does not define the sign of a zero, the expected zero gets the sign of the actual
 * one. */
void order_settle_zeros(const saved_order *order, const layout *output, unsigned char *expected,
                        const unsigned char *actual);

#endif
