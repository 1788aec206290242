/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_GPU_SCAN_SHADERS_H
#define CUMSUM_GPU_SCAN_SHADERS_H

/* The shaders, each made when it is first wanted. */

#include "gpu_driver.h"

#include <cumsum/cumsum.h>

typedef enum scan_kernel {
    SCAN_SEQUENTIAL_DIRECT, /* a thread a line, lines side by side */
    SCAN_SEQUENTIAL_STAGED, /* a thread a line, through groupshared memory */
    SCAN_BLOCKED_LINE,      /* a thread a tile, lines side by side */
    SCAN_BLOCKED_TILE,      /* a group a tile */
    SCAN_KERNELS
} scan_kernel;

/* As in shaders/scan_element.hlsli. */
typedef enum scan_element {
    SCAN_FLOAT32,
    SCAN_FLOAT16,
    SCAN_FLOAT16_HALF,
    SCAN_TALLY_HALF, /* SCAN_BLOCKED_TILE alone */
    SCAN_INTEGER32,
    SCAN_INTEGER64,
    SCAN_ELEMENTS
} scan_element;

typedef struct scan_bytecode {
    const uint32_t *words;
    size_t bytes; /* 0: there is none */
} scan_bytecode;

typedef struct scan_bytecodes {
    scan_bytecode of[SCAN_KERNELS][SCAN_ELEMENTS];
} scan_bytecodes;

/* What shaders/ was compiled to. */
extern const scan_bytecodes cumsum_scan_bytecodes;

typedef struct scan_shaders {
    gpu_device *device;
    const scan_bytecodes *bytecodes;
    gpu_shader *made[SCAN_KERNELS][SCAN_ELEMENTS];
} scan_shaders;

gpu_status cumsum_scan_shader(scan_shaders *shaders, scan_kernel kernel, scan_element element,
                              const gpu_shader **shader, gpu_failure *why);
void cumsum_scan_shaders_destroy(scan_shaders *shaders);

scan_element cumsum_scan_element(cumsum_data_type type, cumsum_half_accumulator accumulator);

/* What the tallies of an element are as elements: those of the levels above it. */
scan_element cumsum_scan_tally_element(scan_element element);

uint32_t cumsum_scan_tally_bytes(scan_element element);

#endif
