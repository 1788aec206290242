/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BINARY64_SUMS_H
#define CUMSUM_TOOLS_BINARY64_SUMS_H

/*
 * Sums of FLOAT64 tensors, where no order of additions can round (docs/onnx.md).
 *
 * Let 2^q be the lowest bit that is set in any finite element of a line, and A the sum of the
 * magnitudes of these. Every sum of some of them is a multiple of 2^q and at most A in magnitude.
 * So where A <= 2^53 2^q and A < 2^1024 each of them is a binary64 number, no addition rounds, and
 * an output has one right value.
 */

#include <cumsum/cumsum.h>

typedef enum binary64_limit {
    BINARY64_EXACT,
    BINARY64_ROUNDS,   /* A > 2^53 2^q: additions in some order may round */
    BINARY64_OVERFLOWS /* A >= 2^1024 */
} binary64_limit;

/* A line that is over a limit. */
typedef struct binary64_line {
    binary64_limit limit;
    uint64_t first;  /* index in the tensor of the line's first element */
    uint64_t lowest; /* index of the first element that has the lowest bit */
    int exponent;    /* q */
} binary64_line;

/* An output. A prefix with NaNs or infinities has the sum that IEEE 754 gives in every order. */
typedef struct binary64_output {
    uint64_t index;    /* in the tensor */
    uint64_t terms;    /* elements in its prefix */
    double sum;        /* of the prefix; never -0 */
    double magnitudes; /* sum of the magnitudes of its finite elements */
} binary64_output;

typedef void (*binary64_visit)(void *state, const binary64_output *output);

/*
 * Visits the outputs of an operator whose tensors are packed and of type FLOAT64, line by line in
 * row-major order, each line in traversal order. Returns false at the first line that is over a
 * limit, with *line describing it.
 */
bool binary64_sums(const cumsum_operator_desc *desc, const unsigned char *input,
                   binary64_visit visit, void *state, binary64_line *line);

#endif
