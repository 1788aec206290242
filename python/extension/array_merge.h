/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_MERGE_H
#define CUMSUM_PYTHON_ARRAY_MERGE_H

#include "array_layout.h"

/* Reduces the number of dimensions of a sum: drops dimensions of size 1, and merges two neighbours
 * if, in both arrays, they are together one dimension with one stride. The axis is kept as it is.
 * The row-major order of the elements does not change. */
void array_merge(array_sum *sum);

#endif
