/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_PROBLEM_H
#define CUMSUM_TENSOR_PROBLEM_H

/*
 * A descriptor that has been validated, in the form that plans, shaders and the oracle work with.
 *
 * Invariants: strides are explicit; nothing points into the caller's memory; every product of sizes
 * and every offset fits 64 bits, since both extents are below 2^32 elements.
 */

#include <cumsum/cumsum.h>

typedef struct cumsum_problem {
    cumsum_data_type type;
    uint32_t element_size; /* bytes */
    uint32_t rank;
    uint32_t axis;
    bool decreasing;
    bool exclusive;
    uint64_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint64_t input_strides[CUMSUM_MAX_DIMENSIONS];  /* elements; 0 where the size is 1 */
    uint64_t output_strides[CUMSUM_MAX_DIMENSIONS]; /* elements; 0 where the size is 1 */
    uint64_t lines;                                 /* product of the sizes other than the axis */
    uint64_t line_length;                           /* sizes[axis] */
    uint64_t input_extent; /* elements from the first to the last one addressed */
    uint64_t output_extent;
    uint64_t input_size; /* TotalTensorSizeInBytes */
    uint64_t output_size;
    uint32_t input_alignment; /* bytes that an address must be a multiple of */
    uint32_t output_alignment;
    bool same_layout;        /* sizes, strides and total sizes agree: may run in place */
    bool output_may_overlap; /* two output elements may share an address */
} cumsum_problem;

/* Validates the descriptor against the level, and fills in the problem if it is valid. Returns the
 * statuses of cumsum_validate. */
cumsum_status cumsum_problem_init(cumsum_problem *problem, const cumsum_operator_desc *desc,
                                  cumsum_feature_level level, cumsum_diagnostic *diagnostic);

/* The same for what cumsum_plan_create takes: at the default level also FLOAT64. */
cumsum_status cumsum_problem_init_computed(cumsum_problem *problem,
                                           const cumsum_operator_desc *desc,
                                           cumsum_feature_level level,
                                           cumsum_diagnostic *diagnostic);

/* The same for what cumsum_judge takes: the rules of the highest level, and more types. */
cumsum_status cumsum_problem_init_judged(cumsum_problem *problem, const cumsum_operator_desc *desc,
                                         cumsum_diagnostic *diagnostic);

/* Makes the strides of a valid tensor explicit. A dimension of size 1 is never stepped along and
 * gets the stride 0, so that layouts which address the same elements compare as equal. */
void cumsum_problem_strides(const cumsum_buffer_tensor_desc *buffer, uint64_t *strides);

/* The offsets, in elements, of the element of a line whose index on the axis is 0. Lines are
 * numbered in row-major order of the other indices. */
void cumsum_problem_line_offsets(const cumsum_problem *problem, uint64_t line,
                                 uint64_t *input_offset, uint64_t *output_offset);

#endif
