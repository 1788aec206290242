/* SPDX-License-Identifier: MIT */
/* The backend directml: Microsoft's operator, on the device that the backend d3d12 would take. */
#include <cumsum/directml_operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "memory.h"

typedef struct directml_backend {
    backend_device base;
    cumsum_d3d12_device *device;
    cumsum_directml *directml;
} directml_backend;

static void directml_name(directml_backend *backend) {
    const uint32_t level = cumsum_directml_feature_level(backend->directml);
    char *name = backend->base.name;
    backend_name_d3d12(&backend->base, backend->device);
    size_t used = strlen(name);
    snprintf(name + used, sizeof backend->base.name - used, ", DirectML feature level %u.%u",
             level >> 12, level >> 8 & 15);
}

static cumsum_status directml_open(const backend_settings *settings, backend_device **device,
                                   cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_device *opened;
    cumsum_directml *directml = NULL;
    cumsum_status status = backend_open_d3d12(settings, &opened, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_directml_open(opened, settings->debug_layer, &directml, diagnostic);
    if (status != CUMSUM_OK) {
        cumsum_d3d12_close(opened);
        return status;
    }
    directml_backend *made = tool_calloc(1, sizeof *made);
    made->base.methods = &backend_directml;
    made->device = opened;
    made->directml = directml;
    made->base.flushes_denormals = cumsum_d3d12_info(opened)->flushes_float32_subnormals;
    directml_name(made);
    *device = &made->base;
    return CUMSUM_OK;
}

static void directml_close(backend_device *base) {
    cumsum_directml_close(((directml_backend *)base)->directml);
    cumsum_d3d12_close(((directml_backend *)base)->device);
    free(base);
}

static cumsum_status directml_execute(backend_device *base, const backend_work *w,
                                      uint64_t *nanoseconds, cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_timing timing = {0};
    cumsum_status status = cumsum_directml_execute(
        ((directml_backend *)base)->directml, w->desc, w->any_numerics ? NULL : &w->numerics,
        w->execution_flags, w->level, w->input, w->input_in_bytes, w->output, w->output_in_bytes,
        &timing, diagnostic);
    if (status == CUMSUM_OK && nanoseconds)
        *nanoseconds = timing.nanoseconds;
    return backend_note_timeout(status);
}

static cumsum_status directml_ask(backend_device *base, const cumsum_operator_desc *desc,
                                  uint32_t execution_flags, int32_t hresults[2],
                                  cumsum_diagnostic *diagnostic) {
    cumsum_directml_answer answer = {0};
    cumsum_status status = cumsum_directml_ask(((directml_backend *)base)->directml, desc,
                                               execution_flags, &answer, diagnostic);
    hresults[0] = answer.create_operator;
    hresults[1] = answer.compile_operator;
    return status;
}

static cumsum_status directml_measure(backend_device *base, backend_work *w, bool shaders,
                                      uint32_t repetitions, cumsum_d3d12_speed *speed,
                                      cumsum_diagnostic *diagnostic) {
    const directml_backend *backend = (const directml_backend *)base;
    const cumsum_order order = w->numerics.order;
    w->numerics = cumsum_directml_numerics(backend->directml, w->execution_flags);
    if (!shaders)
        return backend_note_timeout(cumsum_directml_measure(
            backend->directml, w->desc, NULL, w->execution_flags, w->level, w->input,
            w->input_in_bytes, w->output, w->output_in_bytes, repetitions, speed, diagnostic));
    w->numerics.order = order;
    return backend_measure_d3d12(backend->device, w, repetitions, speed, diagnostic);
}

const backend_methods backend_directml = {.open = directml_open,
                                          .close = directml_close,
                                          .execute = directml_execute,
                                          .ask = directml_ask,
                                          .measure = directml_measure};
