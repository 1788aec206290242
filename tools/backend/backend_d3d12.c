/* SPDX-License-Identifier: MIT */
/* The backend d3d12: libcumsum-d3d12's compute shaders. */
#include <cumsum/d3d12.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend.h"
#include "memory.h"

typedef struct d3d12_backend {
    backend_device base;
    cumsum_d3d12_device *device;
} d3d12_backend;

/* vkd3d writes remarks on stderr that mean nothing to who runs a case file. */
static void quieten_vkd3d(void) {
#ifndef _WIN32
    if (setenv("VKD3D_DEBUG", "err", 0) != 0 || setenv("VKD3D_SHADER_DEBUG", "none", 0) != 0)
        tool_memory_is_out();
#endif
}

cumsum_status backend_open_d3d12(const backend_settings *settings, cumsum_d3d12_device **device,
                                 cumsum_diagnostic *diagnostic) {
    const cumsum_d3d12_options wanted = {.adapter = settings->adapter,
                                         .debug_layer = settings->debug_layer,
                                         .timeout_in_ms = settings->timeout};
    quieten_vkd3d();
    return backend_note_timeout(cumsum_d3d12_open(&wanted, device, diagnostic));
}

void backend_name_d3d12(backend_device *backend, const cumsum_d3d12_device *device) {
    const cumsum_d3d12_adapter *adapter = &cumsum_d3d12_info(device)->adapter;
    snprintf(backend->name, sizeof backend->name, "%s%s%s", adapter->name,
             adapter->driver[0] ? ", driver " : "", adapter->driver);
    snprintf(backend->adapter, sizeof backend->adapter, "%s", adapter->name);
    snprintf(backend->driver, sizeof backend->driver, "%s", adapter->driver);
}

static cumsum_status d3d12_open(const backend_settings *settings, backend_device **device,
                                cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_device *opened;
    cumsum_status status = backend_open_d3d12(settings, &opened, diagnostic);
    if (status != CUMSUM_OK)
        return status;
    d3d12_backend *made = tool_calloc(1, sizeof *made);
    made->base.methods = &backend_d3d12;
    made->device = opened;
    backend_name_d3d12(&made->base, opened);
    *device = &made->base;
    return CUMSUM_OK;
}

static void d3d12_close(backend_device *base) {
    cumsum_d3d12_close(((d3d12_backend *)base)->device);
    free(base);
}

static cumsum_status d3d12_execute(backend_device *base, const backend_work *w,
                                   uint64_t *nanoseconds, cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_timing timing = {0};
    cumsum_status status = cumsum_d3d12_execute(((d3d12_backend *)base)->device, w->desc,
                                                &w->numerics, w->level, w->input, w->input_in_bytes,
                                                w->output, w->output_in_bytes, &timing, diagnostic);
    if (status == CUMSUM_OK && nanoseconds)
        *nanoseconds = timing.nanoseconds;
    return backend_note_timeout(status);
}

cumsum_status backend_measure_d3d12(cumsum_d3d12_device *device, backend_work *w,
                                    uint32_t repetitions, cumsum_d3d12_speed *speed,
                                    cumsum_diagnostic *diagnostic) {
    return backend_note_timeout(
        cumsum_d3d12_measure(device, w->desc, &w->numerics, w->level, w->input, w->input_in_bytes,
                             w->output, w->output_in_bytes, repetitions, speed, diagnostic));
}

static cumsum_status d3d12_measure(backend_device *base, backend_work *w, bool shaders,
                                   uint32_t repetitions, cumsum_d3d12_speed *speed,
                                   cumsum_diagnostic *diagnostic) {
    (void)shaders;
    return backend_measure_d3d12(((d3d12_backend *)base)->device, w, repetitions, speed,
                                 diagnostic);
}

const backend_methods backend_d3d12 = {
    .open = d3d12_open, .close = d3d12_close, .execute = d3d12_execute, .measure = d3d12_measure};
