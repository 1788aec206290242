/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_MERGE_H
#define CUMSUM_PYTHON_ARRAY_MERGE_H

#include "array_layout.h"

/* Leaves out the dimensions of size 1 and merges neighbours that are one run of elements in both
 * arrays, the axis excepted. The order of the elements stays. */
void array_merge(array_sum *sum);

#endif
