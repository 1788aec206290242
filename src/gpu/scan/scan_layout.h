/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_LAYOUT_H
#define CUMSUM_GPU_SCAN_LAYOUT_H

/*
 * Lines in GPU buffers: where each begins and how it is stepped along. Everything is in elements
 * and modulo 2^32, as the shaders compute: a buffer is below 4 GiB, so that what is addressed is
 * right again at the end.
 */

#include "problem.h"
#include "scan_constants.h"

typedef struct scan_dimension {
    uint32_t size; /* above 1 */
    uint32_t input_stride;
    uint32_t output_stride;
} scan_dimension;

typedef struct scan_layout {
    uint32_t rank;                                   /* of the lines: at most 7 */
    scan_dimension outer[CUMSUM_MAX_DIMENSIONS - 1]; /* the innermost first */
    uint32_t lines;
    uint32_t length;
    uint32_t input_base; /* k = 0 of line 0, k in traversal order */
    uint32_t output_base;
    uint32_t input_step; /* a negative one for DECREASING */
    uint32_t output_step;
} scan_layout;

/* The problem's own layout: the element with all indices 0 is number `origin` of either buffer.
 * Neighbouring lines come one after the other. */
void cumsum_scan_layout_of(scan_layout *layout, const cumsum_problem *problem, uint32_t origin);

/* One line of the problem, by its number in row-major order. */
void cumsum_scan_layout_of_line(scan_layout *layout, const cumsum_problem *problem, uint64_t line,
                                uint32_t origin);

/* Line after line, each contiguous, in place. `origin` is where k = 0 of line 0 would be. */
void cumsum_scan_layout_packed(scan_layout *layout, uint32_t lines, uint32_t length,
                               uint32_t origin);

/* Lines are nearer to each other than the elements of a line: neighbouring threads should be on
 * neighbouring lines. */
bool cumsum_scan_input_across(const scan_layout *layout);
bool cumsum_scan_output_across(const scan_layout *layout);

/* The layout's part of a shader's constants; flags receives the number of dimensions. */
void cumsum_scan_fill_constants(scan_constants *constants, const scan_layout *layout);

#endif
