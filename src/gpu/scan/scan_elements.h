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

/* The output has an element in every place from its first to its last. */
bool cumsum_scan_output_is_dense(const cumsum_problem *problem);

#endif
