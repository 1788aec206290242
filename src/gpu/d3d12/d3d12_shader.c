/* SPDX-License-Identifier: MIT */
/*
 * The root signature, which is the same for all shaders, and pipelines. The parameters are root
 * constants and root descriptors: these need no descriptor heap, and every implementation of
 * Direct3D 12 handles them.
 *
 * Invariant: the parameters' order in shaders/device_probe.hlsl, of whose bytecode the root
 * signature is a part, is the order in which d3d12_record.c sets them.
 */
#include <stdlib.h>

#include "d3d12_device.h"
#include "d3d12_guids.h"
#include "device_probe.code.h"

gpu_status d3d12_root_signature(d3d12_device *device, gpu_failure *why) {
    HRESULT hr = ID3D12Device_CreateRootSignature(device->d3d, 0, device_probe, sizeof device_probe,
                                                  &iid_root_signature, (void **)&device->root);
    return hr < 0 ? d3d12_fail(device, hr, "CreateRootSignature", why) : GPU_OK;
}

static gpu_status make_pipeline(d3d12_device *device, const void *bytecode, size_t bytes,
                                gpu_shader *shader, gpu_failure *why) {
    const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = device->root,
                                                    .CS = {bytecode, bytes}};
    HRESULT hr = ID3D12Device_CreateComputePipelineState(device->d3d, &desc, &iid_pipeline,
                                                         (void **)&shader->pipeline);
    if (hr < 0)
        return d3d12_fail(device, hr, "CreateComputePipelineState", why);
    return d3d12_debug_error(device, "CreateComputePipelineState", why);
}

gpu_status d3d12_shader_open(gpu_device *base, const void *bytecode, size_t bytes,
                             gpu_shader **shader, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    *shader = NULL;
    if (cumsum_gpu_is_lost(&device->base, why))
        return why->status;
    gpu_shader *made = calloc(1, sizeof *made);
    if (!made)
        return cumsum_gpu_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a shader's description");
    made->device = device;
    gpu_status status = make_pipeline(device, bytecode, bytes, made, why);
    if (status != GPU_OK) {
        d3d12_shader_close(made);
        return status;
    }
    *shader = made;
    return GPU_OK;
}

void d3d12_shader_close(gpu_shader *shader) {
    if (shader && !d3d12_is_abandoned(shader->device))
        d3d12_release(shader->pipeline);
    free(shader);
}
