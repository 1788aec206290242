/* SPDX-License-Identifier: MIT */
/*
 * A driver without a GPU; see fake_driver.h. It checks each call against the rules of gpu_driver.h
 * and fails the running test if one is broken.
 */
#include "fake_driver.h"
#include "check.h"
#include "scan_shaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gpu_buffer {
    fake_device *device;
    uint64_t bytes;
    unsigned char *memory;
};

struct gpu_shader {
    fake_device *device;
};

static fake_device *fake(gpu_device *device) {
    return (fake_device *)device;
}

/* Counts a call and fails it if the test asked for that. */
static gpu_status call(fake_device *device, const char *name, gpu_failure *why) {
    device->calls++;
    const bool fails =
        device->calls == device->fail_call ||
        (device->fail_from_there && device->fail_call > 0 && device->calls > device->fail_call);
    if (!fails)
        return GPU_OK;
    *why = (gpu_failure){.status = device->fail_status};
    snprintf(why->message, sizeof why->message, "call %zu, %s, fails", device->calls, name);
    return device->fail_status;
}

static void check_range(const gpu_buffer *buffer, uint64_t offset, uint64_t bytes) {
    assert_non_null(buffer);
    assert_true(offset % 4 == 0 && bytes % 4 == 0);
    assert_true(bytes <= buffer->bytes && offset <= buffer->bytes - bytes);
}

static const cumsum_d3d12_device_info *get_info(const gpu_device *device) {
    return &((const fake_device *)device)->info;
}

static gpu_status out_of_memory(gpu_failure *why) {
    *why = (gpu_failure){GPU_OUT_OF_MEMORY, 0, "no memory for the driver"};
    return GPU_OUT_OF_MEMORY;
}

static gpu_status create_buffer(gpu_device *device, uint64_t bytes, gpu_buffer **buffer,
                                gpu_failure *why) {
    fake_device *d = fake(device);
    *buffer = NULL;
    assert_true(bytes > 0 && bytes % 4 == 0);
    gpu_status status = call(d, "buffer_open", why);
    if (status == GPU_OK &&
        ((d->memory && bytes > d->memory) || bytes > d->info.max_buffer_in_bytes)) {
        *why = (gpu_failure){GPU_OUT_OF_MEMORY, 0, "no memory for a buffer"};
        status = GPU_OUT_OF_MEMORY;
    }
    if (status != GPU_OK)
        return status;
    gpu_buffer *made = calloc(1, sizeof *made);
    unsigned char *memory = calloc(1, bytes);
    if (!made || !memory) {
        free(made);
        free(memory);
        return out_of_memory(why);
    }
    *made = (gpu_buffer){d, bytes, memory};
    *buffer = made;
    d->alive++;
    d->largest_buffer = bytes > d->largest_buffer ? bytes : d->largest_buffer;
    return GPU_OK;
}

static void destroy_buffer(gpu_buffer *buffer) {
    if (!buffer)
        return;
    buffer->device->alive--;
    free(buffer->memory);
    free(buffer);
}

static gpu_status upload(gpu_device *device, gpu_buffer *to, uint64_t offset, const void *from,
                         uint64_t bytes, gpu_failure *why) {
    const gpu_status status = call(fake(device), "upload", why);
    check_range(to, offset, bytes);
    if (status == GPU_OK)
        memcpy(to->memory + offset, from, bytes);
    return status;
}

static gpu_status download(gpu_device *device, gpu_buffer *from, const gpu_part *parts,
                           size_t count, gpu_failure *why) {
    const gpu_status status = call(fake(device), "download", why);
    for (size_t i = 0; i < count; i++) {
        check_range(from, parts[i].offset, parts[i].bytes);
        if (status == GPU_OK)
            memcpy(parts[i].to, from->memory + parts[i].offset, parts[i].bytes);
    }
    return status;
}

static gpu_status fill(gpu_device *device, gpu_buffer *to, uint64_t offset, uint64_t bytes,
                       uint32_t word, gpu_failure *why) {
    const gpu_status status = call(fake(device), "fill", why);
    check_range(to, offset, bytes);
    for (uint64_t i = 0; status == GPU_OK && i < bytes; i += 4)
        memcpy(to->memory + offset + i, &word, 4);
    return status;
}

static gpu_status create_shader(gpu_device *device, const void *bytecode, size_t bytes,
                                gpu_shader **shader, gpu_failure *why) {
    *shader = NULL;
    assert_non_null(bytecode);
    assert_true(bytes > 32 && memcmp(bytecode, "DXBC", 4) == 0);
    const gpu_status status = call(fake(device), "shader_open", why);
    if (status != GPU_OK)
        return status;
    *shader = calloc(1, sizeof **shader);
    if (!*shader)
        return out_of_memory(why);
    (*shader)->device = fake(device);
    fake(device)->alive++;
    return GPU_OK;
}

static void destroy_shader(gpu_shader *shader) {
    if (shader)
        shader->device->alive--;
    free(shader);
}

static void check_command(const gpu_command *command) {
    if (command->type == GPU_COPY) {
        check_range(command->source.buffer, command->source.offset, command->bytes);
        check_range(command->target.buffer, command->target.offset, command->bytes);
        return;
    }
    assert_int_equal(command->type, GPU_DISPATCH);
    assert_non_null(command->shader);
    assert_true(command->constant_count <= GPU_MAX_CONSTANTS && command->constant_count % 4 == 0);
    for (int i = 0; i < 3; i++) {
        assert_true(1 <= command->groups[i] && command->groups[i] <= GPU_MAX_GROUPS);
        assert_non_null(command->writable[i].buffer);
    }
}

static gpu_status submit(gpu_device *device, const gpu_command *commands, size_t count,
                         gpu_timing *timing, gpu_failure *why) {
    fake_device *d = fake(device);
    const gpu_status status = call(d, "submit", why);
    d->submissions++;
    for (size_t i = 0; i < count; i++) {
        check_command(&commands[i]);
        if (d->commands < FAKE_LOG) {
            d->submission[d->commands] = d->submissions;
            d->log[d->commands++] = commands[i];
        }
    }
    if (d->scribble && status == GPU_OK)
        commands[0].writable[1].buffer->memory[d->scribble_byte] ^= 0xFF;
    if (d->answers && status == GPU_OK)
        memcpy(commands[0].writable[0].buffer->memory, d->answers, d->answer_bytes);
    if (timing)
        timing->ticks = 1000 * count;
    return status;
}

static const gpu_driver driver = {.name = "fake",
                                  .info = get_info,
                                  .buffer_open = create_buffer,
                                  .buffer_close = destroy_buffer,
                                  .upload = upload,
                                  .download = download,
                                  .fill = fill,
                                  .bytecodes = &cumsum_dxbc,
                                  .shader_open = create_shader,
                                  .shader_close = destroy_shader,
                                  .submit = submit};

fake_device *fake_device_open(void) {
    fake_device *device = calloc(1, sizeof *device);
    assert_non_null(device);
    device->base.driver = &driver;
    device->info.max_buffer_in_bytes = UINT64_C(1) << 31;
    device->info.timestamp_ticks_per_second = 1000000000;
    return device;
}

size_t fake_device_close(fake_device *device) {
    const size_t alive = device->alive;
    free(device);
    return alive;
}
