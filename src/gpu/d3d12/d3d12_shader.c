/* SPDX-License-Identifier: MIT */
/*
 * The root signature, which is the same for all shaders, and pipelines. The parameters are root
 * constants and root descriptors: these need no descriptor heap, and every implementation of
 * Direct3D 12 handles them.
 *
 * Invariant: the parameters' order here is the order in which d3d12_record.c sets them.
 */
#include <stdlib.h>

#include "d3d12_device.h"
#include "d3d12_guids.h"

/* Constants in b0, then u0 to u3, then t0. */
#define PARAMETERS (1 + GPU_WRITABLE + 1)

static void describe(D3D12_ROOT_PARAMETER *p) {
    for (UINT i = 0; i < PARAMETERS; i++) {
        p[i] = (D3D12_ROOT_PARAMETER){.ShaderVisibility = D3D12_SHADER_VISIBILITY_ALL};
        p[i].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
        p[i].Descriptor.ShaderRegister = i - 1;
    }
    p[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
    p[0].Constants =
        (D3D12_ROOT_CONSTANTS){.ShaderRegister = 0, .Num32BitValues = GPU_MAX_CONSTANTS};
    p[PARAMETERS - 1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV;
    p[PARAMETERS - 1].Descriptor.ShaderRegister = 0;
}

/* Serialization is a function of the library, not of the device, so the platform calls it. */
gpu_status d3d12_root_signature(d3d12_device *device, gpu_failure *why) {
    D3D12_ROOT_PARAMETER parameters[PARAMETERS];
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = PARAMETERS, .pParameters = parameters};
    void *made = NULL;
    describe(parameters);
    HRESULT hr = d3d12_platform_here.serialize(&device->session, &desc, &made);
    if (hr < 0)
        return d3d12_fail(device, hr, "D3D12SerializeRootSignature", why);
    ID3DBlob *blob = made;
    hr = ID3D12Device_CreateRootSignature(device->d3d, 0, ID3D10Blob_GetBufferPointer(blob),
                                          ID3D10Blob_GetBufferSize(blob), &iid_root_signature,
                                          (void **)&device->root);
    ID3D10Blob_Release(blob);
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

gpu_status d3d12_shader_create(gpu_device *base, const void *bytecode, size_t bytes,
                               gpu_shader **shader, gpu_failure *why) {
    d3d12_device *device = (d3d12_device *)base;
    *shader = NULL;
    if (d3d12_is_lost(device, why))
        return why->status;
    gpu_shader *made = calloc(1, sizeof *made);
    if (!made)
        return d3d12_refuse(why, GPU_OUT_OF_MEMORY, "no memory for a shader's description");
    made->device = device;
    gpu_status status = make_pipeline(device, bytecode, bytes, made, why);
    if (status != GPU_OK) {
        d3d12_shader_destroy(made);
        return status;
    }
    *shader = made;
    return GPU_OK;
}

void d3d12_shader_destroy(gpu_shader *shader) {
    if (shader && shader->pipeline && !shader->device->abandoned)
        ID3D12PipelineState_Release(shader->pipeline);
    free(shader);
}
