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

#endif
