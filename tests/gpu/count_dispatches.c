/* SPDX-License-Identifier: MIT */
/* The driver that counts: shaders are known by the bytecode that they are made of. */
#include "count_dispatches.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct counted_shader {
    const gpu_shader *shader;
    uint64_t *count;
} counted_shader;

static const gpu_driver *counted;
static gpu_driver counting;
static counted_shader made[SCAN_KERNELS * SCAN_ELEMENTS];
static size_t made_count;
static uint64_t counts[SCAN_KERNELS][SCAN_ELEMENTS];

static uint64_t *count_of(const void *bytecode) {
    for (int kernel = 0; kernel < SCAN_KERNELS; kernel++)
        for (int element = 0; element < SCAN_ELEMENTS; element++)
            if (cumsum_scan_bytecodes.of[kernel][element].words == bytecode)
                return &counts[kernel][element];
    return NULL;
}

static gpu_status open_counted(gpu_device *device, const void *bytecode, size_t bytes,
                               gpu_shader **shader, gpu_failure *why) {
    const gpu_status status = counted->shader_open(device, bytecode, bytes, shader, why);
    uint64_t *count = count_of(bytecode);
    if (status == GPU_OK && count) {
        if (made_count == sizeof made / sizeof made[0]) {
            fprintf(stderr, "more shaders than there are kernels\n");
            exit(1);
        }
        made[made_count++] = (counted_shader){*shader, count};
    }
    return status;
}

static gpu_status submit_counted(gpu_device *device, const gpu_command *commands, size_t count,
                                 gpu_timing *timing, gpu_failure *why) {
    for (size_t i = 0; i < count; i++)
        for (size_t s = 0; s < made_count; s++)
            if (commands[i].type == GPU_DISPATCH && commands[i].shader == made[s].shader)
                ++*made[s].count;
    return counted->submit(device, commands, count, timing, why);
}

void count_dispatches(gpu_device *device) {
    counted = device->driver;
    counting = *counted;
    counting.shader_open = open_counted;
    counting.submit = submit_counted;
    device->driver = &counting;
}

uint64_t counted_dispatches(scan_kernel kernel, scan_element element) {
    return counts[kernel][element];
}
