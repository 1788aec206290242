/* SPDX-License-Identifier: MIT */
/*
 * A small shader (shaders/device_probe.hlsl) adds five pairs and converts the first number of each
 * to binary16. The inputs are chosen so that IEEE 754, truncation and flushing give different bits.
 */
#include "device_probe.h"

#include "device_probe.dxbc.h"

/* The questions, one pair each. */
enum {
    SUBNORMAL_TERM,
    SUBNORMAL_SUM,
    HALF_TIE,
    HALF_OVERFLOW,
    HALF_SUBNORMAL,
    QUESTIONS
};

/* Bits of binary32 numbers. */
static const uint32_t questions[QUESTIONS][2] = {
    [SUBNORMAL_TERM] = {0x00000001, 0x00000000},
    [SUBNORMAL_SUM] = {0x00800001, 0x80800000}, /* the smallest normal numbers, subtracted */
    [HALF_TIE] = {0x3F803000, 0},               /* 1 + 3/2048, between 0x3C01 and 0x3C02 */
    [HALF_OVERFLOW] = {0x477FF000, 0},          /* 65520, which IEEE 754 rounds to infinity */
    [HALF_SUBNORMAL] = {0x33C00000, 0}};        /* 1.5 times the smallest binary16 */

/* answers[i]: the sum and the binary16 of pair i. */
static device_behaviour judge(uint32_t answers[QUESTIONS][2]) {
    const uint32_t tie = answers[HALF_TIE][1];
    const uint32_t overflow = answers[HALF_OVERFLOW][1];
    const uint32_t subnormal = answers[HALF_SUBNORMAL][1];
    device_behaviour behaviour = {.half_conversion = CUMSUM_D3D12_HALF_OTHER};
    behaviour.flushes_subnormals =
        answers[SUBNORMAL_TERM][0] != 0x00000001 || answers[SUBNORMAL_SUM][0] != 0x00000001;
    if (tie == 0x3C02 && overflow == 0x7C00 && subnormal == 2)
        behaviour.half_conversion = CUMSUM_D3D12_HALF_NEAREST_EVEN;
    else if (tie == 0x3C01 && overflow == 0x7BFF && subnormal == 1)
        behaviour.half_conversion = CUMSUM_D3D12_HALF_TOWARD_ZERO;
    return behaviour;
}

static gpu_status ask(gpu_device *device, const gpu_shader *shader, gpu_buffer *terms,
                      gpu_buffer *answers, device_behaviour *behaviour, gpu_failure *why) {
    const gpu_driver *driver = device->driver;
    uint32_t given[QUESTIONS][2] = {{0}};
    /* The slots that the shader does not use need a buffer all the same. */
    const gpu_command command = {.type = GPU_DISPATCH,
                                 .shader = shader,
                                 .writable = {{answers, 0}, {terms, 0}, {terms, 0}},
                                 .groups = {QUESTIONS, 1, 1}};
    gpu_status status = driver->upload(device, terms, 0, questions, sizeof questions, why);
    if (status == GPU_OK)
        status = driver->submit(device, &command, 1, NULL, why);
    if (status == GPU_OK)
        status = driver->download(device, answers, 0, given, sizeof given, why);
    *behaviour = judge(given);
    return status;
}

gpu_status cumsum_device_probe(gpu_device *device, device_behaviour *behaviour, gpu_failure *why) {
    const gpu_driver *driver = device->driver;
    gpu_shader *shader = NULL;
    gpu_buffer *terms = NULL;
    gpu_buffer *answers = NULL;
    gpu_status status =
        driver->shader_create(device, device_probe, sizeof device_probe, &shader, why);
    if (status == GPU_OK)
        status = driver->buffer_create(device, sizeof questions, &terms, why);
    if (status == GPU_OK)
        status = driver->buffer_create(device, sizeof questions, &answers, why);
    if (status == GPU_OK)
        status = ask(device, shader, terms, answers, behaviour, why);
    driver->buffer_destroy(answers);
    driver->buffer_destroy(terms);
    driver->shader_destroy(shader);
    return status;
}
