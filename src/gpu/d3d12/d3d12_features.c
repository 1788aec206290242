/* SPDX-License-Identifier: MIT */
#include "d3d12_device.h"

/* A runtime answers E_INVALIDARG to a model that it does not know: the highest first. */
static uint32_t highest_shader_model(ID3D12Device *d3d) {
    for (uint32_t model = 0x67; model >= 0x60; model--) {
        D3D12_FEATURE_DATA_SHADER_MODEL data = {(D3D_SHADER_MODEL)model};
        if (ID3D12Device_CheckFeatureSupport(d3d, D3D12_FEATURE_SHADER_MODEL, &data, sizeof data) >=
            0)
            return (uint32_t)data.HighestShaderModel;
    }
    return 0x51;
}

void d3d12_features(d3d12_device *device) {
    gpu_device_info *info = &device->info;
    D3D12_FEATURE_DATA_D3D12_OPTIONS1 one = {0};
    D3D12_FEATURE_DATA_D3D12_OPTIONS4 four = {0};
    ID3D12Device_CheckFeatureSupport(device->d3d, D3D12_FEATURE_D3D12_OPTIONS1, &one, sizeof one);
    ID3D12Device_CheckFeatureSupport(device->d3d, D3D12_FEATURE_D3D12_OPTIONS4, &four, sizeof four);
    info->adapter = device->session.adapter;
    info->api = d3d12_platform_here.api;
    info->native16 = four.Native16BitShaderOpsSupported != 0;
    info->int64 = one.Int64ShaderOps != 0;
    info->wave_min = one.WaveOps ? one.WaveLaneCountMin : 0;
    info->wave_max = one.WaveOps ? one.WaveLaneCountMax : 0;
    info->shader_model = highest_shader_model(device->d3d);
    info->max_buffer = device->session.max_buffer;
    ID3D12CommandQueue_GetTimestampFrequency(device->queue, &info->ticks_per_second);
}
