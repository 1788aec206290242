/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DESCRIBE_H
#define CUMSUM_TOOLS_DESCRIBE_H

/* Descriptors and numerics in words. */

#include <cumsum/cumsum.h>
#include <stdio.h>

/* "FLOAT16 2x3x4 axis 1 increasing inclusive", as in each result line of a dispatch. */
void describe_operator(FILE *out, const cumsum_operator_desc *desc);

/* "order sequential"; for FLOAT16 also accumulator and store; for FLOAT32 also flushed denormals.
 */
void describe_numerics(FILE *out, cumsum_data_type type, const cumsum_numerics *numerics);

/* The words of the options: "sequential", "float16", "nearest-even", "flush" and so on. */
const char *order_name(cumsum_order order);
const char *half_accumulator_name(cumsum_half_accumulator accumulator);
const char *half_store_name(cumsum_half_store store);
const char *denormals_name(cumsum_denormals denormals);

#endif
