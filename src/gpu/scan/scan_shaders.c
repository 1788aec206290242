/* SPDX-License-Identifier: MIT */
/*
 * The table of bytecode, filled from the headers that the build makes of *.dxbc, and the pipelines
 * made from it. Creating a pipeline takes milliseconds on some drivers, so each is created at its
 * first use and kept.
 */
#include "scan_shaders.h"

#include "blocked_line.dxbc.h"
#include "blocked_single.dxbc.h"
#include "blocked_tile.dxbc.h"
#include "blocked_walk.dxbc.h"
#include "sequential_carry.dxbc.h"
#include "sequential_direct.dxbc.h"
#include "sequential_segment.dxbc.h"
#include "sequential_staged.dxbc.h"

/* Such a header has one array for each element type: NAME_float32, NAME_float16, ... */
#define CODE(array)                                                                                \
    { (array), sizeof(array) }
#define CODES(kernel)                                                                              \
    [SCAN_FLOAT32] = CODE(kernel##_float32), [SCAN_FLOAT16] = CODE(kernel##_float16),              \
    [SCAN_FLOAT16_HALF] = CODE(kernel##_float16_half),                                             \
    [SCAN_INTEGER32] = CODE(kernel##_integer32), [SCAN_INTEGER64] = CODE(kernel##_integer64)

const scan_bytecodes cumsum_scan_bytecodes = {
    .of = {[SCAN_SEQUENTIAL_DIRECT] = {CODES(sequential_direct)},
           [SCAN_SEQUENTIAL_STAGED] = {CODES(sequential_staged)},
           [SCAN_SEQUENTIAL_CARRY] = {[SCAN_FLOAT32] = CODE(sequential_carry_float32)},
           [SCAN_SEQUENTIAL_SEGMENT] = {[SCAN_FLOAT32] = CODE(sequential_segment_float32)},
           [SCAN_BLOCKED_LINE] = {CODES(blocked_line), [SCAN_HALF_SUMS] =
                                                           CODE(blocked_line_half_sums)},
           [SCAN_BLOCKED_TILE] = {CODES(blocked_tile), [SCAN_HALF_SUMS] =
                                                           CODE(blocked_tile_half_sums)},
           [SCAN_BLOCKED_SINGLE] = {CODES(blocked_single)},
           [SCAN_BLOCKED_WALK] = {CODES(blocked_walk)}}};

gpu_status cumsum_scan_shader(scan_shaders *shaders, scan_kernel kernel, scan_element element,
                              const gpu_shader **shader, gpu_failure *why) {
    gpu_shader **made = &shaders->made[kernel][element];
    if (!*made) {
        const scan_bytecode *code = &shaders->bytecodes->of[kernel][element];
        const gpu_status status = shaders->device->driver->shader_open(shaders->device, code->words,
                                                                       code->bytes, made, why);
        if (status != GPU_OK)
            return status;
    }
    *shader = *made;
    return GPU_OK;
}

void cumsum_scan_shaders_close(scan_shaders *shaders) {
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++)
            shaders->device->driver->shader_close(shaders->made[kernel][element]);
}

/* A valid problem has one of six types; FLOAT32 is the one without a case of its own. */
scan_element cumsum_scan_element(cumsum_data_type type, cumsum_half_accumulator accumulator) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? SCAN_FLOAT16_HALF : SCAN_FLOAT16;
    case CUMSUM_DATA_TYPE_INT32:
    case CUMSUM_DATA_TYPE_UINT32:
        return SCAN_INTEGER32;
    case CUMSUM_DATA_TYPE_INT64:
    case CUMSUM_DATA_TYPE_UINT64:
        return SCAN_INTEGER64;
    default:
        return SCAN_FLOAT32;
    }
}

/* binary16 elements have binary32 running sums, rounded to binary16 or not. */
scan_element cumsum_scan_sum_element(scan_element element) {
    if (element == SCAN_FLOAT16)
        return SCAN_FLOAT32;
    return element == SCAN_FLOAT16_HALF ? SCAN_HALF_SUMS : element;
}

uint32_t cumsum_scan_sum_bytes(scan_element element) {
    return element == SCAN_INTEGER64 ? 8 : 4;
}
