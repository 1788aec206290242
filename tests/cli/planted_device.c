/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded before libcumsum-d3d12: a stand-in device that computes on the CPU. The
 * letters of CUMSUM_EXECUTIONS control the executions with inputs of 17 elements of four bytes: the
 * n-th letter the n-th execution, and the last letter all later ones. The length of the file
 * CUMSUM_EXECUTIONS_DONE counts them across processes.
 *     r  right    w  wrong    a  abort    h  hang    l  the device is lost    t  it does not answer
 *     x  abort, and no device can be opened any more
 * A measurement executes as the first letter says, right or wrong, and takes a millisecond.
 * DirectML is there, too. It flushes FLOAT32 subnormals, and answers to descriptors with the two
 * hexadecimal numbers of CUMSUM_ANSWERS; without it with 0 and the execution flags, and to "lost"
 * not at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api_device.h"
#include "directml_operator.h"
#include "gpu_measure.h"

static const cumsum_d3d12_device_info info = {.adapter = {.name = "Stand-in", .driver = "1.0"},
                                              .api = "none",
                                              .flushes_float32_subnormals = true};

void cumsum_d3d12_close(cumsum_d3d12_device *device) {
    if (device)
        free(device->gpu);
    free(device);
}

const cumsum_d3d12_device_info *cumsum_d3d12_info(const cumsum_d3d12_device *device) {
    (void)device;
    return &info;
}

/* The letter of an execution; numbers begin at 0. */
static char letter_of(size_t number) {
    const char *letters = getenv("CUMSUM_EXECUTIONS");
    const size_t count = letters ? strlen(letters) : 0;
    return count ? letters[number < count ? number : count - 1] : 'r';
}

/* Appends `more` to the count, and returns the number of executions before. */
static size_t count_executions(const char *more) {
    const char *path = getenv("CUMSUM_EXECUTIONS_DONE");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return 0;
    fseek(file, 0, SEEK_END);
    const size_t done = (size_t)ftell(file);
    fputs(more, file);
    fclose(file);
    return done;
}

cumsum_status cumsum_d3d12_open(const cumsum_d3d12_options *options, cumsum_d3d12_device **device,
                                cumsum_diagnostic *diagnostic) {
    const size_t done = count_executions("");
    (void)options;
    if (done && letter_of(done - 1) == 'x') {
        snprintf(diagnostic->message, sizeof diagnostic->message, "it has fallen off the bus");
        return CUMSUM_DEVICE_FAILED;
    }
    *device = calloc(1, sizeof **device);
    (*device)->gpu = calloc(1, sizeof *(*device)->gpu);
    puts("a driver that prints"); /* not an answer of the worker */
    return CUMSUM_OK;
}

static cumsum_status compute(const cumsum_operator_desc *desc, const cumsum_numerics *numerics,
                             const void *input, uint64_t input_in_bytes, void *output,
                             uint64_t output_in_bytes, cumsum_diagnostic *diagnostic) {
    cumsum_plan *plan;
    const cumsum_plan_options options = {.numerics = *numerics};
    cumsum_status status = cumsum_plan_create(desc, &options, &plan, diagnostic);
    if (status == CUMSUM_OK) {
        status =
            cumsum_plan_execute(plan, input, input_in_bytes, output, output_in_bytes, diagnostic);
        cumsum_plan_destroy(plan);
    }
    return status;
}

cumsum_status cumsum_d3d12_execute(cumsum_d3d12_device *device, const cumsum_operator_desc *desc,
                                   const cumsum_numerics *numerics, cumsum_feature_level level,
                                   const void *input, uint64_t input_in_bytes, void *output,
                                   uint64_t output_in_bytes, cumsum_d3d12_timing *timing,
                                   cumsum_diagnostic *diagnostic) {
    device_measuring *measuring = (device_measuring *)device->gpu->measuring;
    const char letter = measuring              ? letter_of(0)
                        : input_in_bytes == 68 ? letter_of(count_executions("."))
                                               : 'r';
    (void)level;
    (void)timing;
    if (letter == 'a' || letter == 'x')
        abort();
    if (letter == 'h')
        for (;;)
            pause();
    if (letter == 'l' || letter == 't')
        return letter == 'l' ? CUMSUM_DEVICE_REMOVED : CUMSUM_DEVICE_TIMEOUT;
    cumsum_status status =
        compute(desc, numerics, input, input_in_bytes, output, output_in_bytes, diagnostic);
    if (letter == 'w')
        ((unsigned char *)output)[9] ^= 0x10;
    if (measuring) {
        const device_times times = {1000000, 900000, 1100000};
        measuring->speed = (device_speed){times, times, times, times, times, times, 0, 3};
        measuring->measured = true;
    }
    return status;
}

/* DirectML on a device is the device. */
cumsum_status cumsum_directml_open(cumsum_d3d12_device *device, bool debug_layer,
                                   cumsum_directml **directml, cumsum_diagnostic *diagnostic) {
    (void)debug_layer;
    (void)diagnostic;
    *directml = (cumsum_directml *)device;
    return CUMSUM_OK;
}

void cumsum_directml_close(cumsum_directml *directml) {
    (void)directml;
}

uint32_t cumsum_directml_feature_level(const cumsum_directml *directml) {
    (void)directml;
    return 0x6200;
}

cumsum_status cumsum_directml_ask(cumsum_directml *directml, const cumsum_operator_desc *desc,
                                  uint32_t execution_flags, cumsum_directml_answer *answer,
                                  cumsum_diagnostic *diagnostic) {
    const char *answers = getenv("CUMSUM_ANSWERS");
    unsigned create = 0, compile = execution_flags;
    (void)directml;
    (void)desc;
    (void)diagnostic;
    if (answers && sscanf(answers, "%x %x", &create, &compile) != 2)
        return CUMSUM_DEVICE_REMOVED;
    *answer = (cumsum_directml_answer){(int32_t)create, (int32_t)compile};
    return CUMSUM_OK;
}

cumsum_status cumsum_directml_execute(cumsum_directml *directml, const cumsum_operator_desc *desc,
                                      const cumsum_numerics *numerics, uint32_t execution_flags,
                                      cumsum_feature_level level, const void *input,
                                      uint64_t input_in_bytes, void *output,
                                      uint64_t output_in_bytes, cumsum_diagnostic *diagnostic) {
    cumsum_numerics flushing = *numerics;
    flushing.denormals = CUMSUM_DENORMALS_FLUSH;
    (void)execution_flags;
    return cumsum_d3d12_execute((cumsum_d3d12_device *)directml, desc, &flushing, level, input,
                                input_in_bytes, output, output_in_bytes, NULL, diagnostic);
}
