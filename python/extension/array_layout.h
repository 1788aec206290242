/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_LAYOUT_H
#define CUMSUM_PYTHON_ARRAY_LAYOUT_H

/* Describes a sum over two arrays as an operator's descriptor. Arrays may have negative strides and
 * more dimensions than a descriptor: if reversing and merging dimensions does not help, the input
 * is copied. */

#include "array_view.h"

typedef struct array_sum {
    array_view input;
    array_view output;
    int axis; /* 0 to dimensions - 1 */
    bool decreasing;
    bool exclusive;
    bool in_pieces; /* the order of lines, and the direction, must stay: a carry has them */
} array_sum;

/* The descriptor of an array_sum, and what it points to. It must not be copied: its pointers lead
 * into itself. */
typedef struct array_descriptor {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t strides[2][CUMSUM_MAX_DIMENSIONS];
    cumsum_buffer_tensor_desc buffers[2]; /* input, output */
    cumsum_tensor_desc tensors[2];
    cumsum_operator_desc op;
} array_descriptor;

/* Checks that both arrays have the same type, the same sizes and at least one dimension, and sets
 * the axis; a negative one counts from the last. False with TypeError or ValueError. */
bool array_sum_check(array_sum *sum, int axis);

/* Whether the two arrays are apart: the byte range of one, from its lowest to its highest element,
 * does not overlap the other's. */
bool array_apart(const array_sum *sum);

/* Whether each element of the output lies on its own element of the input. */
bool array_same_places(const array_sum *sum);

/*
 * Describes a sum of at least one element. It may change the views: reverse dimensions that run
 * backwards, merge some, copy the input. If the arrays are not apart, it refuses an input that it
 * would have to copy: which overlaps are allowed must not depend on whether a copy is needed.
 * False with ValueError or MemoryError.
 */
bool array_describe(array_sum *sum, bool apart, array_descriptor *descriptor);

/*
 * Describes one array of at most 8 dimensions by itself. It may change the view: copy an array
 * whose layout a descriptor cannot have, and make one dimension of none. An empty array has sizes
 * of 0, strides of 0 and the total size 0. False with ValueError or MemoryError.
 */
bool array_describe_alone(array_view *view, uint32_t sizes[CUMSUM_MAX_DIMENSIONS],
                          uint32_t strides[CUMSUM_MAX_DIMENSIONS],
                          cumsum_buffer_tensor_desc *buffer);

#endif
