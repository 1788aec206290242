/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_ELEMENTS_H
#define CUMSUM_GPU_SCAN_ELEMENTS_H

/* Copies of strided elements in host memory: packing, unpacking, and the elements of an output
 * without its gaps. */

#include "problem.h"

/* Some lines, or a part of each of some lines: elements first to first + count - 1 of each, in
 * traversal order. */
typedef struct scan_piece {
    uint64_t first_line;
    uint32_t lines;
    uint32_t first;
    uint32_t count;
} scan_piece;

/* Copies a piece of the input to `image`, line after line, each contiguous. */
void cumsum_scan_pack(const cumsum_problem *problem, const scan_piece *piece, const void *input,
                      unsigned char *image);
/* Copies a packed piece to its elements of the output. */
void cumsum_scan_unpack(const cumsum_problem *problem, const scan_piece *piece,
                        const unsigned char *image, void *output);

/* Copies every element from one image of the output to another, and leaves the gaps alone. */
void cumsum_scan_copy_output(const cumsum_problem *problem, const void *from, void *to);

/* True if the output has an element at every place from its first to its last. */
bool cumsum_scan_output_is_dense(const cumsum_problem *problem);

#endif
