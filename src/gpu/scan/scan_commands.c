/* SPDX-License-Identifier: MIT */
/*
 * The queue of dispatches. Every dispatch sees what the one before it wrote (the driver's promise),
 * so the order in the queue is the order of the computation, across submissions too.
 *
 * Invariant: the queue is empty after a submission, whether or not it succeeded.
 */
#include "scan_pass.h"

#include <string.h>

/* Direct3D limits each dimension of a grid to 65,535 groups. Shaders compute a group's number as
 * x + GRID_WIDTH * y: the same constant is in shaders/scan_constants.hlsli. */
#define GRID_WIDTH 32768u

_Static_assert(GRID_WIDTH <= GPU_MAX_GROUPS, "a row of groups fits");

static gpu_status pass_on(const scan_commands *commands, gpu_timing *timing, gpu_failure *why) {
    gpu_device *device = commands->device;
    if (commands->mode == SCAN_EXECUTES)
        return device->driver->submit(device, commands->list, commands->count, timing, why);
    if (commands->mode == SCAN_RECORDS)
        return device->driver->record(device, commands->target, commands->list, commands->count,
                                      why);
    if (commands->dispatches + commands->count <= SCAN_MOST_RECORDED)
        return GPU_OK;
    return cumsum_gpu_refuse(why, GPU_REJECTED, "too many dispatches");
}

gpu_status cumsum_scan_submit(scan_commands *commands, gpu_failure *why) {
    gpu_timing timing = {0};
    const gpu_status status = pass_on(commands, &timing, why);
    if (!commands->dispatches)
        commands->begin = timing.begin;
    commands->end = timing.begin + timing.ticks;
    commands->dispatches += commands->count;
    commands->ticks += timing.ticks;
    commands->count = 0;
    commands->elements = 0;
    return status;
}

/* The last row of the grid may have groups beyond the last one. They find no line or tile. */
static void fold_groups(gpu_command *command, uint64_t groups) {
    command->groups[0] = groups < GRID_WIDTH ? (uint32_t)groups : GRID_WIDTH;
    command->groups[1] = (uint32_t)((groups + GRID_WIDTH - 1) / GRID_WIDTH);
    command->groups[2] = 1;
}

gpu_status cumsum_scan_append(scan_pass *pass, scan_kernel kernel, scan_element element,
                              const scan_buffers *buffers, const scan_constants *constants,
                              uint64_t groups, uint64_t elements, gpu_failure *why) {
    scan_commands *commands = pass->commands;
    const gpu_shader *shader = NULL;
    gpu_status status = cumsum_scan_shader(pass->shaders, kernel, element, &shader, why);
    if (status == GPU_OK &&
        (commands->count == SCAN_COMMANDS_AT_ONCE ||
         (commands->count > 0 && commands->elements + elements > SCAN_ELEMENTS_AT_ONCE)))
        status = cumsum_scan_submit(commands, why);
    if (status != GPU_OK)
        return status;
    gpu_command *command = &commands->list[commands->count++];
    *command = (gpu_command){.type = GPU_DISPATCH,
                             .shader = shader,
                             .writable = {buffers->input, buffers->output, buffers->work},
                             .constant_count = GPU_MAX_CONSTANTS};
    memcpy(command->constants, constants, sizeof *constants);
    fold_groups(command, groups);
    commands->elements += elements;
    commands->read += elements;
    return GPU_OK;
}
