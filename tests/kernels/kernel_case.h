/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_KERNEL_CASE_H
#define CUMSUM_TESTS_KERNEL_CASE_H

/* One case of the kernel checker: everything that an output may depend on, and everything else that
 * it must not depend on, such as alignments, threads and floating-point modes. */

#include "data_pattern.h"

#include <cumsum/cumsum.h>

enum {
    CASE_INPUT,
    CASE_OUTPUT,
    CASE_OPERANDS
};

/* The tensor of one operand: its layout, and where it lies in memory. */
typedef struct case_operand {
    uint32_t strides[CUMSUM_MAX_DIMENSIONS];
    bool no_strides;    /* packed, and the descriptor has no strides */
    bool at_end;        /* it ends before a guard page; else it begins behind one */
    uint32_t offset;    /* elements between the tensor and that page */
    uint32_t slack;     /* bytes by which the total size exceeds the extent: a multiple of 8 */
    uint32_t alignment; /* GuaranteedBaseOffsetAlignment */
} case_operand;

typedef struct kernel_case {
    cumsum_data_type type;
    cumsum_numerics numerics;
    bool exclusive;
    bool decreasing;
    bool in_place; /* both operands are the output's memory, in the output's layout */
    uint32_t rank;
    uint32_t axis;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    case_operand operand[CASE_OPERANDS];
    data_pattern pattern;
    uint64_t data_seed;
    unsigned threads;      /* 0: no pool */
    unsigned mode;         /* the caller's floating-point mode */
    unsigned workers_mode; /* that of the pool's threads; only with `threads` */
} kernel_case;

/* The descriptor of a case, with everything it points to. */
typedef struct case_descriptor {
    cumsum_buffer_tensor_desc buffer[CASE_OPERANDS];
    cumsum_tensor_desc tensor[CASE_OPERANDS];
    cumsum_operator_desc operation;
} case_descriptor;

/* The descriptor points into both arguments. */
void case_describe(const kernel_case *c, case_descriptor *descriptor);

/* Strides of a packed tensor; order[0] is the outermost dimension. NULL: row-major. */
void case_pack(const kernel_case *c, case_operand *operand, const uint32_t *order);

uint32_t case_element_size(const kernel_case *c);
uint64_t case_elements(const kernel_case *c);
uint64_t case_lines(const kernel_case *c);
bool case_is_floating(const kernel_case *c);

/* The distance of an element from the one before it in traversal order, in elements. */
int64_t case_step(const kernel_case *c, int operand);

/* A walk over the lines of a case in row-major order. */
typedef struct line_walk {
    const kernel_case *c;
    uint32_t index[CUMSUM_MAX_DIMENSIONS];
    uint64_t line;
    int64_t offset[CASE_OPERANDS]; /* the first element in traversal order, in elements */
} line_walk;

void line_walk_begin(line_walk *walk, const kernel_case *c);

/* False after the last line. */
bool line_walk_next(line_walk *walk);

#endif
