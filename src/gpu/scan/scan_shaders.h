/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_SHADERS_H
#define CUMSUM_GPU_SCAN_SHADERS_H

/*
 * The shaders: which kernel exists for which element type, compiled for a driver, and as pipelines
 * that are created when a scan first needs them.
 */

#include "gpu_driver.h"

#include <cumsum/cumsum.h>

typedef enum scan_kernel {
    SCAN_SEQUENTIAL_DIRECT,  /* one thread per line, for interleaved lines; processors */
    SCAN_SEQUENTIAL_STAGED,  /* one thread per line, through groupshared memory */
    SCAN_SEQUENTIAL_CARRY,   /* few long lines of FLOAT32: a group per line, for carries */
    SCAN_SEQUENTIAL_SEGMENT, /* the same: a group per segment of a line */
    SCAN_BLOCKED_LINE,       /* one thread per tile, for interleaved lines */
    SCAN_BLOCKED_TILE,       /* one group per tile */
    SCAN_BLOCKED_SINGLE,     /* one group per tile, in a single pass */
    SCAN_KERNELS
} scan_kernel;

/* As in shaders/scan_element.hlsli. Signed and unsigned integers of a width have the same bits. */
typedef enum scan_element {
    SCAN_FLOAT32,
    SCAN_FLOAT16,      /* summed in binary32 */
    SCAN_FLOAT16_HALF, /* summed in binary16 */
    SCAN_HALF_SUMS,    /* running sums of FLOAT16_HALF as elements; tiles only */
    SCAN_INTEGER32,
    SCAN_INTEGER64,
    SCAN_ELEMENTS
} scan_element;

typedef struct scan_bytecode {
    const uint32_t *words;
    size_t bytes; /* 0: the kernel does not exist for the element type */
} scan_bytecode;

/* What a group of blocked_single takes at a time, if not a tile of a line. */
typedef struct scan_taken {
    uint32_t lines; /* 0: one */
    uint32_t tiles; /* of each; 0: one */
} scan_taken;

/* The sources in shaders/, compiled. */
typedef struct scan_bytecodes {
    scan_bytecode of[SCAN_KERNELS][SCAN_ELEMENTS];
    scan_bytecode probe; /* device_probe */
    scan_bytecode copy;  /* device_copy */
    scan_taken taken[SCAN_ELEMENTS];
} scan_bytecodes;

extern const scan_bytecodes cumsum_dxbc; /* for Direct3D */
extern const scan_bytecodes cumsum_ptx;  /* for CUDA: strings */

typedef struct scan_shaders {
    gpu_device *device;
    const scan_bytecodes *bytecodes;
    gpu_shader *made[SCAN_KERNELS][SCAN_ELEMENTS];
} scan_shaders;

/* Returns the shader of a kernel and an element type, and creates it if need be. */
gpu_status cumsum_scan_shader(scan_shaders *shaders, scan_kernel kernel, scan_element element,
                              const gpu_shader **shader, gpu_failure *why);
void cumsum_scan_shaders_close(scan_shaders *shaders);

scan_element cumsum_scan_element(cumsum_data_type type, cumsum_half_accumulator accumulator);

/* The element type of an element type's running sums: what the levels above a line's tiles add. */
scan_element cumsum_scan_sum_element(scan_element element);

/* Bytes of a running sum in the work buffer. */
uint32_t cumsum_scan_sum_bytes(scan_element element);

#endif
