/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_ELEMENTS_H
#define CUMSUM_GPU_SCAN_ELEMENTS_H

/* Elements of strided tensors in host memory. */

#include "problem.h"

/* Copies every element of the output from one image of it to another, and nothing in between. */
void cumsum_scan_copy_output(const cumsum_problem *problem, const void *from, void *to);

/* count elements from one place to another; steps in elements, of either sign. */
void cumsum_scan_copy_strided(unsigned char *to, int64_t to_step, const unsigned char *from,
                              int64_t from_step, uint64_t count, uint32_t element_size);

/* Elements first to first + count - 1, in traversal order, of some lines. */
typedef struct scan_piece {
    uint64_t first_line;
    uint32_t lines;
    uint32_t first;
    uint32_t count;
} scan_piece;

/* A piece of the input to `image`, line after line; and from there to the output. */
void cumsum_scan_pack(const cumsum_problem *problem, const scan_piece *piece, const void *input,
                      unsigned char *image);
void cumsum_scan_unpack(const cumsum_problem *problem, const scan_piece *piece,
                        const unsigned char *image, void *output);

/* The output has an element in every place from its first to its last. */
bool cumsum_scan_output_is_dense(const cumsum_problem *problem);

#endif
