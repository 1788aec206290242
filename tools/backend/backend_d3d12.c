/* SPDX-License-Identifier: MIT */
/* The backends d3d12, libcumsum-d3d12's compute shaders; directml, Microsoft's operator on the
 * device that the first one would take; and cuda, the same shaders over libcumsum-cuda. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "device_drivers.h"
#include "directml_operator.h"
#include "memory.h"

/* Keeps vkd3d's remarks, which mean nothing to the tool's user, off stderr. */
static void quieten_vkd3d(void) {
#ifndef _WIN32
    if (setenv("VKD3D_DEBUG", "err", 0) != 0 || setenv("VKD3D_SHADER_DEBUG", "none", 0) != 0)
        tool_memory_is_out();
#endif
}

static cumsum_d3d12_options options_of(const backend_settings *settings) {
    return (cumsum_d3d12_options){.adapter = settings->adapter[0] ? settings->adapter : NULL,
                                  .debug_layer = settings->debug_layer,
                                  .timeout_in_ms = settings->timeout};
}

static cumsum_status open_d3d12(const backend_settings *settings, cumsum_d3d12_device **device,
                                cumsum_diagnostic *diagnostic) {
    const cumsum_d3d12_options wanted = options_of(settings);
    quieten_vkd3d();
    return backend_note_timeout(cumsum_d3d12_open(&wanted, device, diagnostic));
}

static backend_device *make_device(const backend_methods *methods, cumsum_d3d12_device *d3d12,
                                   cumsum_directml *directml) {
    const cumsum_d3d12_adapter *adapter = &cumsum_d3d12_info(d3d12)->adapter;
    backend_device *made = tool_calloc(1, sizeof *made);
    made->methods = methods;
    made->d3d12 = d3d12;
    made->directml = directml;
    snprintf(made->name, sizeof made->name, "%s%s%s", adapter->name,
             adapter->driver[0] ? ", driver " : "", adapter->driver);
    snprintf(made->adapter, sizeof made->adapter, "%s", adapter->name);
    snprintf(made->driver, sizeof made->driver, "%s", adapter->driver);
    return made;
}

static void close_device(backend_device *device) {
    cumsum_directml_close(device->directml);
    cumsum_d3d12_close(device->d3d12);
    free(device);
}

static cumsum_status d3d12_open(const backend_settings *settings, backend_device **device,
                                cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_device *d3d12;
    const cumsum_status status = open_d3d12(settings, &d3d12, diagnostic);
    if (status == CUMSUM_OK)
        *device = make_device(&backend_d3d12, d3d12, NULL);
    return status;
}

static cumsum_status d3d12_execute(backend_device *device, const backend_work *w,
                                   cumsum_diagnostic *diagnostic) {
    return backend_note_timeout(cumsum_d3d12_execute(device->d3d12, w->desc, &w->numerics, w->level,
                                                     w->input, w->input_in_bytes, w->output,
                                                     w->output_in_bytes, NULL, diagnostic));
}

const backend_methods backend_d3d12 = {
    .open = d3d12_open, .close = close_device, .execute = d3d12_execute};

#ifdef CUMSUM_TOOL_CUDA
static cumsum_status cuda_open(const backend_settings *settings, backend_device **device,
                               cumsum_diagnostic *diagnostic) {
    const cumsum_d3d12_options wanted = options_of(settings);
    cumsum_d3d12_device *cuda;
    const cumsum_status status =
        backend_note_timeout(cumsum_gpu_open(cumsum_cuda_drivers(), &wanted, &cuda, diagnostic));
    if (status == CUMSUM_OK)
        *device = make_device(&backend_cuda, cuda, NULL);
    return status;
}

const backend_methods backend_cuda = {
    .open = cuda_open, .close = close_device, .execute = d3d12_execute};
#endif

static cumsum_status directml_open(const backend_settings *settings, backend_device **device,
                                   cumsum_diagnostic *diagnostic) {
    cumsum_d3d12_device *d3d12;
    cumsum_directml *directml = NULL;
    cumsum_status status = open_d3d12(settings, &d3d12, diagnostic);
    if (status == CUMSUM_OK)
        status = cumsum_directml_open(d3d12, settings->debug_layer, &directml, diagnostic);
    if (status != CUMSUM_OK) {
        cumsum_d3d12_close(d3d12);
        return status;
    }
    backend_device *made = make_device(&backend_directml, d3d12, directml);
    const uint32_t level = cumsum_directml_feature_level(directml);
    const size_t used = strlen(made->name);
    snprintf(made->name + used, sizeof made->name - used, ", DirectML feature level %u.%u",
             level >> 12, level >> 8 & 15);
    made->flushes_denormals = cumsum_d3d12_info(d3d12)->flushes_float32_subnormals;
    *device = made;
    return CUMSUM_OK;
}

static cumsum_status directml_execute(backend_device *device, const backend_work *w,
                                      cumsum_diagnostic *diagnostic) {
    return backend_note_timeout(cumsum_directml_execute(
        device->directml, w->desc, w->any_numerics ? NULL : &w->numerics, w->execution_flags,
        w->level, w->input, w->input_in_bytes, w->output, w->output_in_bytes, diagnostic));
}

static cumsum_status directml_ask(backend_device *device, const cumsum_operator_desc *desc,
                                  uint32_t execution_flags, int32_t hresults[2],
                                  cumsum_diagnostic *diagnostic) {
    cumsum_directml_answer answer = {0};
    const cumsum_status status =
        cumsum_directml_ask(device->directml, desc, execution_flags, &answer, diagnostic);
    hresults[0] = answer.create_operator;
    hresults[1] = answer.compile_operator;
    return status;
}

const backend_methods backend_directml = {
    .open = directml_open, .close = close_device, .execute = directml_execute, .ask = directml_ask};
