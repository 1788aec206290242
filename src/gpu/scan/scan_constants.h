/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_CONSTANTS_H
#define CUMSUM_GPU_SCAN_CONSTANTS_H

/* What every scan shader is told, word for word as in shaders/scan_constants.hlsli: places, steps
 * and strides in elements, modulo 2^32. */

#include "gpu_driver.h"

#define SCAN_DIVIDED 6 /* dimensions of the lines besides the outermost one */

enum {
    SCAN_FLAG_DIMENSIONS = 0x07, /* how many of `sizes` are used */
    SCAN_FLAG_EXCLUSIVE = 0x08,
    SCAN_FLAG_IN_PLACE = 0x10,  /* read and write output_buffer */
    SCAN_FLAG_CONTINUES = 0x20, /* sequential: the tallies so far are in the work buffer */
    SCAN_FLAG_FLUSH = 0x40,
    SCAN_FLAG_TRUNCATE = 0x80,
    SCAN_FLAG_IEEE_OVERFLOW = 0x100,
    SCAN_FLAG_TOTALS = 0x200,        /* blocked: write the tiles' records, and no output */
    SCAN_FLAG_FILL_ACROSS = 0x800,   /* staged: neighbouring threads load from neighbouring lines */
    SCAN_FLAG_EMPTY_ACROSS = 0x1000, /* staged: they store to neighbouring lines */
    SCAN_FLAG_CONTINUED = 0x400      /* sequential: leave the tallies in the work buffer */
};

typedef struct scan_constants {
    uint32_t input_base;
    uint32_t output_base;
    uint32_t input_step;
    uint32_t output_step;

    uint32_t line_count;
    uint32_t line_length;
    uint32_t flags;
    uint32_t last_input_stride;

    uint32_t last_output_stride;
    uint32_t first_tile;
    uint32_t tile_count;
    uint32_t tiles_per_line;

    uint32_t sizes[SCAN_DIVIDED];
    uint32_t input_strides[SCAN_DIVIDED];
    uint32_t output_strides[SCAN_DIVIDED];
    uint32_t record_base;
    uint32_t line_shift; /* staged: a group has 64 >> line_shift lines */
} scan_constants;

_Static_assert(sizeof(scan_constants) == GPU_MAX_CONSTANTS * sizeof(uint32_t),
               "the constants are all root constants");

#endif
