/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_CONSTANTS_H
#define CUMSUM_GPU_SCAN_CONSTANTS_H

/*
 * The 32 root constants of every scan shader, word for word as in shaders/scan_constants.hlsli.
 * Places, steps and strides are in elements, modulo 2^32. A base may therefore lie "before" the
 * buffer, as long as every element that is accessed lies inside it.
 */

#include "gpu_driver.h"

/* The line dimensions whose index takes a division; the outermost one needs none. */
#define SCAN_DIVIDED 6

enum {
    SCAN_FLAG_DIMENSIONS = 0x07, /* how many of `sizes` are used */
    SCAN_FLAG_EXCLUSIVE = 0x08,
    SCAN_FLAG_IN_PLACE = 0x10,            /* read and write output_buffer */
    SCAN_FLAG_CONTINUES = 0x20,           /* the carry-ins are in `work` */
    SCAN_FLAG_FLUSH = 0x40,               /* FLOAT32: subnormals become zeros */
    SCAN_FLAG_TRUNCATE = 0x80,            /* FLOAT16 stores round toward zero */
    SCAN_FLAG_IEEE_OVERFLOW = 0x100,      /* FLOAT16 stores: infinity from 65520 on, as IEEE 754 */
    SCAN_FLAG_TOTALS = 0x200,             /* blocked: write the tiles' records, and no output */
    SCAN_FLAG_CONTINUED = 0x400,          /* leave the carry-outs there */
    SCAN_FLAG_LOAD_INTERLEAVED = 0x800,   /* staged: adjacent threads load from adjacent lines */
    SCAN_FLAG_STORE_INTERLEAVED = 0x1000, /* staged: adjacent threads store to adjacent lines */
};

typedef struct scan_constants {
    uint32_t input_base; /* element k = 0 of line 0, with k in traversal order */
    uint32_t output_base;
    uint32_t input_step; /* from an element to the next one in traversal order */
    uint32_t output_step;

    uint32_t line_count;
    uint32_t line_length;
    uint32_t flags;
    uint32_t last_input_stride; /* of the outermost line dimension */

    uint32_t last_output_stride;
    uint32_t first_tile; /* blocked: the tiles of each line that this dispatch computes */
    uint32_t tile_count;
    uint32_t tiles_per_line;

    uint32_t sizes[SCAN_DIVIDED]; /* the other line dimensions, innermost first */
    uint32_t input_strides[SCAN_DIVIDED];
    uint32_t output_strides[SCAN_DIVIDED];
    uint32_t record_base; /* blocked: where this level's records begin, in running sums */
    uint32_t line_shift;  /* staged, blocked: a group has 64 >> line_shift lines */
} scan_constants;

_Static_assert(sizeof(scan_constants) == GPU_MAX_CONSTANTS * sizeof(uint32_t),
               "the shaders declare exactly this many root constants");

#endif
