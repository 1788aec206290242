/* SPDX-License-Identifier: MIT */
/*
 * Extents, element counts and what src/tensor/problem.c makes of a descriptor, for all sizes and
 * strides of up to three dimensions, in integers of 4 bits for those of 32, and of 8 for those of
 * 64: check.sh puts 15 for 2^32 - 1 in copies of the sources. The integers of this program are
 * wider, so a sum or a product that wraps there is found.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned _BitInt(4) narrow;
typedef unsigned _BitInt(8) broad;
#define uint32_t narrow
#define uint64_t broad
#define int64_t  int
#include "extent_reduced.c"
#include "problem_reduced.c"
#undef uint32_t
#undef uint64_t

#define RANK 3
#define MOST 15 /* elements that a tensor may span */

/* Validation has its own tests; here each caller asks for what is valid. */
cumsum_status cumsum_validate_operator(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic) {
    (void)desc, (void)level, (void)input, (void)output, (void)diagnostic;
    return CUMSUM_OK;
}
cumsum_status cumsum_validate_computed(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic) {
    return cumsum_validate_operator(desc, level, input, output, diagnostic);
}
cumsum_status cumsum_validate_judged(const cumsum_operator_desc *desc,
                                     const cumsum_buffer_tensor_desc **input,
                                     const cumsum_buffer_tensor_desc **output,
                                     cumsum_diagnostic *diagnostic) {
    (void)desc, (void)input, (void)output, (void)diagnostic;
    return CUMSUM_OK;
}
narrow cumsum_data_type_size(cumsum_data_type type) {
    (void)type;
    return 4;
}

/* The digits of a number, to the base 15 or 16. */
static void digits(int number, int base, int least, int digit[RANK]) {
    for (int d = 0; d < RANK; d++, number /= base)
        digit[d] = number % base + least;
}

static void expect(const char *what, const int size[RANK], const int stride[RANK], int expected,
                   int computed) {
    if (expected == computed)
        return;
    printf("%s of %dx%dx%d, strides %d %d %d: %d instead of %d\n", what, size[0], size[1], size[2],
           stride[0], stride[1], stride[2], computed, expected);
    exit(1);
}

/* A problem over the axis, and the offsets of its lines. */
static void check_axis(const cumsum_buffer_tensor_desc *buffer, int axis, const int size[RANK],
                       const int stride[RANK]) {
    cumsum_operator_desc desc = {.axis = (narrow)axis};
    cumsum_problem problem;
    take(&problem, &desc, buffer, buffer);
    const int others[2] = {axis == 0 ? 1 : 0, axis == 2 ? 1 : 2};
    const int lines = size[others[0]] * size[others[1]];
    expect("length of a line", size, stride, size[axis], problem.line_length);
    expect("number of lines", size, stride, lines, problem.lines);
    for (int line = 0; line < lines; line++) {
        const int offset =
            line / size[others[1]] * stride[others[0]] + line % size[others[1]] * stride[others[1]];
        broad input = 0, output = 0;
        cumsum_problem_line_offsets(&problem, (broad)line, &input, &output);
        expect("offset of a line", size, stride, offset, input);
        expect("offset of a line", size, stride, offset, output);
    }
}

/* `stride` is NULL for packed elements. */
static void check_layout(const int size[RANK], const int stride[RANK]) {
    narrow sizes[RANK], strides[RANK];
    int count = 1, last = 0, packed[RANK];
    for (int d = RANK; d-- > 0;) {
        packed[d] = count;
        count *= size[d];
    }
    const int *steps = stride ? stride : packed;
    for (int d = 0; d < RANK; d++) {
        sizes[d] = (narrow)size[d];
        strides[d] = (narrow)(stride ? stride[d] : 0);
        last += (size[d] - 1) * steps[d];
    }
    const int extent = last < MOST ? last + 1 : 0;
    expect("elements", size, steps, count <= MOST ? count : MOST + 1,
           cumsum_element_count(RANK, sizes));
    expect("extent", size, steps, extent, cumsum_extent(RANK, sizes, stride ? strides : NULL));
    if (extent == 0 || extent < count)
        return; /* validation refuses these outputs */
    const cumsum_buffer_tensor_desc buffer = {
        .dimension_count = RANK, .sizes = sizes, .strides = stride ? strides : NULL};
    for (int axis = 0; axis < RANK; axis++)
        check_axis(&buffer, axis, size, steps);
}

int main(void) {
    for (int s = 0; s < 15 * 15 * 15; s++) {
        int size[RANK], stride[RANK];
        digits(s, 15, 1, size);
        check_layout(size, NULL);
        for (int t = 0; t < 16 * 16 * 16; t++) {
            digits(t, 16, 0, stride);
            check_layout(size, stride);
        }
    }
    puts("extents and problems: all right, in integers of 4 and 8 bits");
    return 0;
}
