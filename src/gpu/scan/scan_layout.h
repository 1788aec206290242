/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_LAYOUT_H
#define CUMSUM_GPU_SCAN_LAYOUT_H

/*
 * The lines of a tensor in GPU buffers: where each one begins, and the step from one element to the
 * next. All places, steps and strides are in elements and modulo 2^32, as the shaders compute them.
 * A buffer has fewer than 2^32 elements, so every place that is accessed comes out right, even if a
 * base or an intermediate result wraps.
 */

#include "problem.h"
#include "scan_constants.h"

typedef struct scan_dimension {
    uint32_t size; /* above 1 */
    uint32_t input_stride;
    uint32_t output_stride;
} scan_dimension;

typedef struct scan_layout {
    uint32_t rank; /* dimensions of the lines: all but the axis, at most 7 */
    scan_dimension outer[CUMSUM_MAX_DIMENSIONS - 1]; /* innermost first */
    uint32_t lines;
    uint32_t length;
    uint32_t input_base; /* element k = 0 of line 0, with k in traversal order */
    uint32_t output_base;
    uint32_t input_step; /* negative (modulo 2^32) for DECREASING */
    uint32_t output_step;
} scan_layout;

/* The places, in elements of the two buffers, of the elements whose indices are all 0. */
typedef struct scan_origin {
    uint32_t input;
    uint32_t output;
} scan_origin;

/* All lines of the problem, ordered so that adjacent line numbers are adjacent in memory. */
void cumsum_scan_layout_of(scan_layout *layout, const cumsum_problem *problem, scan_origin origin);

/* One line of the problem, by its number in row-major order. */
void cumsum_scan_layout_of_line(scan_layout *layout, const cumsum_problem *problem, uint64_t line,
                                scan_origin origin);

/* Packed lines: each contiguous, one behind the other, in place. `origin` is the place of k = 0 of
 * line 0. */
void cumsum_scan_layout_packed(scan_layout *layout, uint32_t lines, uint32_t length,
                               uint32_t origin);

/* True if the lines of that operand are interleaved: adjacent lines are nearer to each other than
 * adjacent elements of a line, so adjacent threads should work on adjacent lines. */
bool cumsum_scan_input_is_interleaved(const scan_layout *layout);
bool cumsum_scan_output_is_interleaved(const scan_layout *layout);

/* Fills in the constants that describe the layout and zeroes the others. `flags` receives the
 * number of dimensions. */
void cumsum_scan_fill_constants(scan_constants *constants, const scan_layout *layout);

#endif
