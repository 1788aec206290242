/* SPDX-License-Identifier: MIT */
/* The backend d3d12: the library's own shaders. */
#include <cumsum/d3d12.h>
#include <stdio.h>
#include <stdlib.h>

#include "backend_device.h"
#include "memory.h"

typedef struct d3d12_backend {
    backend_device base;
    cumsum_d3d12_device *device;
} d3d12_backend;

/* vkd3d writes remarks on stderr that mean nothing to who runs a case file. */
static void quieten_vkd3d(void) {
#ifndef _WIN32
    setenv("VKD3D_DEBUG", "err", 0);
    setenv("VKD3D_SHADER_DEBUG", "none", 0);
#endif
}

static cumsum_status open_device(const tool_options *options, backend_device **device,
                                 cumsum_diagnostic *diagnostic) {
    const cumsum_d3d12_options wanted = {.adapter = options->adapter,
                                         .debug_layer = options->debug_layer,
                                         .timeout_in_ms = options->timeout};
    cumsum_d3d12_device *opened;
    quieten_vkd3d();
    cumsum_status status = cumsum_d3d12_open(&wanted, &opened, diagnostic);
    if (status != CUMSUM_OK) {
        return status;
    }
    const cumsum_d3d12_device_info *info = cumsum_d3d12_info(opened);
    d3d12_backend *made = tool_calloc(1, sizeof *made);
    made->base.methods = &backend_d3d12;
    made->device = opened;
    snprintf(made->base.name, sizeof made->base.name, "%s%s%s", info->adapter.name,
             info->adapter.driver[0] ? ", driver " : "", info->adapter.driver);
    made->base.flushes_denormals = info->flushes_float32_subnormals;
    *device = &made->base;
    return CUMSUM_OK;
}

static void close_device(backend_device *base) {
    cumsum_d3d12_close(((d3d12_backend *)base)->device);
    free(base);
}

static cumsum_status execute(backend_device *base, const backend_work *w, uint64_t *nanoseconds,
                             cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_timing timing = {0};
    cumsum_status status = cumsum_d3d12_execute(((d3d12_backend *)base)->device, w->desc,
                                                &w->numerics, w->level, w->input, w->input_in_bytes,
                                                w->output, w->output_in_bytes, &timing, diagnostic);
    if (status == CUMSUM_OK && nanoseconds) {
        *nanoseconds = timing.nanoseconds;
    }
    return status;
}

const backend_methods backend_d3d12 = {
    .open = open_device, .close = close_device, .execute = execute};
