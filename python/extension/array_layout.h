/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_LAYOUT_H
#define CUMSUM_PYTHON_ARRAY_LAYOUT_H

/* From two arrays to an operator's descriptor. Arrays may have strides below 0 and more dimensions
 * than a descriptor: what can be said in other words is said so, and an input that cannot is
 * copied. */

#include "array_view.h"

typedef struct array_sum {
    array_view input;
    array_view output;
    int axis; /* 0 to dimensions - 1 */
    bool decreasing;
    bool exclusive;
} array_sum;

/* The descriptor of an array_sum, and what it points to. Not to be copied. */
typedef struct array_descriptor {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t strides[2][CUMSUM_MAX_DIMENSIONS];
    cumsum_buffer_tensor_desc buffers[2]; /* input, output */
    cumsum_tensor_desc tensors[2];
    cumsum_operator_desc op;
} array_descriptor;

/* Same type, same sizes, one dimension at least, and an axis that they have: one below 0 counts
 * from the last. False with TypeError or ValueError. */
bool array_sum_check(array_sum *sum, int axis);

/* Do the bytes between first and last element of the two have nothing in common? */
bool array_apart(const array_sum *sum);

/*
 * Describes a sum of at least one element. It may change the views: turn dimensions that run
 * backwards, merge some, copy the input. An input that would have to be copied is refused where the
 * arrays are not apart: what may overlap must not depend on whether a copy happens to be needed.
 * False with ValueError or MemoryError.
 */
bool array_describe(array_sum *sum, bool apart, array_descriptor *descriptor);

#endif
