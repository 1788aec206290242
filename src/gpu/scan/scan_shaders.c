/* SPDX-License-Identifier: MIT */
/*
 * The pipelines of the shaders. Creating one takes milliseconds on some drivers, so each is created
 * at its first use and kept.
 */
#include "scan_shaders.h"

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
